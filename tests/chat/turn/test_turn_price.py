from dataclasses import replace

from jupyter_ac.chat.last_request import LastRequest
from jupyter_ac.chat.prompt.blocks import Block, Category, question_block
from jupyter_ac.chat.prompt.counts import BlockCounts, Scale
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.chat.prompt.tiers import RequestAges
from jupyter_ac.chat.records import TurnRecord, token_usage
from jupyter_ac.chat.turn.turn_price import CostEstimate, expect, guessed, may_be_dear
from jupyter_ac.ids import RequestId
from jupyter_ac.models.client import ModelInfo, Usage
from tests.chat.memory import INFO, QuarterCounter

SCALE = Scale(BlockCounts(QuarterCounter()), "x")
HEAD = (Block(Category.SYSTEM, "S" * 8000),)
PROMPT = Prompt(HEAD, ask=(question_block("Why?"),), reminder=(Block(Category.REMINDER, "R" * 40),))
LAST = LastRequest(
    TurnRecord("t", RequestId("r"), "q", 1, model="openai/test"),
    (Prompt(HEAD, ask=(question_block("How?"),)),),
    RequestAges(),
)


async def test_what_went_out_before_costs_a_tenth() -> None:
    found = await expect(PROMPT, LAST, "openai/test", INFO, SCALE)
    assert (found.cached_tokens, found.uncached_tokens) == (2000, 1 + 10 + 8)
    assert found.usd == 0.000_001 * (0.1 * 2000 + 19)
    assert round(found.cached_share, 2) == 0.99


async def test_where_marks_are_sent_writing_costs_a_quarter_more() -> None:
    info = replace(INFO, takes_cache_marks=True)
    found = await expect(PROMPT, None, "openai/test", info, SCALE)
    assert found.usd == 0.000_001 * 1.25 * 2019


async def test_another_model_and_a_short_prompt_have_no_cache() -> None:
    assert (await expect(PROMPT, LAST, "openai/other", INFO, SCALE)).cached_tokens == 0
    info = replace(INFO, cache_minimum_tokens=4096, input_cost=None)
    found = await expect(PROMPT, LAST, "openai/test", info, SCALE)
    assert (found.cached_tokens, found.usd) == (0, None)
    assert (await expect(PROMPT, LAST, "", None, SCALE)).usd is None


def test_a_price_above_the_limit_is_said_and_names_the_setting() -> None:
    dear = CostEstimate(10_000, 150_000, 0.57)
    assert dear.warning(0.5) == (
        "This request is likely to cost about $0.57 (160,000 tokens, 10,000 of them cached), "
        "more than $0.50 (prompt.warn_usd in app.json)."
    )
    assert dear.warning(0.6) == dear.warning(0) == ""
    assert "more than $0.0004 " in dear.warning(0.0004)
    assert CostEstimate(0, 1, None).warning(0.1) == ""


def test_a_short_prompt_need_not_be_weighed() -> None:
    assert not may_be_dear(PROMPT, INFO, 0.5)
    assert may_be_dear(PROMPT, INFO, 0.005)
    assert not may_be_dear(PROMPT, INFO, 0)
    assert not may_be_dear(PROMPT, None, 0.005)


def test_what_was_broken_off_is_guessed_from_the_lengths_and_says_so() -> None:
    prompt = Prompt(ask=(question_block("x" * 400),))
    info = ModelInfo(1000, 100, 0.5, 2.0, takes_cache_marks=False, known=True)
    usage = guessed(prompt, "y" * 40, info)
    assert usage == Usage(100, 10, cost_usd=70.0, estimated=True)
    assert token_usage(usage)["estimated"]
    assert guessed(prompt, "", info) is None
    assert guessed(prompt, "y", None) == Usage(100, 1, estimated=True)
