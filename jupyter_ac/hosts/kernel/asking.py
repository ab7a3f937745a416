"""`panel.ask()`: sends a question through an open page, or else to the kernel's own host.

The host answers in a conversation beside the panel's.

| message | from | meaning |
|---|---|---|
| `{type: "ask", id, question}` | kernel | a question for the panel's conversation |
| `{type: "ask.taken", id}` | page | at once: this page asks it |
| `{type: "ask.alive", id}` | page | every 5 s: the answer is on its way |
| `{type: "answer", id, text}`, `{type: "answer", id, error}` | page | the end |
| `{type: "ask.cancel", id}` | kernel | nobody waits any more: don't ask, or stop the answer |
| `{type: "select", files}` | kernel | tick these files |

`attachments` has the one about attached values.

While a cell runs, a page's messages arrive only on a subshell. A page that has never sent a message
that way isn't asked: it would ask the model, and its answer would not arrive here.
"""

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Final
from weakref import WeakKeyDictionary

from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.errors import AcError, Cancelled, InvalidParams, TimedOut
from jupyter_ac.hosts.kernel.attachments import Attachments
from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.questions import QuestionResult, Questions, Watcher, aside

logger = logging.getLogger(__name__)

TAKEN_S: Final = 2.0
"""How long a page may take to take a question."""

ALIVE_S: Final = 15.0
"""How long a page that has taken a question may be silent."""

_BEAT_S: Final = 0.25
"""ipykernel's interrupt of a cell that awaits takes effect when its loop next does something."""

_PANELS: Final = ""
"""The key of the conversation that panels show."""


class _PageQuestion:
    """A question that a page was asked. Belongs to the child's loop."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.id = secrets.token_hex(8)
        self.taken: asyncio.Future[None] = loop.create_future()
        self.answered: asyncio.Future[str] = loop.create_future()
        self.heard_at = time.monotonic()

    def take(self, content: Mapping[str, object]) -> None:
        """Take a message of the page's about it."""
        self.heard_at = time.monotonic()
        if not self.taken.done():
            self.taken.set_result(None)
        if self.answered.done():
            return
        match content:
            case {"type": "answer", "text": str(text)}:
                self.answered.set_result(text)
            case {"type": "answer"}:
                error = str(content.get("error") or "The page sent no answer.")
                self.answered.set_exception(AcError(error))


class _Turns:
    """A FIFO lock per child: operations on a child run one at a time, in the order of the calls.

    A panel may outlive its child, and a lock belongs to one child's loop.
    """

    def __init__(self) -> None:
        self._locks: WeakKeyDictionary[HostChild, asyncio.Lock] = WeakKeyDictionary()

    def at(self, child: HostChild) -> asyncio.Lock:
        """Return the child's lock, on its loop."""
        return self._locks.setdefault(child, asyncio.Lock())


