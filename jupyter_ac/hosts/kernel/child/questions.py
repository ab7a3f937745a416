"""One conversation between the kernel and its own host; questions are sent one at a time."""

import asyncio
import itertools
import logging
import math
import os
import posixpath
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from jupyter_ac.chat.streams import utf16_length
from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.errors import AcError, ConnectionClosed, InvalidParams, NotFound
from jupyter_ac.hosts.kernel.child.added_items import add_items, remove_items, restore_secrets
from jupyter_ac.hosts.kernel.child.host import Connected, HostChild
from jupyter_ac.hosts.tool_questions import ToolAnswer
from jupyter_ac.ids import new_request_id
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.terminal import terminal_text
from jupyter_ac.tool_rows import AgentMode, RunRow, ToolUpdate

logger = logging.getLogger(__name__)

SILENCE_S: Final = 15.0
"""After so long without news the host is asked whether it is there."""

_NO_REPOSITORY: Final = 4404
_MAKE_ONE: Final = "Run `!git init` in it, or go to a repository with `%cd`."

_ALIVE_S: Final = 30.0
_CANCEL: Final = "LLMService.cancel_streaming"
_GIVE_UP_TRIES: Final = 6
_GIVE_UP_S: Final = 0.5


def aside(kind: str) -> str:
    """Make a name for a conversation of this kernel's."""
    return f"{kind}-{os.getpid()}-{secrets.token_hex(4)}"


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """The outcome of a question.

    Attributes:
        text: the whole answer, or the received part.
        is_stopped: somebody stopped it.
        error: one or two sentences when it failed; "" else. It may repeat what a provider says,
            so it is without control characters, and so are the notices.
        notices: sentences for the user about the turn.
        run: the agent's run; None for a plain answer.
    """

    text: str
    is_stopped: bool = False
    error: str = ""
    notices: tuple[str, ...] = ()
    run: RunRow | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """The provider has refused for now and is asked again.

    Attributes:
        reason: one sentence.
        until_s: when, by the monotonic clock.
        attempt: which repetition comes, from 1.
        attempts: how many there may be.
    """

    reason: str
    until_s: float
    attempt: int
    attempts: int

    def words(self, now_s: float) -> str:
        """Say what is waited for, and how long still."""
        left_s = math.ceil(self.until_s - now_s)
        when = f" in {left_s} s" if left_s > 0 else ""
        return f"{self.reason} Trying again{when} ({self.attempt} of {self.attempts}) …"


@dataclass(frozen=True, slots=True)
class Watcher:
    """Callbacks for the progress of an answer, on the child's thread; must not block.

    Attributes:
        text: gets the whole text so far, as the model wrote it.
        progress: gets what is done meanwhile, a few words without control characters.
        pause: gets what is waited for, behind the words about it.
        tool: gets the news of an agent's run and its calls, as the host tells them.
    """

    text: Callable[[str], None] = lambda _text: None
    progress: Callable[[str], None] = lambda _message: None
    pause: Callable[[Pause], None] = lambda _pause: None
    tool: Callable[[ToolUpdate], None] = lambda _update: None


class _Incoming:
    """The running answer, built from the host's events."""

    def __init__(self, request_id: str, watcher: Watcher) -> None:
        self.request_id = request_id
        self.watcher = watcher
        self.ended: asyncio.Future[QuestionResult] = asyncio.get_running_loop().create_future()
        self.heard_at = time.monotonic()
        self.text = ""
        self._units = 0

    def grow(self, offset: int, text: str) -> None:
        """Take an increment; one that doesn't fit waits for the end, which has it all."""
        if offset == self._units:
            self.text += text
            self._units += utf16_length(text)
            self.watcher.text(self.text)

    def end(self, answer: QuestionResult) -> None:
        """Take the end."""
        if not self.ended.done():
            self.ended.set_result(answer)


