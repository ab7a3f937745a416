import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from jupyter_ac.chat.writing_turns import WRITING_MODES, WritingTurns
from jupyter_ac.errors import Busy

LONG = "Rename every function " * 10


def test_only_runs_that_may_change_files_write() -> None:
    assert {"agent", "sandbox"} == WRITING_MODES


def test_a_second_run_is_refused_with_the_question_of_the_first_until_that_ends() -> None:
    writing = WritingTurns()
    writing.reserve("1-a", LONG)
    with pytest.raises(Busy, match=r"“Rename every function .{30,40}…”.*Wait until it has ended"):
        writing.reserve("2-b", "And?")
    writing.release("2-b")
    with pytest.raises(Busy):
        writing.require_free()
    writing.release("1-a")
    writing.reserve("2-b", "And?")


async def test_edits_of_plain_answers_follow_one_another_and_wait_for_no_run() -> None:
    writing = WritingTurns()
    order: list[str] = []

    async def apply(name: str, hold: asyncio.Event) -> None:
        async with writing.edits() as may_write:
            assert may_write
            order.append(f"{name} begins")
            await hold.wait()
            order.append(f"{name} ends")

    first, second = asyncio.Event(), asyncio.Event()
    second.set()
    tasks = [asyncio.create_task(apply("one", first)), asyncio.create_task(apply("two", second))]
    while order != ["one begins"]:
        await asyncio.sleep(0)
    first.set()
    await asyncio.gather(*tasks)
    assert order == ["one begins", "one ends", "two begins", "two ends"]
    writing.reserve("1-a", "Why?")
    async with writing.run(), writing.edits() as may_write:
        assert not may_write


async def test_processes_heed_each_other_in_one_working_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.chat.writing_turns._WAIT_S", 0.0)
    ours, theirs = WritingTurns(tmp_path), WritingTurns(tmp_path)
    elsewhere = WritingTurns(tmp_path, "another worktree")
    async with AsyncExitStack() as running:
        await running.enter_async_context(ours.run())
        with pytest.raises(Busy, match="in another Jupyter server, kernel or terminal"):
            await running.enter_async_context(theirs.run())
        async with theirs.edits() as may_write:
            assert not may_write
        async with elsewhere.edits() as may_write:
            assert may_write
    async with theirs.run():
        pass
    async with theirs.edits() as may_write:
        assert may_write
