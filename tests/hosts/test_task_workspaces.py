"""This program's own agent, in the workspace of a task; `tests/contract` has it with a model."""

from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.task_workspaces import TaskWorkspaces, last_words
from jupyter_ac.planner.execution.executor import Assignment
from tests.hosts.test_composition import composed
from tests.planner.plans.planned import ADA
from tests.support.repositories import make_repository


async def test_a_task_without_a_model_says_so_and_leaves_the_user_s_workspace_alone(
    tmp_path: Path,
) -> None:
    root = make_repository(tmp_path / "r", {"a.py": "x\n"}).root
    copy = await discover(make_repository(tmp_path / "copy", {"a.py": "x\n"}).root)
    async with composed(root, tmp_path / "cache") as made:
        made.ports.gate.open()
        async with TaskWorkspaces(made).open(Assignment("plan_1", "a", ADA, copy)) as session:
            answer = await session.ask("Do it.")
        assert "model" in answer.problem.lower()
        assert answer.tokens == 0
        assert made.turns.active == 0
        assert (root / "a.py").read_text(encoding="utf-8") == "x\n"


@pytest.mark.parametrize(
    ("text", "ends", "said"),
    [
        ("I look.Done.", [7, 12], "Done."),
        ("😀 look.Done.", [8, 13], "Done."),
        ("Done.", [5], "Done."),
        ("Done.", [], "Done."),
        ("I look.", [7, 7], "I look."),
    ],
)
def test_what_a_task_says_at_last(text: str, ends: list[int], said: str) -> None:
    assert last_words(text, ends) == said


@pytest.mark.parametrize(
    ("blocks", "ends", "said"),
    [
        ([[9, 14]], [], "😀 look.\n\nDone."),
        ([[9, 14]], [4, 21], "ook.\n\nDone."),
        ([[0, 8], [9, 14]], [4, 21], "Done."),
        ([[0, 21]], [4, 21], ""),
        ([[9, 21]], [9, 21], "😀 look."),
    ],
)
def test_edits_are_no_words_of_a_task(blocks: list[list[int]], ends: list[int], said: str) -> None:
    assert last_words("😀 look.\n[ed]\n\nDone.", ends, blocks) == said
