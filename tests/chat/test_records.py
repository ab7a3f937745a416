import re
from dataclasses import replace

from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits
from jupyter_ac.chat.prompt.blocks import Block, Category, file_block, question_block
from jupyter_ac.chat.records import (
    TurnFailure,
    TurnRecord,
    TurnState,
    new_session_id,
    new_turn_id,
    now_ms,
    token_usage,
)
from jupyter_ac.errors import NotReady, ProviderRateLimit
from jupyter_ac.ids import RepoPath, RequestId
from jupyter_ac.models.client import Usage
from tests.chat.edit_blocks.test_stored_edits import attempt

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
