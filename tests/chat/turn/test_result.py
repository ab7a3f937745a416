from dataclasses import replace

from jupyter_ac.chat.files import FileProblem, Reading
from jupyter_ac.chat.prompt.counts import BlockCounts, scale_for
from jupyter_ac.chat.prompt.maps import KnownMaps
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.chat.records import TurnFailure, TurnState
from jupyter_ac.chat.turn.result import completion_result
from jupyter_ac.chat.turn.turn import AnsweringModel, Gathered, LogState, PromptRequest, Turn
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import Usage
from jupyter_ac.settings.app import AppSettings
from tests.chat.memory import INFO, QuarterCounter
from tests.chat.turn.stages import asked, gathered_for


def over(state: TurnState, failure: TurnFailure | None = None) -> Turn:
    turn = asked("Why?")
    scale = scale_for(BlockCounts(QuarterCounter()), None)
    turn.gathered = Gathered(
        model=AnsweringModel(
            None, replace(INFO, provider="openai"), profile("standard"), True, "code", scale
        ),
        settings=AppSettings(),
        log=LogState(turn.context.session, (), (), (), is_cold=False, is_long=False),
        head=(),
        reading=Reading(),
        maps=KnownMaps(),
        input_limit=0,
    )
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
    result = completion_result(over(TurnState.DONE))
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
    result = completion_result(over(TurnState.CANCELLED))
    assert result["cancelled"] is True
    assert result["response"] == "So."


def test_a_failed_answer_says_why() -> None:
    failure = TurnFailure("provider_rate_limit", "Wait 7 s.", 7.0)
    result = completion_result(over(TurnState.ERROR, failure))
    assert result["error"] == "Wait 7 s."
    assert result["error_info"] == {
        "error_type": "provider_rate_limit",
        "message": "Wait 7 s.",
        "retry_after": 7.0,
        "provider": "openai",
        "model": "openai/x",
    }


def test_files_that_were_not_sent_are_listed_by_kind() -> None:
    turn = over(TurnState.DONE)
    reading = Reading(
        (),
        (
            FileProblem(RepoPath("a.png"), is_binary=True, message="Not sent: a.png"),
            FileProblem(RepoPath("b"), is_binary=False, message="Not sent: b"),
        ),
    )
    turn.gathered = replace(gathered_for(turn), reading=reading)
    question = replace(turn.context.question, unknown=("../gone",))
    turn.context = replace(turn.context, question=question)
    turn.request = PromptRequest(left_out=(RepoPath("huge.txt"),))
    turn.stored.record = replace(turn.record, notices=("Not sent: a.png",))
    result = completion_result(turn)
    assert result["shed_files"] == ["huge.txt"]
    assert (result["binary_files"], result["invalid_files"]) == (["a.png"], ["b", "../gone"])
    assert result["notices"] == ["Not sent: a.png"]
