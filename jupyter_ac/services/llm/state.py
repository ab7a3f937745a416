"""The state snapshot from which a page shows a conversation after it has (re)connected."""

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.edits.edit_decisions import undo_offer
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.pagination import fitting
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.streams import utf16_length
from jupyter_ac.events import SessionChanged
from jupyter_ac.git.excluded_paths import NONE_EXCLUDED
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import ConversationKey
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.rpc.codec import Encoded, encode
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.llm.modes import is_ready, other
from jupyter_ac.services.llm.selection import selection_event
from jupyter_ac.services.llm.shapes import CurrentState, ModelState, RunningStream
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.store.single_flight import SingleFlight
from jupyter_ac.store.stamped_cache import Stamp, StampedCache, take_stamp
from jupyter_ac.version import PROTOCOL, __version__

MOST_BYTES: Final = 1 << 20
"""JSON of a running answer in the snapshot; `attach_stream` gives all of it."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """A cached response, and the objects in memory from which it was made."""

    source: tuple[object, ...]
    encoded: Encoded[CurrentState]


@dataclass(slots=True)
class _Refreshed:
    """What one look at the disk gave, for all calls that waited for it.

    Attributes:
        before: the stamp of the files before they were read.
        review: the state of the review.
        answer: the first response that was made of it.
    """

    before: Stamp | None
    review: ReviewState
    answer: _Answer | None = None


class StateMethods:
    """RPC methods that return the state snapshot.

    Args:
        book: the conversations.
        ports: the model in use, whether the start is complete, how edits are applied.
        audience: notified of changes by another host.
        repository: that the page shows.
        review: returns the state of the review; reads the disk.
        files: files of the response that other hosts write; without any, nothing is cached.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        ports: TurnPorts,
        audience: Subscribers,
        repository: Repository,
        review: Callable[[], ReviewState],
        files: Sequence[Path] = (),
    ) -> None:
        self._conversations = book
        self._ports = ports
        self._subscribers = audience
        self._repository = repository
        self._review = review
        self._files = tuple(map(os.fspath, files))
        self._known = StampedCache[_Answer]()
        self._flights: dict[ConversationKey, SingleFlight[_Refreshed]] = {}
        self._excluded = NONE_EXCLUDED
        # What was validated in this turn of the loop: all calls of a turn had come before it, so
        # that they can share a look at the files.
        self._validated: dict[ConversationKey, _Answer] = {}

    @method(Access.READ)
    async def get_current_state(self) -> Encoded[CurrentState]:
        """Give the conversation, the selection, what runs and which model answers.

        What another server on this repository has added to the conversation is there, too.
        """
        caller = current_caller()
        conversation = await self._conversations.open(caller.conversation_key)
        known = self._look_up(caller.conversation_key)
        if known is not None and known.source == self._source(conversation):
            return known.encoded
        refreshed = await self._refreshes(caller.conversation_key).get()
        # No await from here on: the snapshot must be consistent, and no event may overtake it.
        source = self._source(conversation)
        shared = refreshed.answer
        if source is not None and shared is not None and shared.source == source:
            return shared.encoded
        encoded = Encoded[CurrentState]([encode(self._snapshot(conversation, refreshed.review))])
        if source is not None:
            answer = refreshed.answer = _Answer(source, encoded)
            self._known.put(caller.conversation_key, refreshed.before, answer, encoded.size_bytes)
        return encoded

    def _refreshes(self, key: ConversationKey) -> SingleFlight[_Refreshed]:
        """Return what reads the disk for all calls that wait for it.

        Hundreds of panels ask at once when a server starts, and each would read the same files.
        """
        if key not in self._flights:
            self._flights[key] = SingleFlight(partial(self._refresh, key))
        return self._flights[key]

    async def _refresh(self, key: ConversationKey) -> _Refreshed:
        """Take over what other hosts have changed."""
        # The run belongs to the first of the calls that wait for it: it has that call's context.
        peer = current_caller().peer
        conversation = await self._conversations.open(key)
        before = take_stamp(self._files) if self._files else None
        self._excluded = await self._ports.files.excluded()
        if await self._conversations.refresh(conversation):
            self._subscribers.publish(
                SessionChanged(conversation.session.snapshot()), key, but=(peer,)
            )
        if await self._conversations.refresh_selection(conversation):
            self._subscribers.publish(selection_event(conversation), key, but=(peer,))
        return _Refreshed(before, await asyncio.to_thread(self._review))

    def _look_up(self, key: ConversationKey) -> _Answer | None:
        """Return the cached response if its files are unchanged."""
        if key in self._validated:
            return self._validated[key]
        known = self._known.get(key)
        if known is not None:
            if not self._validated:
                asyncio.get_running_loop().call_soon(self._validated.clear)
            self._validated[key] = known
        return known

    def _source(self, conversation: Conversation) -> tuple[object, ...] | None:
        """Return the objects in memory on which it depends; None during an answer or a fetch."""
        if conversation.stream is not None or conversation.fetching:
            return None
        session, ports = conversation.session, self._ports
        return (
            session,
            session.version,
            self._excluded,
            conversation.selection,
            conversation.by_program,
            conversation.pages,
            conversation.is_selection_kept,
            conversation.focus,
            ports.maps.state(),
            ports.gate.is_open,
            ports.models.choice(),
            ports.models.absence(),
            ports.edits.settings(),
            ports.log.settings().urls,
        )

    def _snapshot(self, conversation: Conversation, review: ReviewState) -> CurrentState:
        focus, maps = conversation.focus, self._ports.maps.state()
        root = self._repository.root
        return {
            **conversation.session.snapshot(),
            "selected_files": list(conversation.selection),
            "ticked_by_program": sorted(conversation.by_program),
            "urls": conversation.url_rows,
            "urls_fetch": self._ports.log.settings().urls.fetch,
            "streaming_active": conversation.stream is not None,
            "repo_name": root.name or str(root),
            "repo_root": str(root),
            "has_git": not self._repository.is_plain_folder,
            "cross_ref_enabled": focus.cross_ref,
            "cross_ref_ready": is_ready(maps, other(focus.mode)),
            "init_complete": self._ports.gate.is_open,
            "mode": focus.mode,
            "enrichment_status": maps.enrichment,
            "protocol": PROTOCOL,
            "version": __version__,
            "model": model_state(self._ports.models),
            "active_streams": _active_streams(conversation),
            "excluded_index_files": list(self._excluded.paths),
            "review_state": review,
            "undo": undo_offer(conversation.session),
            "edits_review": self._ports.edits.settings().review,
        }


def model_state(models: ModelGateway) -> ModelState:
    """Return which model answers, or why there is none."""
    choice = models.choice()
    return {
        "name": choice.model if choice is not None else "",
        "source": choice.source if choice is not None else "",
        "demo": choice is not None and choice.demo,
        "available": choice is not None,
        "message": models.absence(),
    }


def _active_streams(conversation: Conversation) -> list[RunningStream]:
    stream = conversation.stream
    if stream is None:
        return []
    text = stream.text
    row: RunningStream = {
        "request_id": stream.request_id,
        "agent_id": None,
        "accumulated_content": fitting(text, MOST_BYTES),
        "length": utf16_length(text),
        "reasoning": fitting(stream.thoughts.text, MOST_BYTES),
    }
    if stream.is_recorded:
        row["recorded"] = True
    return [row]
