import os
import shutil
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, NotFound
from jupyter_ac.git.checkpoints.plan import KeptPath
from jupyter_ac.git.checkpoints.restore import Restored
from jupyter_ac.git.checkpoints.scan import MAX_FILE_BYTES
from tests.support.armed_repository import arm
from tests.support.checkpoint_runs import begin_run, tree_of
from tests.support.repositories import make_repository

CHANGED = "was changed by somebody else after the run"
BETWEEN = "was changed by somebody else between the steps of the run"


async def test_everything_that_a_command_can_do_to_files_is_undone(tmp_path: Path) -> None:
    folder = make_repository(
        tmp_path / "r",
        {"a": "a\n", "gone": b"\0\xff", "d/x": "x\n", "d/y": "y\n", "old": "o\n", "run": "r\n"},
    )
    root = folder.root
    (root / "link").symlink_to("a")
    folder.write("mine", "mine\n").chmod(0o600)
    (root / "empty/inner").mkdir(parents=True)
    before = tree_of(root)
    run = await begin_run(folder)

    def act() -> None:
        folder.write("a", "b\r\n")
        (root / "gone").unlink()
        folder.write("new/deep/file", "new\n")
        (root / "run").chmod(0o755)
        (root / "old").rename(root / "OLD")
        shutil.rmtree(root / "d")
        folder.write("d", "a file now\n")
        (root / "link").unlink()
        folder.write("link/inside", "a folder now\n")
        (root / "mine").unlink()
        (root / "mine").symlink_to("/etc/passwd")
        shutil.rmtree(root / "empty")
        (root / "made").mkdir()

    await run.step(act)
    restored = await run.undo()
    assert tree_of(root) == before
    assert restored.kept == ()
    assert set(restored.restored) == {
        *("a", "gone", "new/deep/file", "run", "old", "OLD", "d", "d/x", "d/y"),
        *("link", "link/inside", "mine"),
    }
    assert folder.git("status", "--porcelain") == "?? link\n?? mine"
    assert await run.undo() == Restored()


async def test_later_changes_of_the_user_stay(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n", "c": "1\n", "d": "1\n"})
    run = await begin_run(folder)

    def act() -> None:
        for name in "abc":
            folder.write(name, "2\n")
        folder.write("new", "2\n")

    await run.step(act)
    folder.write("a", "3\n")
    folder.write("d", "3\n")
    folder.write("new", "3\n")
    (folder.root / "b").unlink()
    restored = await run.undo()
    assert restored.restored == ("c",)
    assert restored.kept == (
        KeptPath("a", CHANGED),
        KeptPath("b", CHANGED),
        KeptPath("new", CHANGED),
    )
    assert {name: content for name, (_, content) in tree_of(folder.root).items()} == {
        **{b"a": b"3\n", b"c": b"1\n", b"d": b"3\n", b"new": b"3\n"}
    }


async def test_a_change_of_the_user_between_two_steps_stays(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    run = await begin_run(folder)
    await run.step(lambda: (folder.write("a", "2\n"), folder.write("b", "2\n")))
    folder.write("a", "mine\n")
    await run.step(lambda: (folder.write("a", "4\n"), folder.write("b", "4\n")))
    assert await run.undo() == Restored(("b",), (KeptPath("a", BETWEEN),))  # type: ignore
    assert (folder.root / "a").read_text() == "4\n"
    assert (folder.root / "b").read_text() == "1\n"


async def test_back_to_a_step(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "0\n"})
    run = await begin_run(folder)
    for text in ("1\n", "2\n", "3\n"):
        await run.step(lambda text=text: folder.write("a", text))
    await run.undo(1)
    assert (folder.root / "a").read_text() == "1\n"
    await run.undo(0)
    assert (folder.root / "a").read_text() == "1\n", "as the second step began, not as the last"


async def test_a_file_that_was_ignored_before_is_never_removed(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {".gitignore": ".env\nout/\n*.log\n"})
    folder.write(".env", "KEY=1\n")
    folder.write("out/x", "x\n")
    run = await begin_run(folder)
    await run.step(lambda: folder.write(".gitignore", "*.log\n"))
    restored = await run.undo()
    assert (folder.root / ".env").read_text() == "KEY=1\n"
    assert (folder.root / "out/x").read_text() == "x\n"
    assert restored.restored == (".gitignore",)
    assert [kept.path for kept in restored.kept] == [".env", "out/x"]


async def test_a_file_that_the_run_made_git_ignore_is_restored(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("notes/mine", "mine\n")
    before = tree_of(folder.root)
    run = await begin_run(folder)

    def act() -> None:
        folder.write(".gitignore", "notes/\n")
        folder.write("notes/mine", "other\n")

    await run.step(act)
    restored = await run.undo()
    assert tree_of(folder.root) == before
    assert restored == Restored((".gitignore", "notes/mine"), ())  # type: ignore
