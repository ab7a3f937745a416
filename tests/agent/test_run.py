import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.agent.run import RunOpening, ToolRun
from jupyter_ac.agent.run_texts import NO_ROOM, SUM_UP
from jupyter_ac.agent.tool import Right
from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.ports import ShortenedRun, StepOutcome
from jupyter_ac.chat.prompt.blocks import Block, Category, context_block, question_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.tool_calls import ToolCall, ToolResult
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import CompletedAnswer, ModelInfo, Usage
from jupyter_ac.tool_rows import RunState
from tests.agent.runs import LIMITS, REQUEST, MadeUpTool, answer, call, run_world, tracked
from tests.chat.edited import edit

A, B = RepoPath("a.txt"), RepoPath("b.txt")


async def step(
    run: ToolRun, given: CompletedAnswer, status: BlockStatus | None = None
) -> StepOutcome:
    return await run.step(given, tracked(given, status), len(given.text))


def state_of(run: ToolRun) -> tuple[RunState, str]:
    row = run.record().row
    return row["state"], row["reason"]


async def test_an_answer_without_calls_ends_the_run(tmp_path: Path) -> None:
    run = (await run_world(tmp_path)).run()
    assert await step(run, answer(text="All is done.")) == StepOutcome(is_over=True)
    row = run.record(TurnState.DONE).row
    assert (row["state"], row["reason"], row["can_undo"]) == ("done", "", False)
    assert row["used"]["steps"] == 1
    assert row["steps"] == [len("All is done.")]


async def test_the_results_of_calls_go_back_in_their_order_with_what_is_left(
    tmp_path: Path,
) -> None:
    look, act = MadeUpTool(), MadeUpTool("act", Right.EXECUTE, [ToolResult("acted")])
    run = (await run_world(tmp_path, look, act)).run()
    calls = [call(call_id="c1"), call("act", call_id="c2"), call("no", call_id="c3")]
    outcome = await step(run, answer(*calls))
    assert [one for one, _ in outcome.results] == calls
    assert [text[:21] for _, text in outcome.results] == ["seen", "acted", "There is no tool 'no'"]
    assert outcome.closing.startswith("Left: 24 steps, 399,890 tokens, $0.99, ")
    assert not outcome.is_over
    record = run.record(TurnState.DONE)
    assert [row["call_id"] for row in record.row["calls"]] == ["c1", "c2", "c3"]
    assert record.steps[0].calls == tuple(calls)


async def test_calls_that_read_run_at_once_and_others_alone(tmp_path: Path) -> None:
    gate = asyncio.Event()
    look, act = MadeUpTool(held=gate), MadeUpTool("act", Right.EXECUTE)
    run = (await run_world(tmp_path, look, act)).run()
    names = [*["look"] * 5, "act", "act", *["look"] * 5]
    calls = [call(name, f'{{"path": "{n}"}}', f"c{n}") for n, name in enumerate(names)]
    working = asyncio.create_task(step(run, answer(*calls)))
    async with asyncio.timeout(60):
        while look.most_at_once < 5:
            await asyncio.sleep(0)
    assert act.contexts == []
    gate.set()
    assert [one for one, _ in (await working).results] == calls
    assert (len(look.contexts), act.most_at_once) == (10, 1)


async def test_ids_that_are_missing_or_there_twice_are_told_apart(tmp_path: Path) -> None:
    world = await run_world(tmp_path, MadeUpTool())
    run = world.run()
    calls = [call(call_id="same"), call(call_id="same", arguments='{"path": "b"}')]
    await step(run, answer(*calls))
    await step(run, answer(call(call_id="same", arguments='{"path": "c"}')))
    shown = [row["call_id"] for row in run.record().row["calls"]]
    assert len(set(shown)) == 3
    assert shown[0] == "same"
    assert {row["call_id"] for row in world.rows()} == set(shown)


async def test_a_model_that_calls_in_its_text_is_understood(tmp_path: Path) -> None:
    run = (await run_world(tmp_path, MadeUpTool())).run(is_native=False)
    text = 'First.\n🟦🟦🟦 CALL look\n{"path": "a"}\n🟩🟩🟩 END\n'
    outcome = await step(run, answer(text=text))
    assert [(one.call_id, one.name) for one, _ in outcome.results] == [("", "look")]
    assert await step(run, answer(text="So.")) == StepOutcome(is_over=True)


