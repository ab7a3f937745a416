"""Everything that a page needs in order to show a conversation after it has (re)connected."""

import asyncio
from collections.abc import Callable
from typing import Final

from jupyter_ac.chat.conversation import Conversation, ConversationBook
from jupyter_ac.chat.edits.deciding import undo_offer
from jupyter_ac.chat.pagination import fitting
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.streams import utf16_length
from jupyter_ac.events import FilesChanged, SessionChanged
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.audience import Audience
from jupyter_ac.services.llm.modes import is_ready, other
from jupyter_ac.services.llm.shapes import CurrentState, ModelState, RunningStream
from jupyter_ac.version import PROTOCOL, __version__

MOST_BYTES: Final = 1 << 20
"""JSON of a running answer in the snapshot; `attach_stream` gives all of it."""


class State:
    """The snapshot.

    Args:
        book: the conversations.
        ports: which model answers, whether the start is complete, how edits are taken.
        audience: told of what another host has changed.
        repo_name: as shown to the user.
        review: says what is under review; looks at the disk.
    """

    def __init__(
        self,
        book: ConversationBook,
        ports: TurnPorts,
        audience: Audience,
        repo_name: str,
        review: Callable[[], ReviewState],
    ) -> None:
        self._book = book
        self._ports = ports
        self._audience = audience
        self._repo_name = repo_name
        self._review = review

    @method(Access.READ)
    async def get_current_state(self) -> CurrentState:
        """Give the conversation, the selection, what runs and which model answers.

        What another server on this repository has added to the conversation is there, too.
        """
        caller = current_caller()
        conversation = await self._book.open(caller.seat)
        if await self._book.refresh(conversation):
            changed = SessionChanged(conversation.session.snapshot())
            self._audience.publish(changed, caller.seat, but=(caller.peer,))
        if await self._book.refresh_selection(conversation):
            selected = FilesChanged(list(conversation.selection))
            self._audience.publish(selected, caller.seat, but=(caller.peer,))
        focus, maps = conversation.focus, self._ports.maps.state()
        return {
            **conversation.session.snapshot(),
            "selected_files": list(conversation.selection),
            "streaming_active": conversation.stream is not None,
            "repo_name": self._repo_name,
            "cross_ref_enabled": focus.cross_ref,
            "cross_ref_ready": is_ready(maps, other(focus.mode)),
            "init_complete": self._ports.gate.is_open,
            "mode": focus.mode,
            "enrichment_status": maps.enrichment,
            "protocol": PROTOCOL,
            "version": __version__,
            "model": self._model(),
            "active_streams": _active_streams(conversation),
            "excluded_index_files": [],
            "review_state": await asyncio.to_thread(self._review),
            "undo": undo_offer(conversation.session),
            "edits_review": self._ports.edits.settings().review,
        }

    def _model(self) -> ModelState:
        models = self._ports.models
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
    return [
        {
            "request_id": stream.request_id,
            "agent_id": None,
            "accumulated_content": fitting(text, MOST_BYTES),
            "length": utf16_length(text),
            "reasoning": fitting(stream.thoughts.text, MOST_BYTES),
        }
    ]
