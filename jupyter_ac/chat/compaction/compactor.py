"""Schedules compactions of long conversations, one at a time, and reports them to the pages.

A session is compacted in a task of its own. A question that is asked meanwhile is accepted and
waits for that task. A compaction is atomic: nothing is stored before all is done, so that a
failure, a stop of the host and `kill -9` leave the session as it was.

Copies of files at the beginning of the log are retained where that is cheaper. Text before the
first difference is read from the provider's cache at a tenth of its price; all text after it is
written at one and a quarter. Files are mostly much longer than the talk that a compaction removes,
so sending them all again would cost more than it saves for a long time. The head and the files of
the first message therefore stay, byte for byte, when

- the provider's cache still holds them,
- more than half of those files' text is of use: of files that are selected, and the copy from which
  differences lead to their present text,
- the map in the head is still about right: at most a tenth of the lines of a new one are not in it.

Otherwise nothing stays: head and map are rebuilt, and files are sent with their present text.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Final

from jupyter_ac.chat.chat_events import PageEvent, TurnEnded, TurnStarted
from jupyter_ac.chat.compaction.due import Talk, is_enough, look, may_be_due
from jupyter_ac.chat.compaction.summarizing import Compacted, summarize
from jupyter_ac.chat.compaction.trimming import keep, known_turns, require_same
from jupyter_ac.chat.compaction.withholding import withhold
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.last_request import MARKED_LIFE_MS, has_expired, idle_ms
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.prompt.log import leading_copies, standing
from jupyter_ac.chat.prompt.log_removals import CompactedEntry
from jupyter_ac.chat.prompt.maps import map_blocks
from jupyter_ac.chat.session import Session
from jupyter_ac.errors import AcError, Busy, InvalidParams
from jupyter_ac.event_bus import EventBus
from jupyter_ac.events import CompactionEvent, SessionChanged, TurnProgress
from jupyter_ac.ids import RepoPath

_HALF: Final = 2
_TENTH: Final = 10


async def copies_to_keep(
    conversation: Conversation, session: Session, ports: TurnPorts
) -> tuple[RepoPath, ...]:
    """Name the files whose copies a compaction of this session is to leave where they stand."""
    choice = ports.models.choice()
    info = await ports.models.info(choice) if choice is not None else None
    kept = useful_beginning(session.log.entries(), conversation.selection)
    if choice is None or not kept or has_expired(session, info, ports.clock()):
        return ()
    mode = conversation.focus.mode
    head = session.log.frozen_head(ports.profile_for(choice, mode))
    found = await ports.maps.head(mode, 0.0)
    fresh = map_blocks(mode, found.legend, found.text) if found is not None else ()
    return kept if head and is_about_right(head, fresh) else ()


def useful_beginning(
    entries: Sequence[CompactedEntry], selected: Collection[RepoPath]
) -> tuple[RepoPath, ...]:
    """Name the files that the log begins with; none when they are mostly of no use."""
    copies = leading_copies(entries[0].exchange) if entries else ()
    seen = standing(entry.exchange for entry in entries)
    used = 0
    for block in copies:
        copy = seen.get(block.path) if block.path is not None else None
        if copy is not None and copy.whole == block and block.path in selected:
            used += block.size_bytes
    if _HALF * used <= sum(block.size_bytes for block in copies):
        return ()
    return tuple(block.path for block in copies if block.path is not None)


def is_about_right(head: Sequence[Block], fresh: Sequence[Block]) -> bool:
    """Tell whether the map in a head may stay beside the one that would be made."""
    known, wanted = _map_lines(head), _map_lines(fresh)
    return _TENTH * len(wanted - known) <= len(wanted)


def _map_lines(blocks: Sequence[Block]) -> set[str]:
    maps = (block.text for block in blocks if block.category is Category.MAP)
    return {line for text in maps for line in text.splitlines()}


log = logging.getLogger(__name__)

AGAIN_SHARE: Final = 10
"""After a failure the talk must grow by this part of the trigger before it is tried again."""

_ENDING: Final = "The program that made it is ending."


class _Kind(Enum):
    """Why a conversation is compacted."""

    DUE = auto()
    COLD = auto()
    FORCED = auto()


class Compactor:
    """The compactions of one workspace. Belongs to one event loop.

    Args:
        ports: what the stages of a turn work with.
        bus: says when turns start and end; carries to the pages how it goes.
    """

    def __init__(self, ports: TurnPorts, bus: EventBus) -> None:
        self._ports = ports
        self._bus = bus
        self._tasks: set[asyncio.Task[None]] = set()
        bus.subscribe(TurnStarted, self._turn_started)
        bus.subscribe(TurnEnded, self._turn_ended)

    @property
    def active(self) -> int:
        """How many sessions are being compacted."""
        return len(self._tasks)

    def _turn_ended(self, turn: TurnEnded) -> None:
        """Compact the session of a turn that is over, if it is due; returns at once."""
        session = turn.conversation.session
        settings = self._ports.log.settings().history_compaction
        if not settings.enabled or not turn.has_whole_log or not turn.record.exchanges():
            return
        if not session.compaction.is_running and may_be_due(session, settings, turn.info):
            self._start(turn.conversation, turn.record.request_id, forced=False)

    def _turn_started(self, turn: TurnStarted) -> None:
        """Compact first when a question comes after the cache has expired; returns at once.

        It is compacted if that pays (`pays_when_cold`): the whole request is paid for again anyway.
        """
        session = turn.conversation.session
        settings = self._ports.log.settings().history_compaction
        if not settings.enabled or session.compaction.is_running:
            return
        is_idle = idle_ms(session, self._ports.clock()) >= MARKED_LIFE_MS
        if is_idle and may_be_due(session, settings, None, is_cold=True):
            work = self._when_cold(turn.conversation, session, turn.record.request_id)
            self._run(session, work)

    async def compact_now(self, conversation: Conversation) -> None:
        """Compact a conversation though it isn't due; events report how it goes.

        Raises:
            Busy: an answer is being made, or it is being compacted already.
            InvalidParams: there is nothing to compact.
            NotReady: there is no model.
        """
        conversation.require_idle("compacting the conversation")
        session = conversation.session
        if session.compaction.is_running:
            raise Busy("The conversation is being compacted already.")
        talk = await look(session, self._ports, to_least=True)
        if not any(one.turn_id and not one.is_pinned for one in talk.said[: talk.start]):
            raise InvalidParams("There is nothing to compact yet; the newest exchanges stay.")
        if not is_enough(talk.said, talk.start, talk.limits):
            raise InvalidParams("The older part is too short: a summary would be as long.")
        self._ports.models.require()
        conversation.require_idle("compacting the conversation")
        if session.compaction.is_running:
            raise Busy("The conversation is being compacted already.")
        self._start(conversation, session.turns[-1].request_id, forced=True)

    async def aclose(self) -> None:
        """Cancel running compactions; nothing of them is stored."""
        tasks = set(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, conversation: Conversation, request_id: str, *, forced: bool) -> None:
        session = conversation.session
        kind = _Kind.FORCED if forced else _Kind.DUE
        self._run(session, self._see_through(conversation, session, request_id, kind))

    def _run(self, session: Session, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        session.compaction.task = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _when_cold(
        self, conversation: Conversation, session: Session, request_id: str
    ) -> None:
        models = self._ports.models
        choice = models.choice()
        if choice is None or not self._ports.profile_for(choice, conversation.focus.mode).is_full:
            return
        try:
            info = await models.info(choice)
        except AcError as error:
            log.info("whether the cache has expired is not known: %s", error)
            return
        if has_expired(session, info, self._ports.clock()):
            await self._see_through(conversation, session, request_id, _Kind.COLD)

    async def _see_through(
        self, conversation: Conversation, session: Session, request_id: str, kind: "_Kind"
    ) -> None:
        def report(event: TurnProgress) -> None:
            self._bus.publish(
                PageEvent(CompactionEvent(request_id, event), conversation.conversation_key)
            )

        talk: Talk | None = None
        try:
            await withhold(session, self._ports, _own(conversation))
            measured = await look(session, self._ports, to_least=kind is not _Kind.DUE)
            failed, is_cold = session.compaction.failed_tokens, kind is _Kind.COLD
            if kind is not _Kind.FORCED and not measured.is_due(failed, is_cold=is_cold):
                return
            known = known_turns(session)
            require_same(session, known, _own(conversation))
            talk = measured
            report(_started(talk))
            compacted = await summarize(talk, self._ports)
            staying = await copies_to_keep(conversation, session, self._ports)
            removal = replace(compacted.removal, paths=staying)
            await keep(session, self._ports, removal, known, _own(conversation))
        except AcError as error:
            log.warning("a conversation could not be compacted: %s", error)
            self._failed(session, talk, report, error.message)
        except asyncio.CancelledError:
            self._failed(session, talk, report, _ENDING)
            raise
        except Exception:
            log.exception("a conversation could not be compacted")
            self._failed(session, talk, report, "The server's log says why.")
        else:
            session.compaction.failed_tokens, session.compaction.failure = 0, ""
            await self._completed(conversation, session, compacted, report)

    def _failed(
        self,
        session: Session,
        talk: Talk | None,
        report: Callable[[TurnProgress], None],
        why: str,
    ) -> None:
        if talk is None:
            return
        session.compaction.failed_tokens = talk.tokens + talk.limits.trigger // AGAIN_SHARE
        session.compaction.failure = why
        message = (
            f"The conversation stays as it is, compacting failed: {why} All of it is still sent; "
            f"it is tried again at {session.compaction.failed_tokens:,} tokens."
        )
        report(TurnProgress(stage="compaction_error", message=message))

    async def _completed(
        self,
        conversation: Conversation,
        session: Session,
        compacted: Compacted,
        report: Callable[[TurnProgress], None],
    ) -> None:
        after = await look(session, self._ports, to_least=False)
        message = _notice(compacted, after.tokens)
        name = session.session_id
        await self._ports.events.note(conversation.conversation_key, name, "compaction", message)
        case = compacted.removal.case
        event = TurnProgress(stage="compaction_complete", message=message)
        event["case"] = "truncate" if case == "truncate" else "summarize"
        event["before_tokens"], event["after_tokens"] = compacted.before_tokens, after.tokens
        if conversation.session is not session:
            return
        shown = session.snapshot()
        event["messages"], event["earlier"] = shown["messages"], shown["earlier"]
        report(event)
        self._bus.publish(PageEvent(SessionChanged(shown), conversation.conversation_key))


def _own(conversation: Conversation) -> str:
    """Name the question that waits here for the compaction; "" for none."""
    return conversation.stream.request_id if conversation.stream is not None else ""


def _started(talk: Talk) -> TurnProgress:
    message = f"Compacting the conversation ({talk.tokens:,} tokens) …"
    event = TurnProgress(stage="compaction_start", message=message)
    event["before_tokens"] = talk.tokens
    return event


def _notice(compacted: Compacted, after_tokens: int) -> str:
    what = (
        "what was said before the present subject is no longer sent"
        if compacted.removal.case == "truncate"
        else "the older part is sent as a summary"
    )
    sizes = f"{compacted.before_tokens:,} to {after_tokens:,} tokens"
    return f"The conversation was compacted from {sizes}: {what}. Everything stays in the history."