async def test_done_ends_the_run_and_nothing_after_it_is_called(tmp_path: Path) -> None:
    done = MadeUpTool("done", Right.USER, [ToolResult("It is done.", ends_run=True)])
    look = MadeUpTool()
    run = (await run_world(tmp_path, done, look)).run()
    outcome = await step(run, answer(call("done", call_id="c1"), call(call_id="c2")))
    assert outcome == StepOutcome(is_over=True, text="It is done.")
    assert (look.contexts, state_of(run)) == ([], ("done", ""))


async def test_three_equal_calls_with_equal_results_end_the_run(tmp_path: Path) -> None:
    run = (await run_world(tmp_path, MadeUpTool())).run()
    for number in range(2):
        assert not (await step(run, answer(call(call_id=f"c{number}")))).is_over
    outcome = await step(run, answer(call(call_id="c2")))
    assert outcome.is_over
    assert "called look 3 times in a row" in outcome.text
    assert state_of(run) == ("repeated", outcome.text)


async def test_calls_with_other_results_are_no_repetition(tmp_path: Path) -> None:
    results = [ToolResult(f"{number} lines") for number in range(10)]
    run = (await run_world(tmp_path, MadeUpTool(results=results))).run()
    for number in range(10):
        assert not (await step(run, answer(call(call_id=f"c{number}")))).is_over


@pytest.mark.parametrize(
    ("limits", "usage", "setting"),
    [
        (RunLimits(2, 400_000, 1.0, 15), Usage(1, 1), ""),
        (RunLimits(25, 250, 1.0, 15), Usage(100, 10), ""),
        (RunLimits(25, 400_000, 1.0, 15), Usage(1, 1, cost_usd=0.6), ""),
        (RunLimits(25, 100, 1.0, 15), Usage(100, 10), "agent.max_tokens"),
        (RunLimits(1, 400_000, 1.0, 15), Usage(1, 1), "agent.max_steps"),
    ],
)
async def test_at_a_limit_the_model_sums_up_and_the_run_ends(
    tmp_path: Path, limits: RunLimits, usage: Usage, setting: str
) -> None:
    look = MadeUpTool()
    run = (await run_world(tmp_path, look)).run(limits=limits)
    outcome = await step(run, answer(call(), usage=usage))
    assert outcome.closing == SUM_UP
    outcome = await step(run, answer(call(call_id="c2"), usage=usage))
    assert outcome.is_over
    assert len(look.contexts) == 1
    state, reason = state_of(run)
    assert (state, outcome.text) == ("limit", reason)
    assert "continue with another question" in reason
    assert setting in reason


async def test_a_sum_without_calls_needs_no_further_words(tmp_path: Path) -> None:
    run = (await run_world(tmp_path, MadeUpTool())).run(limits=RunLimits(2, 400_000, 1.0, 15))
    await step(run, answer(call()))
    assert await step(run, answer(text="I did it.")) == StepOutcome(is_over=True)
    assert state_of(run)[0] == "limit"


async def test_what_became_of_edits_is_said_before_what_is_left(tmp_path: Path) -> None:
    run = (await run_world(tmp_path)).run()
    missed = answer(text=edit("a.txt", "one\n", "ONE\n"))
    outcome = await step(run, missed, BlockStatus.NOT_IN_CONTEXT)
    assert outcome.closing.startswith("Your edits:\n- a.txt: not in context: ")
    assert "\nLeft: 24 steps" in outcome.closing
    assert (outcome.results, outcome.is_over) == ([], False)
    assert (await step(run, missed, BlockStatus.APPLIED)).is_over


async def test_an_edit_that_still_waits_ends_nothing(tmp_path: Path) -> None:
    look = MadeUpTool()
    run = (await run_world(tmp_path, look)).run()
    waiting = answer(call(), text=edit("a.txt", "one\n", "ONE\n"))
    outcome = await step(run, waiting, BlockStatus.PENDING)
    assert not outcome.is_over
    assert "- a.txt: pending: it waits for the user" in outcome.closing
    assert len(look.contexts) == 1


async def test_the_user_is_asked_about_an_edit_that_waits(tmp_path: Path) -> None:
    world = await run_world(tmp_path, MadeUpTool())
    run = world.run()
    given = answer(text=edit("a.txt", "one\ntwo\n", "ONE\ntwo\n"))
    (block,) = tracked(given).parser.blocks
    waiting = BlockOutcome(block, BlockStatus.PENDING)
    made = replace(waiting, status=BlockStatus.APPLIED)

    async def apply() -> BlockOutcome:
        return made

    deciding = asyncio.create_task(run.decide(waiting, 7, apply))
    assert await world.decide(allow=True) == "a.txt\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two"
    assert await deciding == made
    deciding = asyncio.create_task(run.decide(waiting, 7, apply))
    await world.decide(allow=False, text="not there")
    refused = await deciding
    assert refused.status is BlockStatus.REJECTED
    assert "not there" in refused.message
    told = [(row["tool"], row["title"], row["status"]) for row in world.rows()]
    ways = ["waiting", "done", "waiting", "refused"]
    assert told == [("edit", "a.txt", way) for way in ways]
    asked = world.rows()[0]["question"]
    assert asked is not None
    assert asked["scopes"] == ["once"]
    assert run.record().row["steps"] == [7]


