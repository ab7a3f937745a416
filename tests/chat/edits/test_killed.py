"""`kill -9` at any moment of an apply and of an undo."""

import random
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.changing import writers_of
from tests.support.doomed_edits import FILES, DoomedEditor, doomed_editor
from tests.support.edited import editing, files_of, repository_of, state_of
from tests.support.repositories import RepositoryFolder, make_repository


@dataclass
class Scene:
    """A repository whose edits are killed, and what may be found in it."""

    folder: RepositoryFolder
    editor: DoomedEditor
    before: dict[str, object]
    old: dict[str, object]
    new: dict[str, object]
    apply_s: float
    undo_s: float

    def is_halfway(self) -> bool:
        """Check that each file is what it was or is to be; tells whether there are both."""
        wait_for_git(self.folder)
        found = files_of(self.folder)
        for name in self.old.keys() | self.new.keys() | found.keys():
            if ".jupyter_ac-" not in name:
                assert found.get(name) in (self.old.get(name), self.new.get(name)), name
        return found not in (self.old, self.new)

    async def make_good(self, batch: str) -> None:
        """Do what a host does at its start, and undo."""
        await writers_of(repository_of(self.folder)).files.remove_temp_files()
        async with editing(self.folder) as work:
            kept = await work.applier.undoing.differing(batch)
            undone = await work.undo(batch)
        assert undone.reason == "" or not kept, undone
        assert state_of(self.folder) == self.before


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    folder = make_repository(tmp_path / "r", FILES)
    folder.write("a.py", "one\ntwo\nunstaged\n")
    before, old = state_of(folder), files_of(folder)
    with doomed_editor(folder.root) as editor:
        editor.whole("apply", "warm")
        editor.whole("undo", "warm")
        apply_s, new = editor.whole("apply", "whole"), files_of(folder)
        undo_s = editor.whole("undo", "whole")
        assert state_of(folder) == before
        yield Scene(folder, editor, before, old, new, apply_s, undo_s)
    folder.git("fsck", "--strict", "--no-dangling")
    folder.git("status")


def wait_for_git(folder: RepositoryFolder) -> None:
    """Wait for a git that was at work when its parent was killed; it goes on to its end."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if not any(_is_git_in(entry, folder.root) for entry in Path("/proc").glob("[0-9]*")):
            return
    raise AssertionError("a git process stays")


def _is_git_in(process: Path, root: Path) -> bool:
    try:
        is_here = (process / "cwd").readlink() == root
        return is_here and (process / "comm").read_text().strip() == "git"
    except OSError:
        return False


async def kill_at_random(scene: Scene, times: int) -> Mapping[str, int]:
    """Kill so many applies, and as many undos, from outside."""
    chance = random.Random(times)
    tally = dict.fromkeys(["applies", "undos", "halfway"], 0)
    for number in range(times):
        batch = f"turn-{number}"
        tally["applies"] += not scene.editor.for_seconds(
            "apply", batch, scene.apply_s * chance.uniform(0.2, 1)
        )
        tally["halfway"] += scene.is_halfway()
        tally["undos"] += not scene.editor.for_seconds(
            "undo", batch, scene.undo_s * chance.uniform(0.2, 1)
        )
        tally["halfway"] += scene.is_halfway()
        await scene.make_good(batch)
    return tally


async def kill_at_each_step(scene: Scene, stride: int, first: int = 0) -> int:
    """Kill an apply before its steps, then an undo; returns how many were killed."""
    killed = 0
    for what in ("apply", "undo"):
        last, is_done = first, False
        while not is_done:
            batch = f"{what}-{last}"
            if what == "undo":
                scene.editor.whole("apply", batch)
            is_done = scene.editor.until_step(what, batch, last)
            scene.is_halfway()
            await scene.make_good(batch)
            killed += not is_done
            last += stride
    return killed


async def test_killed_before_a_step_files_are_old_or_new(scene: Scene) -> None:
    assert await kill_at_each_step(scene, stride=9, first=4) >= 10


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_killed_four_hundred_times_and_before_each_step(scene: Scene) -> None:
    tally = await kill_at_random(scene, 200)
    steps = await kill_at_each_step(scene, stride=1)
    sys.stdout.write(f"killed: {tally}, and before {steps} steps\n")
    assert tally["applies"] + tally["undos"] >= 100
    assert steps >= 100