class Questions:
    """Asks in a conversation of its own; one question at a time, the others wait their turn.

    Belongs to the child's loop, but for `stop`. The connection is made with the first question.

    Args:
        child: who answers.
        aside: name of the conversation.
        served: what the host may call here beside the events of answers.
    """

    def __init__(
        self, child: HostChild, aside: str, served: Mapping[str, Method] | None = None
    ) -> None:
        self.child = child
        self._aside = aside
        self._numbers = itertools.count(1)
        self._turn = asyncio.Lock()
        self._connection: Connected | None = None
        self._incoming: _Incoming | None = None
        self._starting: Watcher | None = None
        self._asker: asyncio.Task[object] | None = None
        handlers: dict[str, Callable[..., object]] = {
            "startupProgress": self._started,
            "compactionEvent": self._progressed,
            "streamRetry": self._paused,
            "streamDelta": self._grew,
            "streamComplete": self._completed,
            "toolUpdated": self._acted,
        }
        names = {f"AcApp.{name}": handler for name, handler in handlers.items()}
        self._methods = {
            **{name: Method.of(name, handler, Access.READ) for name, handler in names.items()},
            **(served or {}),
        }

    async def ask(
        self,
        question: str,
        files: Sequence[str],
        watcher: Watcher,
        items: Sequence[ContextItemGiven] = (),
        mode: AgentMode = "ask",
    ) -> QuestionResult:
        """Ask and wait for the end of the answer. Cancelling this stops the answer.

        Args:
            question: sent as it is.
            files: what is sent with it, relative to the repository.
            watcher: notified of the progress.
            items: go out with this question only, without their secrets; not with a later one if
                this one fails.
            mode: how an agent may act for the answer; its questions come by the watcher, and wait
                for `answer_tool`.

        Raises:
            NotFound: one of the files is none of the repository's.
            InvalidParams: the host refuses the question or an item.
            AcError: the host can't be started, or has ended.
        """
        async with self._turn:
            self._starting = watcher
            self._asker = asyncio.current_task()
            try:
                connection = await self._connected()
                await _select(connection.peer, files)
                added = await add_items(connection.peer, items, self.child.known_environment)
                try:
                    return await self._answered(connection, question, watcher, mode)
                finally:
                    remove_items(connection.peer, added)
            finally:
                self._starting = self._incoming = self._asker = None

    async def answer_tool(self, update: ToolUpdate, answer: ToolAnswer) -> None:
        """Tell the host what the user has decided on a call that waits.

        Args:
            update: the news of that call.
            answer: the decision.

        Raises:
            AcError: the call doesn't wait any more, or the host has ended.
        """
        if self._connection is None or "call" not in update:
            raise NotFound("no call waits for an answer")
        call = update["request_id"], update["call"]["call_id"]
        decided = answer.decision, answer.scope, answer.text
        await self._connection.peer.call("LLMService.answer_tool", *call, *decided)

    def stop(self) -> None:
        """Stop the answer that is being made; its end follows. From any thread."""
        self.child.call(self._stop)

    async def select(self, files: Sequence[str]) -> None:
        """Make these files the selection of the conversation; raises what `ask` raises."""
        async with self._turn:
            await _select((await self._connected()).peer, files)

    async def restored(self, cell: ContextItemGiven, text: str) -> str:
        """Put the secrets of a cell that was asked about back into the text that replaces it."""
        async with self._turn:
            return await restore_secrets((await self._connected()).peer, cell, text)

    async def state(self) -> Mapping[str, object]:
        """Return the conversation and the model in use; raises what `ask` raises."""
        found = await self.call("LLMService.get_current_state")
        return found if isinstance(found, dict) else {}

    async def call(self, method: str, *arguments: object) -> object:
        """Call another method of the host, between two questions; raises what `ask` raises."""
        async with self._turn:
            return await (await self._connected()).peer.call(method, *arguments)

    async def aclose(self) -> None:
        """Close the connection; the next question makes another."""
        if self._connection is not None:
            await self._connection.peer.close()

    async def _connected(self) -> Connected:
        connection = self._connection
        if connection is None or connection.peer.closed:
            link = f"q-{secrets.token_hex(4)}-{next(self._numbers)}"
            try:
                connection = await self.child.connect(link, self._aside, self._methods)
            except ConnectionClosed as closed:
                if closed.close_code == _NO_REPOSITORY:
                    raise NotFound(f"{closed} {_MAKE_ONE}") from closed
                raise
            self._connection = connection
        return connection

    async def _answered(
        self, connection: Connected, question: str, watcher: Watcher, mode: AgentMode
    ) -> QuestionResult:
        peer = connection.peer
        incoming = self._incoming = _Incoming(new_request_id(), watcher)
        request_id = incoming.request_id
        try:
            usual = (None, None, None, None, False, None)
            asked = (request_id, question, *(() if mode == "ask" else (*usual, mode)))
            started = await peer.call("LLMService.chat_streaming", *asked)
            if isinstance(started, dict) and "error" in started:
                raise InvalidParams(terminal_text(str(started["error"])))
            await _until_ended(connection, incoming)
            return incoming.ended.result()
        except ConnectionClosed as closed:
            if not incoming.text:
                raise
            return QuestionResult(incoming.text, error=f"The answer was cut off: {closed}")
        except asyncio.CancelledError:
            await _give_up(peer, incoming)
            raise

    def _stop(self) -> None:
        if self._incoming is not None and self._connection is not None:
            self._connection.peer.notify(_CANCEL, self._incoming.request_id)
        elif self._asker is not None:
            self._asker.cancel()

    def _started(self, stage: str, message: str, _percent: float) -> None:
        if self._starting is not None and stage != "ready":
            self._starting.progress(terminal_text(message))

    def _progressed(self, request_id: str, event: object) -> None:
        incoming = self._pending(request_id)
        if incoming is None or not isinstance(event, dict):
            return
        percent = event.get("percent")
        message = terminal_text(str(event.get("message", "")))
        incoming.watcher.progress(message if percent is None else f"{message} {percent} %")

    def _paused(self, request_id: str, retry: object) -> None:
        incoming = self._pending(request_id)
        match retry:
            case {
                "reason": str(reason),
                "wait_s": int() | float() as wait_s,
                "attempt": int(attempt),
                "attempts": int(attempts),
            } if incoming is not None:
                until_s = time.monotonic() + wait_s
                incoming.watcher.pause(Pause(terminal_text(reason), until_s, attempt, attempts))

    def _grew(self, request_id: str, offset: int, text: str) -> None:
        if (incoming := self._pending(request_id)) is not None:
            incoming.grow(offset, text)

    def _acted(self, update: object) -> None:
        match update:
            case {"request_id": str(request_id), "run": {}}:
                incoming = self._pending(request_id)
                if incoming is not None:
                    incoming.watcher.tool(cast("ToolUpdate", update))

    def _completed(self, request_id: str, result: object) -> None:
        if (incoming := self._pending(request_id)) is not None:
            incoming.end(_read_result(result))

    def _pending(self, request_id: str) -> _Incoming | None:
        incoming = self._incoming
        if incoming is None or incoming.request_id != request_id:
            return None
        incoming.heard_at = time.monotonic()
        return incoming