async def test_without_anybody_to_ask_an_edit_goes_on_waiting(tmp_path: Path) -> None:
    world = await run_world(tmp_path)
    world.is_watched = False
    run = world.run()
    (block,) = tracked(answer(text=edit("a.txt", "one\n", "ONE\n"))).parser.blocks
    waiting = BlockOutcome(block, BlockStatus.PENDING)

    async def apply() -> BlockOutcome:
        raise AssertionError

    assert await run.decide(waiting, 0, apply) == waiting
    assert world.rows()[-1]["status"] == "refused"


SHORTENED = ShortenedRun(1, 40_000, Usage(500, 50, cost_usd=0.25))


async def test_a_run_that_nearly_fills_the_window_goes_on_in_a_shorter_log(tmp_path: Path) -> None:
    results = [ToolResult("x" * 30_000, read={A: "1"}), ToolResult("y" * 30_000, read={B: "2"})]
    world = await run_world(tmp_path, MadeUpTool(results=results))
    world.hashes |= {A: "1", B: "2"}
    asked: list[tuple[Sequence[ToolCall], int]] = []

    async def shorten(calls: Sequence[ToolCall], least: int) -> ShortenedRun:
        asked.append((calls, least))
        return SHORTENED

    small = ModelInfo(80_000, 4_000, None, None, takes_cache_marks=False, known=True)
    run = world.run(request=replace(world.request(), info=small, shorten=shorten))
    first, second = call(call_id="c1"), call(arguments='{"path": "b"}', call_id="c2")
    await step(run, answer(first, usage=Usage(10_000, 100, cost_usd=0.01)))
    assert asked == []
    outcome = await step(run, answer(second, usage=Usage(45_000, 100, cost_usd=0.01)))
    # 76,000 tokens is what a request may have; at most six tenths of it are to be filled.
    assert asked == [([second], 45_100 + 30_000 - 45_600)]
    assert [text for _, text in outcome.results] == ["y" * 30_000]
    assert SUM_UP not in outcome.closing
    assert list(await run.in_context()) == [B]
    used = run.record().row["used"]
    assert used["tokens"] == 10_100 + 45_100 + 550
    assert used["usd"] == pytest.approx(0.27)


async def test_a_log_that_cannot_be_shortened_ends_the_run_with_a_sum(tmp_path: Path) -> None:
    world = await run_world(tmp_path, MadeUpTool(results=[ToolResult("x" * 25_000)]))
    small = ModelInfo(80_000, 4_000, None, None, takes_cache_marks=False, known=True)
    run = world.run(request=replace(world.request(), info=small))
    outcome = await step(run, answer(call(), usage=Usage(40_000, 100)))
    assert outcome.closing == SUM_UP
    assert (await step(run, answer(call(call_id="c2"), usage=Usage(65_000, 9)))).is_over
    assert "nearly fills what the model takes" in state_of(run)[1]


async def test_commands_in_the_background_end_with_the_run(tmp_path: Path) -> None:
    world = await run_world(tmp_path, MadeUpTool("act", Right.EXECUTE))
    run, root, go = world.run(), world.folder.root, tmp_path / "go"
    script = (
        "import os, sys, time\n"
        "while not os.path.exists(sys.argv[1]): time.sleep(0.01)\n"
        "open('late.txt', 'w').close()\n"
        "time.sleep(900)"
    )

    async def start() -> None:
        argv = [sys.executable, "-c", script, str(go)]
        world.background.start(argv, REQUEST, sandboxed=False)

    await run.edited(start)
    assert run.record().row["files_changed"] == []
    await asyncio.to_thread(go.touch)
    async with asyncio.timeout(60):
        while not (root / "late.txt").exists():
            await asyncio.sleep(0.01)
    await run.close()
    assert not world.background.is_running(REQUEST)
    assert run.record(TurnState.DONE).row["files_changed"] == ["late.txt"]
    assert [one.step for one in run.record().intervals] == [1]


