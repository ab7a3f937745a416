"""Questions to the user about calls of tools: each waits for its answer, for a limited time."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from jupyter_ac.agent.grants import offered_scopes, require_offered
from jupyter_ac.agent.tool import Question
from jupyter_ac.errors import AccessDenied, AlreadyExists, InvalidParams, NotFound, TooLarge
from jupyter_ac.ids import Identity, RequestId
from jupyter_ac.tool_rows import TaskName, ToolQuestion, ToolScope

WAIT_S: Final = 30 * 60.0
MAX_PENDING: Final = 50
MAX_TEXT_CHARS: Final = 20_000

_NO_FRONT_END: Final = (
    "It was refused: no panel or terminal is connected in which the user could be asked."
)
_CROWDED: Final = f"It was refused: {MAX_PENDING} calls wait for the user's answer already."
_BY_THE_USER: Final = "The user has refused it."


class CallKey(NamedTuple):
    """Identifies a call: its turn, and its id in that."""

    request_id: RequestId
    call_id: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a call.

    Attributes:
        allow: it may run.
        scope: for how long it is allowed; how long a refusal counts only agents of others ask.
        text: the user's answer to a question that wants one; of a refusal, why.
        is_by_user: the user has decided; else nobody could be asked, or nobody has answered.
    """

    allow: bool
    scope: ToolScope = "once"
    text: str = ""
    is_by_user: bool = True


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question that waits for its answer.

    Attributes:
        key: of the call.
        identity: who is asked.
        question: what.
        task: of a plan, whose call it is; None for a call of a conversation.
    """

    key: CallKey
    identity: Identity
    question: Question
    task: TaskName | None
    panel: str
    answer: asyncio.Future[Decision] = field(repr=False, compare=False)


class ToolApprovals:
    """The questions that wait, at most `MAX_PENDING`. Belongs to one event loop.

    Args:
        has_front_end: returns whether somebody can be asked: a panel or a terminal.
        wait_s: the longest time for an answer.
    """

    def __init__(self, has_front_end: Callable[[], bool], wait_s: float = WAIT_S) -> None:
        self._has_front_end, self._wait_s = has_front_end, wait_s
        self._pending: dict[CallKey, PendingQuestion] = {}
        self._tasks: dict[RequestId, TaskName] = {}
        self._panels: dict[RequestId, str] = {}

    @contextmanager
    def for_task(self, request_id: RequestId, task: TaskName) -> Iterator[None]:
        """Note that a turn carries out the task of a plan, as long as the block runs."""
        self._tasks[request_id] = task
        try:
            yield
        finally:
            del self._tasks[request_id]

    @contextmanager
    def for_panel(self, request_id: RequestId, title: str) -> Iterator[None]:
        """Note that a call is a panel's, as long as the block runs."""
        self._panels[request_id] = title
        try:
            yield
        finally:
            del self._panels[request_id]

    async def ask(self, key: CallKey, identity: Identity, question: Question) -> Decision:
        """Wait for the user's decision; cancelling it takes the question back.

        Without a front end, when too many questions wait, and when nobody answers in time, the
        call is refused.

        Raises:
            AlreadyExists: the call is being asked about.
        """
        if key in self._pending:
            raise AlreadyExists("The user is being asked about this call already; wait for it.")
        if not self._has_front_end():
            return Decision(allow=False, text=_NO_FRONT_END, is_by_user=False)
        if len(self._pending) >= MAX_PENDING:
            return Decision(allow=False, text=_CROWDED, is_by_user=False)
        answer = asyncio.get_running_loop().create_future()
        task = self._tasks.get(key.request_id)
        panel = self._panels.get(key.request_id, "")
        self._pending[key] = PendingQuestion(key, identity, question, task, panel, answer)
        try:
            # Unlike with a time limit around an `await`, an answer in the last moment isn't lost.
            await asyncio.wait([answer], timeout=self._wait_s)
        finally:
            del self._pending[key]
        if answer.done():
            decision: Decision = answer.result()
            return decision
        minutes = self._wait_s / 60
        text = f"It was refused: nobody has answered within {minutes:g} minutes."
        return Decision(allow=False, text=text, is_by_user=False)

    def answer(self, identity: Identity, key: CallKey, decision: Decision) -> None:
        """Pass the user's decision on to the call that waits for it.

        Args:
            identity: who has decided.
            key: of the call.
            decision: its text may be empty, except for a question that wants one.

        Raises:
            NotFound: no such call waits, any more or at all.
            AccessDenied: it is another person's.
            InvalidParams: the scope isn't offered, or the text is missing.
            TooLarge: the text is too long.
        """
        pending = self._pending.get(key)
        if pending is None or pending.answer.done():
            raise NotFound("No such call waits for an answer; it was answered, or has ended.")
        if pending.identity != identity:
            raise AccessDenied("This call is in another person's run; only they can answer it.")
        if len(decision.text) > MAX_TEXT_CHARS:
            raise TooLarge(f"text may have {MAX_TEXT_CHARS:,} characters; shorten it.")
        if not decision.allow:
            decision = replace(decision, text=_refusal(decision.text))
        else:
            require_offered(decision.scope, pending.question)
            if pending.question.wants_text and not decision.text.strip():
                raise InvalidParams("text is missing: the question is answered by it.")
        pending.answer.set_result(decision)

    def pending(self, identity: Identity) -> list[PendingQuestion]:
        """Return what a person is being asked, oldest first."""
        return [
            each
            for each in self._pending.values()
            if each.identity == identity and not each.answer.done()
        ]


def question_row(question: Question) -> ToolQuestion:
    """Return a question as it goes on the wire."""
    return {
        "text": question.text,
        "why": question.why,
        "scopes": list(offered_scopes(question)),
        "prefix": list(question.prefix),
        "origin": question.origin,
        "is_sandboxed": question.is_sandboxed,
        "warning": question.warning,
        "wants_text": question.wants_text,
    }


def _refusal(text: str) -> str:
    return f"{_BY_THE_USER} They say: {text.strip()}" if text.strip() else _BY_THE_USER
