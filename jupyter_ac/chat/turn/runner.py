"""Runs turns and owns their tasks: one at a time in a conversation, each with exactly one end."""

import asyncio
import logging
import re
from dataclasses import dataclass
from typing import Final

from jupyter_ac.answer_rows import image_row
from jupyter_ac.chat.chat_events import PageEvent, TurnEnded, TurnStarted
from jupyter_ac.chat.context_items import with_items
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.images import MAX_IMAGES
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.recorded.player import RecordedAnswer
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.chat.turn.gather import FIRST_WAIT_S
from jupyter_ac.chat.turn.pipeline import run
from jupyter_ac.chat.turn.record import completion_result, record, settle
from jupyter_ac.chat.turn.turn import Question, Turn
from jupyter_ac.chat.writing_turns import WRITING_MODES
from jupyter_ac.errors import AlreadyExists, Busy, InvalidParams, NotFound, TooLarge
from jupyter_ac.event_bus import EventBus
from jupyter_ac.events import SessionChanged, StreamComplete, UserMessage
from jupyter_ac.message_rows import AskedQuestion
from jupyter_ac.tool_rows import AgentMode

log = logging.getLogger(__name__)

MAX_QUESTION_CHARS: Final = 1_000_000
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_RECORD_TIMEOUT_S: Final = 10.0
_CLOSE_TIMEOUT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A question from a page.

    Attributes:
        request_id: the page's name for the turn.
        question: the user's text.
        asker: the page's key among the stream's followers; it gets no event for others.
        images: that come with the question, by name.
        unknown: files that were sent along and aren't there, or can't be sent.
        effort: how much the model is to reason; "" for its own default.
        agent_tag: see `TurnRecord`.
        excluded_urls: addresses in the question whose pages aren't fetched.
        agent: how the answer may act.
        recorded: the answer, if it is recorded.
    """

    request_id: str
    question: str
    asker: object
    images: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    effort: str = ""
    agent_tag: str = ""
    excluded_urls: tuple[str, ...] = ()
    agent: AgentMode = "ask"
    recorded: RecordedAnswer | None = None


class Turns:
    """All turns of one workspace. Belongs to one event loop.

    Args:
        ports: what the stages work with.
        bus: carries `TurnStarted`, `TurnEnded`, and events for the pages.
    """

    def __init__(self, ports: TurnPorts, bus: EventBus) -> None:
        self._ports = ports
        self._bus = bus
        self._running: dict[asyncio.Task[None], ActiveStream] = {}
        self._is_closed = False

    @property
    def active(self) -> int:
        """How many turns run."""
        return len(self._running)

    def check(self, conversation: Conversation, ask: ChatRequest) -> None:
        """Refuse what can't be started now.

        Raises:
            InvalidParams: the request id or the question can't be used.
            TooLarge: the question is too long.
            AccessDenied: the session isn't the user's own.
            Busy: another answer is being made in this conversation; or the question wants a run
                that may write, while one of another conversation does.
            AlreadyExists: the request id was used before.
        """
        if self._is_closed:
            raise Busy("The workspace is closing; reload the page.")
        if not _REQUEST_ID.fullmatch(ask.request_id):
            raise InvalidParams(
                "request_id must be 1 to 64 letters, digits, dots, dashes or underscores."
            )
        if not ask.question.strip():
            raise InvalidParams("The message is empty; write a question first.")
        require_length(ask.question)
        conversation.session.require_own()
        if conversation.stream is not None:
            running = conversation.stream.request_id
            raise Busy(f"Another stream is active ({running}) — press Stop or wait.")
        if conversation.session.turn(ask.request_id) is not None:
            raise AlreadyExists(f"The request id {ask.request_id} was used before.")
        if ask.agent in WRITING_MODES:
            self._ports.edits.writing.require_free()

    def start(self, conversation: Conversation, ask: ChatRequest) -> ActiveStream:
        """Start a turn and return its stream at once; raises what `check` raises."""
        self.check(conversation, ask)
        if ask.agent in WRITING_MODES:
            self._ports.edits.writing.reserve(ask.request_id, ask.question)
        images = [*ask.images, *(n for item in conversation.context_items for n in item.images)]
        images = list(dict.fromkeys(images))
        turn = Turn.of(
            conversation,
            Question(
                ask.request_id,
                ask.question,
                tuple(images[:MAX_IMAGES]),
                ask.unknown,
                FIRST_WAIT_S,
                ask.effort,
                ask.agent_tag,
                ask.excluded_urls,
                conversation.context_items,
                ask.agent,
                ask.recorded,
            ),
        )
        conversation.context_items = ()
        active = turn.context.stream
        if len(images) > MAX_IMAGES:
            turn.context.notices.append(
                f"Only {MAX_IMAGES} of {len(images)} images go out with this question."
            )
        conversation.stream = active
        conversation.session.put(turn.record)
        self._bus.publish(TurnStarted(conversation, turn.record))
        work = asyncio.create_task(run(turn, self._ports))
        active.runs_in(work)
        task = asyncio.create_task(self._see_through(turn, work))
        self._running[task] = active
        task.add_done_callback(self._running.pop)
        asked = AskedQuestion(content=turn.record.question, request_id=ask.request_id)
        if ask.recorded is not None:
            asked["recorded"] = True
        if ask.images:
            asked["images"] = [image_row(name) for name in ask.images]
        self._bus.publish(
            PageEvent(UserMessage(asked), conversation.conversation_key, (ask.asker,))
        )
        return active

    def stop(self, conversation: Conversation, request_id: str) -> None:
        """Stop a running turn; its completion follows.

        Raises:
            NotFound: no such turn runs in this conversation.
        """
        active = conversation.running(request_id)
        if active is None:
            raise NotFound(f"No answer is being made under {request_id[:80]!r}.")
        active.stop()

    async def aclose(self) -> None:
        """Interrupt all turns and wait until they are stored and announced; bounded."""
        self._is_closed = True
        for active in self._running.values():
            active.interrupt()
        tasks = set(self._running)
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=_CLOSE_TIMEOUT_S)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _see_through(self, turn: Turn, work: "asyncio.Task[None]") -> None:
        """Wait for the stages, then keep and announce how they ended, whatever happened."""
        try:
            await asyncio.wait({work})
            if turn.run is not None:
                await turn.run.close()
            # Beside the loop: the longest answers take a second.
            await asyncio.to_thread(settle, turn, _error_of(work))
            async with asyncio.timeout(_RECORD_TIMEOUT_S):
                await record(turn, self._ports)
        except Exception:
            log.exception("a turn could not be kept")
        finally:
            work.cancel()
            self._announce(turn)

    def _announce(self, turn: Turn) -> None:
        """Free the conversation first, so that who hears of the end can ask again at once."""
        conversation, active = turn.context.conversation, turn.context.stream
        if turn.record.state is TurnState.RUNNING:
            settle(turn, asyncio.CancelledError())
        conversation.session.put(turn.record)
        conversation.stream = None
        self._ports.edits.writing.release(active.request_id)
        if turn.record.state is not TurnState.DONE and not turn.record.answer:
            items = turn.context.question.items
            conversation.context_items = with_items(items, conversation.context_items)
        has_whole_log = turn.gathered is not None and turn.gathered.model.takes_whole_log
        self._bus.publish(TurnEnded(conversation, turn.record, turn.model_info, has_whole_log))
        active.end(StreamComplete(active.request_id, completion_result(turn)))
        changed = SessionChanged(conversation.session.snapshot())
        self._bus.publish(PageEvent(changed, conversation.conversation_key, active.followers))


def require_length(question: str) -> None:
    """Refuse what is no question any more.

    Raises:
        TooLarge: it is too long.
    """
    if len(question) > MAX_QUESTION_CHARS:
        raise TooLarge(f"The message is longer than {MAX_QUESTION_CHARS:,} characters.")


def _error_of(work: "asyncio.Task[None]") -> BaseException | None:
    if work.cancelled():
        return asyncio.CancelledError()
    return work.exception()
