"""`execute_task`: one task from its start to its end."""

import asyncio
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.services.planner.task_execution import ExecutedTask
from tests.planner.execution.execution_world import Gate, writing
from tests.services.llm.pages import Page, connect
from tests.services.planner.planner_world import PlannerWorld, planner_world

HERE = {"executor": "scripted"}


async def executed(world: PlannerWorld, *args: object) -> ExecutedTask:
    connection = await connect(Page(()), world.table)
    try:
        return cast("ExecutedTask", await connection.page.peer.call("execute_task", *args))
    finally:
        await connection.close()


async def test_a_task_of_the_seed_has_a_result_of_the_seed(tmp_path: Path) -> None:
    async with planner_world(tmp_path) as world:
        world.execution.agents.deeds = {"task": [writing({"a.py": "a = 2\n", "b.py": "b = 1\n"})]}
        result = await executed(
            world,
            "code_generation",
            "Make it two",
            {
                "files": ["a.py", str(world.execution.folder.root / "a.py")],
                "current_directory": ".",
                "dependencies": ["react"],
                "constraints": ["No loops."],
            },
            {"language": "python", "style_guide": "pep8", **HERE},
        )
        assert result["status"] == "success"
        assert result["output"]["files_modified"] == ["a.py"]
        assert result["output"]["files_created"] == ["b.py"]
        assert "+a = 2" in result["output"]["code"]
        assert result["output"]["explanation"] == "Done."
        assert result["metadata"]["tokens_used"] == 10
        [prompt] = world.execution.agents.prompts["task"]
        for said in ("Make it two", "a.py, a.py", "react", "No loops.", "style guide: pep8"):
            assert said in prompt
        root = world.execution.folder.root
        assert (root / "a.py").read_text(encoding="utf-8") == "x\n"
        assert world.updates[-1]["status"] == "completed"


@pytest.mark.parametrize(
    ("args", "path"),
    [
        (("painting", "x"), "$.task_type"),
        (("testing", " "), "$.prompt"),
        (("testing", "x" * 10_001), "$.prompt"),
        (("testing", "x", {"files": ["../out.py"]}), "$.context.files[0]"),
        (("testing", "x", {"files": "a.py"}), "$.context.files"),
        (("testing", "x", {"files": [1]}), "$.context.files"),
        (("testing", "x", {"current_directory": "/etc"}), "$.context.current_directory[0]"),
        (("testing", "x", {}, {"timeout_ms": True}), "$.options.timeout_ms"),
        (("testing", "x", {}, {"stream": "yes"}), "$.options.stream"),
    ],
)
async def test_wrong_arguments_are_refused_and_make_no_plan(
    tmp_path: Path, args: tuple[object, ...], path: str
) -> None:
    async with planner_world(tmp_path) as world:
        with pytest.raises(RemoteError) as raised:
            await executed(world, *args)
        assert raised.value.remote_code == -32602
        data = raised.value.data
        assert isinstance(data, dict)
        assert data["path"] == path
        assert world.updates == []


async def test_a_task_that_fails_says_why(tmp_path: Path) -> None:
    async with planner_world(tmp_path) as world:
        world.execution.agents.deeds = {"task": [writing({"a.py": "def f(:\n"})]}
        result = await executed(world, "testing", "x", {}, HERE)
        assert result["status"] == "failed"
        assert "a.py:1:" in result["output"]["explanation"]
        assert result["metadata"]["tokens_used"] == 30


async def test_a_task_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    async with planner_world(tmp_path) as world:
        world.execution.agents.deeds = {"task": [Gate()]}
        with pytest.raises(RemoteError, match="took longer than 1000 ms") as raised:
            await executed(world, "testing", "x", {}, {"timeout_ms": 1000, **HERE})
        assert raised.value.remote_type == "timeout"
        async with asyncio.timeout(60):
            while world.execution.runner.is_busy:
                await asyncio.sleep(0.02)
        assert world.updates[-1]["status"] == "cancelled"


async def test_a_caller_that_gives_up_ends_the_task(tmp_path: Path) -> None:
    async with planner_world(tmp_path) as world:
        gate = Gate()
        world.execution.agents.deeds = {"task": [gate]}
        connection = await connect(Page(()), world.table)
        work = asyncio.create_task(
            connection.page.peer.call("execute_task", "testing", "x", {}, HERE)
        )
        await gate.begun.wait()
        work.cancel()
        await connection.close()
        async with asyncio.timeout(60):
            while world.execution.runner.is_busy:
                await asyncio.sleep(0.02)
        assert world.updates[-1]["status"] == "cancelled"
        assert list(world.execution.worktrees.iterdir()) == []
