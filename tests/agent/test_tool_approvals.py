import asyncio

import pytest

from jupyter_ac.agent import tool_approvals
from jupyter_ac.agent.tool import Question
from jupyter_ac.agent.tool_approvals import (
    MAX_TEXT_CHARS,
    CallKey,
    Decision,
    ToolApprovals,
    question_row,
)
from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    AlreadyExists,
    InvalidParams,
    NotFound,
    TooLarge,
)
from jupyter_ac.ids import Identity, RequestId
from jupyter_ac.tool_rows import TaskName, ToolScope

ADA, BOB = Identity("ada"), Identity("bob")
KEY = CallKey(RequestId("1-aaaaaa"), "call_1")
QUESTION = Question("pytest -q", argv=("pytest", "-q"), prefix=("pytest", "-q"), is_sandboxed=True)
WHICH = Question("Which file?", wants_text=True)


def present() -> bool:
    return True


async def asked(
    approvals: ToolApprovals, question: Question = QUESTION, key: CallKey = KEY
) -> asyncio.Task[Decision]:
    """Ask Ada; returns when the question waits."""
    task = asyncio.create_task(approvals.ask(key, ADA, question))
    while key not in [each.key for each in approvals.pending(ADA)]:
        await asyncio.sleep(0)
    return task


@pytest.mark.parametrize("scope", ["once", "session", "prefix"])
async def test_a_call_waits_for_the_decision(scope: ToolScope) -> None:
    approvals = ToolApprovals(present)
    task = await asked(approvals)
    (waiting,) = approvals.pending(ADA)
    assert (waiting.key, waiting.identity, waiting.question) == (KEY, ADA, QUESTION)
    assert approvals.pending(BOB) == []
    approvals.answer(ADA, KEY, Decision(allow=True, scope=scope))
    assert approvals.pending(ADA) == []
    assert await task == Decision(allow=True, scope=scope)


async def test_a_call_of_a_task_says_so_while_the_task_is_carried_out() -> None:
    approvals, task = ToolApprovals(present), TaskName(plan_id="plan_1", task_id="soil")
    with approvals.for_task(KEY.request_id, task):
        first = await asked(approvals)
        other = await asked(approvals, key=CallKey(RequestId("another"), "c1"))
        assert [each.task for each in approvals.pending(ADA)] == [task, None]
    for waiting in list(approvals.pending(ADA)):
        approvals.answer(ADA, waiting.key, Decision(allow=True))
    await asyncio.gather(first, other)
    again = await asked(approvals)
    assert [each.task for each in approvals.pending(ADA)] == [None]
    approvals.answer(ADA, KEY, Decision(allow=True))
    await again


async def test_a_call_of_a_panel_says_so_while_the_panel_makes_it() -> None:
    approvals = ToolApprovals(present)
    with approvals.for_panel(KEY.request_id, "Tests"):
        first = await asked(approvals)
        other = await asked(approvals, key=CallKey(RequestId("another"), "c1"))
        assert [each.panel for each in approvals.pending(ADA)] == ["Tests", ""]
    for waiting in list(approvals.pending(ADA)):
        approvals.answer(ADA, waiting.key, Decision(allow=True))
    await asyncio.gather(first, other)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "The user has refused it."),
        (" use make ", "The user has refused it. They say: use make"),
    ],
)
async def test_a_refusal_is_passed_on_with_what_the_user_says(text: str, told: str) -> None:
    approvals = ToolApprovals(present)
    task = await asked(approvals)
    approvals.answer(ADA, KEY, Decision(allow=False, scope="session", text=text))
    assert await task == Decision(allow=False, scope="session", text=told)


async def test_a_question_is_answered_by_a_text() -> None:
    approvals = ToolApprovals(present)
    task = await asked(approvals, WHICH)
    with pytest.raises(InvalidParams, match="text is missing"):
        approvals.answer(ADA, KEY, Decision(allow=True, text=" "))
    approvals.answer(ADA, KEY, Decision(allow=True, text="a.py"))
    assert (await task).text == "a.py"


