"""What a run may still use bounds its next request: in the real loop, with a scripted model."""

from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.tool_rows import RunRow
from tests.agent.acting import ActingWorld, acting, calling, require_whole, run_of
from tests.agent.runs import MadeUpTool, call
from tests.chat.edited import Reply

READS = calling(call())
SEEN = ToolResult("seen " * 4000)
ENOUGH = 100.0


def priced(world: ActingWorld, input_usd: float, output_usd: float) -> None:
    info = replace(
        world.edits.model.info,
        max_output_tokens=8000,
        input_cost=input_usd / 1e6,
        output_cost=output_usd / 1e6,
    )
    world.edits.model.info, world.edits.model.weighs = info, True


async def ran(world: ActingWorld, limits: RunLimits, *replies: Reply | str) -> RunRow:
    world.limits = limits
    conversation = await world.edits.conversation()
    return run_of(await world.edits.ask(conversation, *replies, mode="agent"))


async def test_far_from_a_limit_nothing_is_bounded(tmp_path: Path) -> None:
    async with acting(tmp_path, MadeUpTool()) as world:
        priced(world, 3, 15)
        await ran(world, RunLimits(25, 400_000, ENOUGH, 15), READS, "Done.")
        assert [request.max_tokens for request in world.requests] == [None, None]


async def test_an_answer_is_bounded_by_the_tokens_that_are_left(tmp_path: Path) -> None:
    async with acting(tmp_path, MadeUpTool(results=[SEEN])) as world:
        priced(world, 0, 0)
        await ran(world, RunLimits(25, 16_000, ENOUGH, 15), READS, "Done.")
        first, second = world.requests
        used = sum(len(str(message)) for message in first.messages) // 4
        assert first.max_tokens is None
        assert second.max_tokens is not None
        assert used + 5000 < 16_000 - second.max_tokens < 16_000


async def test_an_answer_that_its_bound_cuts_ends_the_run(tmp_path: Path) -> None:
    async with acting(tmp_path, MadeUpTool(results=[SEEN])) as world:
        priced(world, 0, 0)
        cut = Reply("And so", finish_reason="length")
        run = await ran(world, RunLimits(25, 16_000, ENOUGH, 15), READS, cut)
        assert run["state"] == "limit"


async def test_an_answer_is_bounded_by_the_money_that_is_left(tmp_path: Path) -> None:
    async with acting(tmp_path, MadeUpTool()) as world:
        priced(world, 0, 100)
        world.edits.model.usd = 0.1
        await ran(world, RunLimits(25, 400_000, 0.5, 15), READS, "Done.")
        assert [request.max_tokens for request in world.requests] == [5000, 4000]


@pytest.mark.parametrize(
    ("limits", "usd", "setting"),
    [
        (RunLimits(25, 8000, ENOUGH, 15), 0.0, "its limit of 8,000 tokens"),
        (RunLimits(25, 400_000, 0.02, 15), 10.0, "its limit of $0.02"),
    ],
)
async def test_a_request_that_alone_goes_beyond_a_limit_is_not_sent(
    tmp_path: Path, limits: RunLimits, usd: float, setting: str
) -> None:
    async with acting(tmp_path, MadeUpTool(results=[ToolResult("seen " * 6000)])) as world:
        priced(world, usd / 5, usd)
        run = await ran(world, limits, READS, "Done.")
        assert (run["state"], len(world.requests)) == ("limit", 1)
        assert setting in run["reason"]
        conversation = await world.edits.conversation()
        assert run["reason"] in conversation.session.turns[-1].answer
        world.limits = RunLimits(25, 400_000, ENOUGH, 15)
        await world.edits.ask(conversation, "Fine.", number=2)
        require_whole(world.sent())


async def test_a_question_that_alone_goes_beyond_a_limit_fails_before_it_is_sent(
    tmp_path: Path,
) -> None:
    async with acting(tmp_path) as world:
        priced(world, 0, 0)
        world.limits = RunLimits(25, 1000, ENOUGH, 15)
        conversation = await world.edits.conversation()
        result = await world.edits.ask(conversation, "Done.", mode="agent")
        assert world.requests == []
        assert result["error_info"]["error_type"] == "too_large"
        assert "agent.max_tokens" in result["error_info"]["message"]
        assert result["run"]["state"] == "failed"


async def test_what_the_cache_is_likely_to_have_costs_less(tmp_path: Path) -> None:
    async with acting(tmp_path, MadeUpTool(results=[SEEN])) as world:
        priced(world, 10, 10)
        world.edits.model.usd = 0.001
        conversation = await world.edits.conversation()
        await world.edits.ask(conversation, READS, "Done.", mode="agent")
        world.limits = RunLimits(25, 400_000, 0.05, 15)
        run = run_of(await world.edits.ask(conversation, "Done.", number=2, mode="agent"))
        # Uncached, what went out would alone cost more than that.
        assert run["state"] == "done"
        assert sum(len(str(message)) for message in world.requests[-1].messages) / 4 * 1e-5 > 0.05


async def test_a_plain_question_has_no_limits(tmp_path: Path) -> None:
    async with acting(tmp_path) as world:
        world.limits = RunLimits(1, 1, 0.0, 1)
        conversation = await world.edits.conversation()
        result = await world.edits.ask(conversation, "So.")
        assert result["response"] == "So."
