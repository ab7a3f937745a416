import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits
from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    file_block,
    question_block,
    result_block,
    step_block,
)
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.chat.records import (
    UNANSWERED,
    TurnFailure,
    TurnRecord,
    TurnState,
    new_session_id,
    new_turn_id,
    now_ms,
    token_usage,
)
from jupyter_ac.chat.run_record import StepRecord
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.errors import NotReady, ProviderRateLimit
from jupyter_ac.ids import RepoPath, RequestId
from jupyter_ac.models.client import Usage
from jupyter_ac.models.providers import reasoning_family
from tests.chat.edit_blocks.test_stored_edits import attempt
from tests.chat.test_run_record import RECORD

ASKED = TurnRecord("turn_1", RequestId("1-a"), "Why?", 1)
DONE = replace(ASKED, state=TurnState.DONE, answer="So.", sent=(question_block("Why?"),), model="m")


def test_a_running_turn_shows_only_its_question() -> None:
    assert ASKED.messages() == [
        {"role": "user", "content": "Why?", "request_id": "1-a", "state": "done"}
    ]


def test_a_turn_that_is_over_shows_question_and_answer() -> None:
    asked, answered = replace(DONE, usage=Usage(3, 4), notices=("Cut.",)).messages()
    assert asked["role"] == "user"
    assert answered["content"] == "So."
    assert (answered["state"], answered["model"], answered["notices"]) == ("done", "m", ["Cut."])
    assert isinstance(answered["usage"], dict)
    assert answered["usage"]["input_tokens"] == 3


def test_a_failed_turn_shows_why() -> None:
    failed = replace(DONE, state=TurnState.ERROR, failure=TurnFailure("internal", "Broken."))
    assert failed.messages()[1]["error"] == {"type": "internal", "message": "Broken."}


def test_only_an_answered_turn_is_part_of_the_prompt_log() -> None:
    (found,) = DONE.exchanges()
    assert (found.sent, found.answer.text) == (DONE.sent, "So.")
    assert replace(DONE, state=TurnState.CANCELLED).exchanges()
    assert not replace(DONE, state=TurnState.RUNNING).exchanges()
    assert not replace(DONE, answer=" \n").exchanges()
    assert not replace(DONE, sent=()).exchanges()


def test_each_answer_of_a_turn_is_an_exchange_of_its_own() -> None:
    sent = (question_block("Why?"), file_block(RepoPath("a"), "x"), Block(Category.RETRY, "Again."))
    edits = TurnEdits(attempts=(attempt(0, 4), attempt(6, 9)))
    turn = replace(DONE, answer="So😀\n\n...", sent=sent, edits=edits)
    first, second = turn.exchanges()
    assert (first.sent, first.answer.text) == (sent[:1], "So😀")
    assert (second.sent, second.answer.text) == (sent[1:], "...")
    unanswered = replace(turn, answer="So😀\n\n")
    assert len(unanswered.exchanges()) == 1


def test_a_failure_keeps_the_word_the_message_and_the_wait() -> None:
    assert TurnFailure.of(ProviderRateLimit("Wait.", 7.0)) == TurnFailure(
        "provider_rate_limit", "Wait.", 7.0
    )
    assert TurnFailure.of(NotReady("Soon.")) == TurnFailure("not_ready", "Soon.", None)


def test_names_are_unique_and_have_their_form() -> None:
    assert re.fullmatch(r"sess_\d{13}_[0-9a-f]{6}", new_session_id())
    assert new_turn_id() != new_turn_id()
    assert now_ms() > 1_600_000_000_000


def test_an_answers_usage_has_the_names_of_both_vintages() -> None:
    usage = token_usage(Usage(100, 10, 60, 20, cost_usd=0.5, reasoning_tokens=3))
    assert usage["prompt_tokens"] == usage["input_tokens"] == 100
    assert usage["completion_tokens"] == usage["output_tokens"] == 10
    assert usage["cache_read_tokens"] == usage["prompt_cached_tokens"] == 60
    assert (usage["cache_write_tokens"], usage["reasoning_tokens"], usage["cost_usd"]) == (
        20,
        3,
        0.5,
    )


def test_without_an_answer_all_is_zero_and_the_cost_unknown() -> None:
    usage = token_usage(None)
    assert usage["cost_usd"] is None
    assert {value for name, value in usage.items() if name != "cost_usd"} == {0}


ONE, TWO = ToolCall("c1", "look", "{}"), ToolCall("c2", "look", "{}")
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
LEFT = step_block("Left: 3 steps.")


