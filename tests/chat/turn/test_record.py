import asyncio
import logging
from dataclasses import replace

import pytest

from jupyter_ac.chat.files import FileProblem
from jupyter_ac.chat.records import TurnFailure, TurnState
from jupyter_ac.chat.turn.record import INTERNAL, completion_result, cut_notice, settle
from jupyter_ac.chat.turn.turn import PromptRequest, Turn
from jupyter_ac.errors import ProviderAuth
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import CompletedAnswer, Usage
from tests.chat.memory import INFO
from tests.chat.turn.stages import asked


def turn() -> Turn:
    made = asked("Why\udc80?")
    made.context.stream.append("Half an ans")
    return made


def test_a_turn_without_an_error_is_done() -> None:
    over = turn()
    over.answers.outcome = CompletedAnswer("Half an ans", "length", Usage(5, 6))
    over.context.notices.append("Cut.")
    settle(over, None)
    assert (over.record.state, over.record.answer) == (TurnState.DONE, "Half an ans")
    assert (over.record.finish_reason, over.record.usage) == ("length", Usage(5, 6))
    assert over.record.notices == ("Cut.", cut_notice("length"))


@pytest.mark.parametrize("reason", ["length", "content_filter", None])
def test_an_answer_that_was_cut_says_so(reason: str | None) -> None:
    assert cut_notice(reason).startswith("The answer was cut")
    assert cut_notice("stop") == ""


def test_an_answer_without_a_word_says_so() -> None:
    over = asked("Why?")
    over.answers.outcome = CompletedAnswer("", "stop", Usage(5, 0))
    settle(over, None)
    assert over.record.state is TurnState.DONE
    assert over.record.notices == (cut_notice("stop", ""),)
    assert "without a word" in over.record.notices[0]


def test_a_stopped_turn_is_cancelled_and_keeps_its_text_however_it_ended() -> None:
    for error in (asyncio.CancelledError(), ProviderAuth("closed")):
        over = turn()
        over.context.stream.stop()
        settle(over, error)
        assert (over.record.state, over.record.answer) == (TurnState.CANCELLED, "Half an ans")
        assert over.record.failure is None


def test_an_error_on_purpose_keeps_its_word_and_message() -> None:
    over = turn()
    settle(over, ProviderAuth("The key is wrong."))
    assert over.record.state is TurnState.ERROR
    assert over.record.failure is not None
    assert over.record.failure.type == "provider_auth"


def test_any_other_error_is_internal_and_its_text_stays_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    over = turn()
    with caplog.at_level(logging.ERROR):
        settle(over, ValueError("secret detail"))
    assert over.record.failure == INTERNAL
    assert "secret detail" in caplog.text


def ended(state: TurnState, failure: TurnFailure | None = None) -> Turn:
    turn = asked("Why?")
    turn.context.findings.info = replace(INFO, provider="openai")
    turn.stored.record = replace(
        turn.record,
        state=state,
        failure=failure,
        answer="So.",
        model="openai/x",
        usage=Usage(9, 3),
        finish_reason="stop",
    )
    return turn


def test_a_good_answer_has_the_seeds_keys_and_no_error() -> None:
    result = completion_result(ended(TurnState.DONE))
    assert (result["response"], result["user_message"], result["model"]) == (
        "So.",
        "Why?",
        "openai/x",
    )
    assert result["token_usage"]["prompt_tokens"] == 9
    lists = {"edit_blocks", "edit_results", "shell_commands"}
    lists |= {"files_modified", "files_auto_added", "files_created", "attempts"}
    assert {name for name, value in result.items() if value == []} == lists
    zeros = {"passed", "already_applied", "failed", "skipped", "not_in_context", "pending"}
    zeros.add("can_undo")
    assert result["retry_prompt"] == ""
    assert {name for name, value in result.items() if value == 0} == zeros
    absent = {
        "error",
        "error_info",
        "cancelled",
        "binary_files",
        "invalid_files",
        "shed_files",
        "notices",
    }
    assert absent.isdisjoint(result)


def test_a_stopped_answer_is_marked_and_keeps_its_text() -> None:
    result = completion_result(ended(TurnState.CANCELLED))
    assert result["cancelled"] is True
    assert result["response"] == "So."


def test_a_failed_answer_says_why() -> None:
    failure = TurnFailure("provider_rate_limit", "Wait 7 s.", 7.0)
    result = completion_result(ended(TurnState.ERROR, failure))
    assert result["error"] == "Wait 7 s."
    assert result["error_info"] == {
        "error_type": "provider_rate_limit",
        "message": "Wait 7 s.",
        "retry_after": 7.0,
        "provider": "openai",
        "model": "openai/x",
    }


def test_files_that_were_not_sent_are_listed_by_kind() -> None:
    turn = ended(TurnState.DONE)
    turn.context.findings.problems = (
        FileProblem(RepoPath("a.png"), is_binary=True, message="Not sent: a.png"),
        FileProblem(RepoPath("b"), is_binary=False, message="Not sent: b"),
    )
    question = replace(turn.context.question, unknown=("../gone",))
    turn.context = replace(turn.context, question=question)
    turn.request = PromptRequest(left_out=(RepoPath("huge.txt"),))
    turn.stored.record = replace(turn.record, notices=("Not sent: a.png",))
    result = completion_result(turn)
    assert result["shed_files"] == ["huge.txt"]
    assert (result["binary_files"], result["invalid_files"]) == (["a.png"], ["b", "../gone"])
    assert result["notices"] == ["Not sent: a.png"]
