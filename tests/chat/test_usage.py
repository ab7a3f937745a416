from dataclasses import replace

from jupyter_ac.chat.prompt.assemble import Prompt
from jupyter_ac.chat.prompt.blocks import question_block
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.chat.usage import guessed, provider_cache_rate, session_totals, token_usage
from jupyter_ac.ids import RequestId
from jupyter_ac.models.client import ModelInfo, Usage

TURN = TurnRecord("t", RequestId("r"), "?", 1)
PRICED = replace(TURN, usage=Usage(100, 10, 60, 20, cost_usd=0.5, reasoning_tokens=3))
UNPRICED = replace(TURN, usage=Usage(50, 5))


def test_an_answers_usage_has_the_names_of_both_vintages() -> None:
    usage = token_usage(PRICED.usage)
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


def test_a_sessions_totals_add_up_and_count_what_had_no_price() -> None:
    totals = session_totals([PRICED, TURN, UNPRICED])
    assert (totals["prompt"], totals["completion"], totals["total"]) == (150, 15, 165)
    assert (totals["cost_usd"], totals["priced_request_count"]) == (0.5, 1)
    assert totals["unpriced_request_count"] == 1
    assert session_totals([UNPRICED])["cost_usd"] is None


def test_the_cache_rate_is_unknown_before_the_first_answer() -> None:
    assert provider_cache_rate([TURN]) is None
    assert provider_cache_rate([PRICED, UNPRICED]) == 0.4


def test_side_tasks_count_in_a_sessions_totals() -> None:
    totals = session_totals([PRICED], [Usage(7, 1, cost_usd=0.25), None, Usage(1, 1)])
    assert (totals["prompt"], totals["completion"], totals["cost_usd"]) == (108, 12, 0.75)
    assert (totals["priced_request_count"], totals["unpriced_request_count"]) == (2, 1)


def test_what_was_broken_off_is_guessed_from_the_lengths_and_says_so() -> None:
    prompt = Prompt(ask=(question_block("x" * 400),))
    info = ModelInfo(1000, 100, 0.5, 2.0, takes_cache_marks=False, known=True)
    usage = guessed(prompt, "y" * 40, info)
    assert usage == Usage(100, 10, cost_usd=70.0, estimated=True)
    assert token_usage(usage)["estimated"]
    assert guessed(prompt, "", info) is None
    assert guessed(prompt, "y", None) == Usage(100, 1, estimated=True)