def run_of(*answers: str, sent: Sequence[Block], steps: Sequence[StepRecord]) -> TurnRecord:
    """A turn with these answers."""
    text, spans = "", list[tuple[int, int]]()
    for answer in answers:
        spans.append((len(text), len(text) + len(answer)))
        text += answer
    edits = TurnEdits(attempts=tuple(attempt(start, end) for start, end in spans))
    run = replace(RECORD, steps=tuple(steps))
    return replace(DONE, answer=text, edits=edits, run=run, sent=(question_block("Why?"), *sent))


def test_the_steps_of_a_run_are_exchanges_with_their_calls() -> None:
    results = (result_block(ONE, "1"), result_block(TWO, "2"), LEFT)
    steps = (StepRecord((ONE, TWO), (THOUGHT,)), StepRecord())
    first, second = run_of("I look.", "So.", sent=results, steps=steps).exchanges()
    assert (first.answer.text, first.calls, first.thinking) == ("I look.", (ONE, TWO), (THOUGHT,))
    assert (second.sent, second.answer.text, second.calls) == (results, "So.", ())
    assert (first.family, second.family) == (reasoning_family(DONE.model), "")


def test_an_answer_of_calls_alone_is_an_exchange() -> None:
    steps = (StepRecord((ONE,)), StepRecord((TWO,)), StepRecord())
    sent = (result_block(ONE, "1"), LEFT, result_block(TWO, "2"), LEFT)
    found = run_of("", "", "So.", sent=sent, steps=steps).exchanges()
    assert [one.calls for one in found] == [(ONE,), (TWO,), ()]


def test_calls_whose_results_were_not_sent_are_left_out() -> None:
    steps = (StepRecord((ONE,), (THOUGHT,)),)
    (only,) = run_of("I look.", sent=(), steps=steps).exchanges()
    assert (only.answer.text, only.calls, only.thinking) == ("I look.", (), ())
    assert run_of("", sent=(), steps=steps).exchanges() == []
    sent = (result_block(ONE, "1"), LEFT)
    only, *_ = run_of("I look.", "So.", sent=sent, steps=(StepRecord((ONE, TWO)),)).exchanges()
    assert only.calls == ()


@pytest.mark.parametrize("answers", [("I look.",), ("I look.", ""), ("I look.", " \n")])
def test_results_that_were_sent_stay_when_their_answer_was_stopped(
    answers: tuple[str, ...],
) -> None:
    results = (result_block(ONE, "1"), LEFT)
    first, second = run_of(*answers, sent=results, steps=(StepRecord((ONE,)),)).exchanges()
    assert first.calls == (ONE,)
    assert (second.sent, second.answer.text) == (results, UNANSWERED)


def test_results_are_not_sent_when_their_calls_are_lost() -> None:
    results = (result_block(ONE, "1"), LEFT, result_block(TWO, "2"), LEFT)
    for run in (None, replace(RECORD.with_row(steps=[]), steps=())):
        killed = replace(run_of("I look.", sent=results, steps=()), run=run, edits=TurnEdits())
        (only,) = killed.exchanges()
        assert (len(only.sent), only.answer.text, only.calls) == (1, "I look.", ())


def test_the_answers_of_a_run_whose_process_died_are_cut_where_its_steps_end() -> None:
    sent = (result_block(ONE, "1"), LEFT, result_block(TWO, "2"), LEFT)
    steps = (StepRecord((ONE,)), StepRecord((TWO,)))
    ended = run_of(*("Hm.", "", "So f"), sent=sent, steps=steps)
    run = ended.run.with_row(steps=[3, 3]) if ended.run is not None else None
    killed = replace(ended, answer="Hm.\n\nSo f", edits=TurnEdits(), run=run)
    assert killed.exchanges() == ended.exchanges()


IDS = st.sampled_from(["c1", "c2", "c3", ""])
STEPS = st.lists(IDS, max_size=3).map(
    lambda ids: StepRecord(tuple(ToolCall(one, "look", "{}") for one in dict.fromkeys(ids)))
)
SENT = st.lists(st.lists(IDS, max_size=3, unique=True), max_size=4)


@given(st.lists(st.sampled_from(["", " ", "So."]), max_size=5), SENT, st.lists(STEPS, max_size=5))
def test_whatever_is_stored_no_call_is_without_its_result(
    answers: list[str], results: list[list[str]], steps: list[StepRecord]
) -> None:
    sent = [
        block
        for ids in results
        for block in (*(result_block(ToolCall(one, "look", "{}"), "1") for one in ids), LEFT)
    ]
    found = run_of(*answers, sent=sent, steps=steps).exchanges()
    waiting: list[str] = []
    tools = (Block(Category.TOOLS, "{}"),)
    for message in Prompt((), tuple(found), (question_block("And?"),), tools=tools).messages():
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
            continue
        assert waiting == []
        assert message["content"] or "tool_calls" in message
        calls = message.get("tool_calls", [])
        assert isinstance(calls, list)
        waiting = [one["id"] for one in calls]
    assert waiting == []