async def test_what_the_user_adds_goes_out_with_the_next_step(tmp_path: Path) -> None:
    world = await run_world(tmp_path, MadeUpTool())
    request = world.request()
    run = world.run(request=request)
    request.stream.added.append("not in b.txt")
    outcome = await step(run, answer(call()))
    assert outcome.closing.startswith("The user says meanwhile: not in b.txt\nLeft: ")
    assert (await step(run, answer(call(call_id="c2")))).closing.startswith("Left: ")
    request.stream.added.append("and now?")
    outcome = await step(run, answer(text="All is done."))
    assert not outcome.is_over
    assert outcome.closing.startswith("The user says meanwhile: and now?")
    assert (await step(run, answer(text="So."))).is_over


async def test_the_opening_says_what_the_log_does_not_have(tmp_path: Path) -> None:
    world = await run_world(tmp_path, MadeUpTool())
    rules = context_block("instructions", "AGENTS.md", "of the authors", "Be kind.")
    world.opening = RunOpening("There is no sandbox.", [rules])
    native, text = world.run().opening(), world.run(is_native=False).opening()
    assert [block.category for block in native] == [Category.CONTEXT, Category.RUN]
    assert [block.category for block in text] == [Category.TOOLS, *[b.category for b in native]]
    assert "There is no sandbox.\nLeft: 25 steps" in native[-1].text
    sent = Exchange((*text, question_block("Why?")), Block(Category.ANSWER, "So."))
    asked = replace(world.request(), log=[sent])
    again = world.run(request=asked, is_native=False).opening()
    assert [block.category for block in again] == [Category.RUN]


async def test_what_was_read_counts_as_in_context_as_long_as_it_is_the_same(
    tmp_path: Path,
) -> None:
    tool = MadeUpTool(results=[ToolResult("one", read={A: "h1"})])
    world = await run_world(tmp_path, tool)
    world.hashes[A] = "h1"
    run = world.run()
    assert await run.in_context() == []
    await step(run, answer(call()))
    assert await run.in_context() == [A]
    world.hashes[A] = "h2"
    assert await run.in_context() == []


async def test_an_edit_of_ones_own_keeps_its_file_in_context(tmp_path: Path) -> None:
    tool = MadeUpTool(results=[ToolResult("one", read={A: "h1"})])
    world = await run_world(tmp_path, tool)
    world.hashes[A] = "h1"
    run = world.run()
    await step(run, answer(call()))

    async def apply() -> None:
        world.hashes[A] = "h2"
        await asyncio.to_thread((world.folder.root / "a.txt").write_text, "ONE\n")

    await run.edited(apply)
    assert await run.in_context() == [A]
    row = run.record().row
    assert (row["files_changed"], row["can_undo"]) == (["a.txt"], True)
    assert [one.step for one in run.record().intervals] == [2]


@pytest.mark.parametrize(
    ("state", "ended"),
    [
        (TurnState.CANCELLED, "stopped"),
        (TurnState.ERROR, "failed"),
        (TurnState.DONE, "done"),
    ],
)
async def test_the_record_says_how_the_turn_ended(
    tmp_path: Path, state: TurnState, ended: str
) -> None:
    world = await run_world(tmp_path, MadeUpTool())
    run = world.run()
    await step(run, answer(call()))
    record = run.record(state)
    assert record.row["state"] == ended
    assert record.row["limits"] == LIMITS.amounts()
    # The completion says so; the turn's end is written outside of the event loop's thread.
    assert world.told[-1]["run"]["state"] == "running"
    assert world.told[-1]["run"]["calls"] == []


def test_only_some_modes_edit(tmp_path: Path) -> None:
    world = asyncio.run(run_world(tmp_path))
    assert [world.run(mode).may_edit for mode in ("plan", "agent", "sandbox")] == [
        False,
        True,
        True,
    ]


async def test_results_that_the_window_has_no_room_for_are_left_out(tmp_path: Path) -> None:
    results = [ToolResult("x" * 80_000, read={A: "1"}), ToolResult("seen")]
    look = MadeUpTool("look", Right.EXECUTE, results)
    world = await run_world(tmp_path, look)
    world.hashes[A] = "1"
    small = ModelInfo(80_000, 4_000, None, None, takes_cache_marks=False, known=True)
    run = world.run(request=replace(world.request(), info=small))
    outcome = await step(run, answer(call(call_id="c1"), call(call_id="c2")))
    assert [text for _, text in outcome.results] == [NO_ROOM, "seen"]
    assert list(await run.in_context()) == []
    assert SUM_UP not in outcome.closing