async def _until_ended(connection: Connected, incoming: _Incoming) -> None:
    """Wait for the end of the answer, without a time limit, unless the host has ended."""
    peer = connection.peer
    while not incoming.ended.done():
        left_s = incoming.heard_at + SILENCE_S - time.monotonic()
        if left_s > 0 and not peer.closed:
            ends: set[asyncio.Future[QuestionResult] | asyncio.Future[None]]
            ends = {incoming.ended, connection.life}
            await asyncio.wait(ends, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
            continue
        found = await peer.call("LLMService.attach_stream", incoming.request_id, timeout_s=_ALIVE_S)
        incoming.heard_at = time.monotonic()
        if isinstance(found, dict) and found.get("done") is True:
            is_stopped = found.get("state") == "cancelled"
            incoming.end(_read_end(found, found.get("text"), is_stopped=is_stopped))


async def _give_up(peer: Peer, incoming: _Incoming) -> None:
    """Stop an answer that nobody waits for, so that the next question finds the way free.

    The first notice may come before the question itself has been taken up.
    """
    for _ in range(_GIVE_UP_TRIES):
        if peer.closed or incoming.ended.done():
            return
        peer.notify(_CANCEL, incoming.request_id)
        await asyncio.wait({incoming.ended}, timeout=_GIVE_UP_S)


async def _select(peer: Peer, files: Sequence[str]) -> None:
    kept = await peer.call("LLMService.set_selected_files", list(files))
    if not isinstance(kept, list):
        raise AcError("jupyter ac stdio is of another version than this kernel; restart the kernel")
    missing = [path for path in files if posixpath.normpath(path) not in kept]
    if missing:
        raise NotFound(f"there is no file {missing[0]!r} in the repository")


def _read_result(result: object) -> QuestionResult:
    if not isinstance(result, dict):
        return QuestionResult("", error="The host's answer makes no sense.")
    return _read_end(result, result.get("response"), is_stopped=result.get("cancelled") is True)


def _read_end(told: Mapping[str, object], text: object, *, is_stopped: bool) -> QuestionResult:
    """Parse the outcome of an answer from the host's event or state."""
    notices = told.get("notices")
    said = [terminal_text(str(one)) for one in notices] if isinstance(notices, list) else []
    error = terminal_text(str(told.get("error") or ""))
    run = told.get("run")
    return QuestionResult(
        str(text or ""),
        is_stopped=is_stopped,
        error=error,
        notices=tuple(said),
        run=cast("RunRow", run) if isinstance(run, dict) else None,
    )