class Asking:
    """Asks for one panel; one question at a time, the others wait their turn.

    Args:
        child: gives the kernel's own host.
        post: sends a message to the pages; from any thread, must not block.
    """

    def __init__(
        self, child: Callable[[], HostChild], post: Callable[[Mapping[str, object]], None]
    ) -> None:
        self._child = child
        self._post = post
        self._turns = _Turns()
        self._selecting = _Turns()
        self._attachments = Attachments(post)
        self._aside = aside("ask")
        self._questions: Questions | None = None
        self._page_question: _PageQuestion | None = None
        self._has_page = False
        self._hears_in_cells = False

    def receive(self, content: object) -> bool:
        """Look at a message from a page, on the thread on which it came.

        Returns:
            Whether it was about a question; any other is for somebody else.
        """
        self._has_page = True
        self._attachments.receive(content)
        if threading.current_thread() is not threading.main_thread():
            self._hears_in_cells = True
        match content:
            case {"type": "ask.taken" | "ask.alive" | "answer"}:
                self._child().call(self._take, content)
                return True
            case _:
                return False

    async def ask(self, question: str, files: Sequence[str]) -> str:
        """Ask and wait for the answer; from any thread's loop. Cancelling this stops the answer.

        Args:
            question: sent as it is.
            files: sent with it when no page takes it; a page sends those that are ticked.

        Raises:
            InvalidParams: there is no question.
            Cancelled: the answer was stopped.
            TimedOut: the page has fallen silent; says where the answer is.
            AcError: why there is no answer.
        """
        if not isinstance(question, str):
            raise InvalidParams(f"The question must be a text, not {type(question).__name__}.")
        if not question.strip():
            raise InvalidParams("The question is empty; write one first.")
        child = self._child()
        work = child.submit(self._ask(child, question, list(files)))
        answer = asyncio.wrap_future(work)
        try:
            while not answer.done():
                await asyncio.wait({answer}, timeout=_BEAT_S)
        except asyncio.CancelledError as cancelled:
            answer.cancel()
            # IPython asks for this. The class must stay: asyncio's own timeouts look for just it.
            vars(cancelled)["_render_traceback_"] = _stopped_in_one_line
            raise
        return answer.result()

    def select(self, files: Sequence[str]) -> None:
        """Make these files the selection of the panel's conversation; doesn't wait for that."""
        if self._has_page:
            self._post({"type": "select", "files": list(files)})
        else:
            child = self._child()
            child.submit(self._select(child, list(files))).add_done_callback(_log_failure)

    def attach(self, item: ContextItemGiven) -> None:
        """Add an item to the next question of the panel; doesn't wait for that.

        Raises:
            Conflict: there are too many.
        """
        self._attachments.add(item)

    async def _ask(self, child: HostChild, question: str, files: Sequence[str]) -> str:
        async with self._turns.at(child):
            if self._hears_in_cells:
                answer = await self._by_page(question)
                if answer is not None:
                    return answer
            return _text_of(await self._by_child(child, question, files))

    async def _select(self, child: HostChild, files: Sequence[str]) -> None:
        async with self._selecting.at(child):
            panels = Questions(child, _PANELS)
            try:
                await panels.select(files)
            finally:
                await panels.aclose()

    async def _by_page(self, question: str) -> str | None:
        """Ask a page; None when none takes the question."""
        asked = self._page_question = _PageQuestion()
        self._post({"type": "ask", "id": asked.id, "question": question})
        try:
            await asyncio.wait({asked.taken}, timeout=TAKEN_S)
            if not asked.taken.done():
                self._cancel(asked)
                return None
            while not asked.answered.done():
                left_s = ALIVE_S - (time.monotonic() - asked.heard_at)
                if left_s <= 0:
                    raise TimedOut(
                        "The page with the panel has fallen silent; when it is there again, "
                        "the answer is in the panel's conversation."
                    )
                await asyncio.wait({asked.answered}, timeout=left_s)
            return asked.answered.result()
        except asyncio.CancelledError:
            self._cancel(asked)
            raise
        finally:
            self._page_question = None

    def _cancel(self, asked: _PageQuestion) -> None:
        self._post({"type": "ask.cancel", "id": asked.id})

    async def _by_child(
        self, child: HostChild, question: str, files: Sequence[str]
    ) -> QuestionResult:
        if self._questions is None or self._questions.child is not child:
            self._questions = Questions(child, self._aside)
        attached = self._attachments.take()
        items = [each.item for each in attached]
        is_asked = False
        try:
            answer = await self._questions.ask(question, files, Watcher(), items)
            is_asked = bool(answer.text or not answer.error)
            return answer
        finally:
            if not is_asked:
                self._attachments.put_back(attached)

    def _take(self, content: Mapping[str, object]) -> None:
        asked = self._page_question
        if asked is not None and content.get("id") == asked.id:
            asked.take(content)


def _log_failure(kept: Future[None]) -> None:
    """Log the failure of a background selection."""
    error = None if kept.cancelled() else kept.exception()
    if isinstance(error, AcError):
        logger.warning("the selection is not kept: %s", error)
    elif error is not None:
        logger.error("the selection is not kept", exc_info=error)


def _stopped_in_one_line() -> list[str]:
    """Word an interrupt of the cell that waited: where it struck is nothing to look at."""
    return ["CancelledError: the answer was stopped"]


def _text_of(answer: QuestionResult) -> str:
    details = {"text": answer.text}
    if answer.is_stopped:
        raise Cancelled("The answer was stopped.", details)
    if answer.error:
        raise AcError(answer.error, details)
    return answer.text
