"""Steps on a real disk."""

import os
from pathlib import Path

import pytest

from jupyter_ac.chat.edits.applying.steps import DiskStep, StepAction, carry_out
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry, read_entry
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath

A, B, C = RepoPath("a"), RepoPath("b"), RepoPath("d/c")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = Path(os.path.realpath(tmp_path))
    (root / "a").write_text("a\n")
    (root / "b").write_text("b\n")
    return Repository(root, root / ".git", root / ".git", "r")


def tag(path: RepoPath) -> str:
    return f"{len(path):016x}"


def seen(repository: Repository, path: RepoPath) -> DiskEntry:
    return read_entry(repository, path, 100)


def test_steps_are_made_in_order_and_leave_the_signs_that_they_announce(
    repository: Repository,
) -> None:
    a, b = seen(repository, A), seen(repository, B)
    steps = [
        DiskStep(StepAction.WRITE, A, a, b"x\n", positions=[0, 1]),
        DiskStep(StepAction.MOVE, A, DiskEntry(b"x\n", a.mode), new_key=C, positions=[2]),
        DiskStep(StepAction.REMOVE, B, b, positions=[3]),
        DiskStep(StepAction.WRITE, B, NOTHING, b"new\n", positions=[4]),
    ]
    carried = carry_out(repository, steps, tag)
    assert carried.done == steps
    assert not carried.failures
    signs = {key: sign for step in steps for key, sign in step.signs()}
    assert signs == {path: seen(repository, path).sign for path in (A, B, C)}


def test_what_has_changed_is_left_alone_and_so_is_what_builds_on_it(
    repository: Repository,
) -> None:
    a, b = DiskEntry(b"before\n", 0o100644), seen(repository, B)
    steps = [
        DiskStep(StepAction.WRITE, A, a, b"x\n", positions=[0]),
        DiskStep(StepAction.MOVE, A, a, new_key=C, positions=[1]),
        DiskStep(StepAction.WRITE, B, b, b"y\n", positions=[2]),
    ]
    carried = carry_out(repository, steps, tag)
    assert carried.done == steps[2:]
    assert set(carried.failures) == {0, 1}
    assert carried.changed == {A, C}
    assert (repository.root / "a").read_text() == "a\n"
    for step in (
        DiskStep(StepAction.REMOVE, A, a),
        DiskStep(StepAction.MOVE, A, a, new_key=C),
        DiskStep(StepAction.WRITE, A, NOTHING, b""),
        DiskStep(StepAction.MOVE, A, seen(repository, A), new_key=B),
    ):
        assert carry_out(repository, [step], tag).changed >= {A}
    assert (repository.root / "a").read_text() == "a\n"


def test_what_the_disk_refuses_is_no_change_by_others(repository: Repository) -> None:
    step = DiskStep(StepAction.WRITE, RepoPath("a/below"), NOTHING, b"x", positions=[0])
    carried = carry_out(repository, [step], tag)
    assert set(carried.failures) == {0}
    assert not carried.changed