@pytest.mark.parametrize(
    ("identity", "key", "decision", "error"),
    [
        (ADA, CallKey(KEY.request_id, "call_2"), Decision(allow=True), NotFound),
        (ADA, CallKey(RequestId("2-bbbbbb"), KEY.call_id), Decision(allow=True), NotFound),
        (BOB, KEY, Decision(allow=True), AccessDenied),
        (BOB, KEY, Decision(allow=False), AccessDenied),
        (ADA, KEY, Decision(allow=True, scope="prefix"), InvalidParams),
        (ADA, KEY, Decision(allow=True, scope="session"), InvalidParams),
        (ADA, KEY, Decision(allow=False, text="x" * (MAX_TEXT_CHARS + 1)), TooLarge),
    ],
)
async def test_a_wrong_answer_is_refused_and_the_call_still_waits(
    identity: Identity, key: CallKey, decision: Decision, error: type[AcError]
) -> None:
    approvals = ToolApprovals(present)
    task = await asked(approvals, Question("pytest -q", argv=("pytest", "-q")))
    with pytest.raises(error):
        approvals.answer(identity, key, decision)
    assert not task.done()
    approvals.answer(ADA, KEY, Decision(allow=True))
    assert (await task).allow is True


async def test_a_second_answer_finds_nothing() -> None:
    approvals = ToolApprovals(present)
    task = await asked(approvals)
    approvals.answer(ADA, KEY, Decision(allow=False))
    for _ in range(2):
        with pytest.raises(NotFound, match="it was answered"):
            approvals.answer(ADA, KEY, Decision(allow=True))
        assert (await task).allow is False


async def test_without_a_front_end_it_is_refused_at_once() -> None:
    approvals = ToolApprovals(lambda: False)
    decision = await approvals.ask(KEY, ADA, QUESTION)
    assert decision.allow is False
    assert "no panel or terminal" in decision.text


async def test_what_nobody_answers_is_refused() -> None:
    approvals = ToolApprovals(present, wait_s=0.06)
    decision = await approvals.ask(KEY, ADA, QUESTION)
    assert decision.allow is False
    assert "nobody has answered within 0.001 minutes" in decision.text
    assert approvals.pending(ADA) == []


async def test_the_end_of_a_run_takes_its_question_back() -> None:
    approvals = ToolApprovals(present)
    task = await asked(approvals)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert approvals.pending(ADA) == []
    with pytest.raises(NotFound):
        approvals.answer(ADA, KEY, Decision(allow=True))


async def test_an_answer_comes_too_late_for_a_run_that_is_being_stopped() -> None:
    approvals = ToolApprovals(present)
    task = await asked(approvals)
    approvals.answer(ADA, KEY, Decision(allow=True))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert approvals.pending(ADA) == []


async def test_questions_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_approvals, "MAX_PENDING", 2)
    approvals = ToolApprovals(present)
    keys = [CallKey(KEY.request_id, f"call_{at}") for at in range(3)]
    tasks = [await asked(approvals, key=key) for key in keys[:2]]
    decision = await approvals.ask(keys[2], ADA, QUESTION)
    assert decision.allow is False
    assert "calls wait for the user's answer already" in decision.text
    with pytest.raises(AlreadyExists):
        await approvals.ask(keys[0], ADA, QUESTION)
    assert [each.key for each in approvals.pending(ADA)] == keys[:2]
    for key, task in zip(keys, tasks, strict=False):
        approvals.answer(ADA, key, Decision(allow=True))
        assert (await task).allow is True


def test_a_question_goes_on_the_wire_with_what_is_offered() -> None:
    assert question_row(QUESTION) == {
        "text": "pytest -q",
        "why": "",
        "scopes": ["once", "session", "prefix"],
        "prefix": ["pytest", "-q"],
        "origin": "",
        "is_sandboxed": True,
        "warning": "",
        "wants_text": False,
    }
    row = question_row(Question("a", "b", origin="https://c", warning="d"))
    assert (row["why"], row["origin"], row["warning"]) == ("b", "https://c", "d")
    assert row["scopes"] == ["once", "session"]
