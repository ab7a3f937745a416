import errno
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, NotFound
from jupyter_ac.git.checkpoints.plan import KeptPath
from jupyter_ac.git.checkpoints.restore import Restored
from jupyter_ac.git.checkpoints.worktree_scan import MAX_FILE_BYTES
from jupyter_ac.git.disk_entries import remove_entry, restore_entry
from jupyter_ac.ids import RepoPath
from tests.support.armed_repository import arm
from tests.support.checkpoint_runs import begin_run, count_git, tree_of
from tests.support.repositories import RepositoryFolder, make_repository

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
        b"a": b"3\n",
        b"c": b"1\n",
        b"d": b"3\n",
        b"new": b"3\n",
    }


async def test_a_change_of_the_user_between_two_steps_stays(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    run = await begin_run(folder)
    await run.step(lambda: (folder.write("a", "2\n"), folder.write("b", "2\n")))
    folder.write("a", "mine\n")
    await run.step(lambda: (folder.write("a", "4\n"), folder.write("b", "4\n")))
    restored = await run.undo()
    assert restored == Restored((RepoPath("b"),), (KeptPath("a", BETWEEN),))
    assert (folder.root / "a").read_text() == "4\n"
    assert (folder.root / "b").read_text() == "1\n"


async def test_back_to_a_step(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "0\n"})
    run = await begin_run(folder)
    for text in ("1\n", "2\n", "3\n"):
        await run.step(partial(folder.write, "a", text))
    await run.undo(1)
    assert (folder.root / "a").read_text() == "1\n"
    assert [kept.reason for kept in (await run.undo()).kept] == [CHANGED]
    run.intervals = run.intervals[:1]
    await run.undo()
    assert (folder.root / "a").read_text() == "0\n"


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
    assert restored.restored == (".gitignore", "notes/mine")
    assert restored.kept == ()


async def test_bytes_come_back_whatever_git_would_convert_and_no_program_runs(
    tmp_path: Path,
) -> None:
    armed = arm(tmp_path)
    folder = armed.folder
    armed.set("core.autocrlf", "true")
    for name in ("crlf.md", "filtered.txt", "multi.bin"):
        folder.write(name, b"one\r\ntwo\n$Id$\r")
    before = tree_of(folder.root)
    index = folder.git("ls-files", "--stage")
    armed.ran()
    run = await begin_run(folder)

    def act() -> None:
        for name in ("crlf.md", "filtered.txt", "multi.bin", "plain.md"):
            folder.write(name, b"other\n")
        (folder.root / "code.py").unlink()

    await run.step(act)
    restored = await run.undo()
    assert armed.ran() == set()
    assert restored.kept == ()
    assert tree_of(folder.root) == before
    assert folder.git("ls-files", "--stage") == index


async def test_names_that_are_not_text_and_names_with_special_characters(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    names = [b"caf\xe9", b"new\nline", b' "quoted"\\', b"-x", b":(glob)*", b"a\tb"]
    for name in names:
        (folder.root / os.fsdecode(name)).write_bytes(name)
    before = tree_of(folder.root)
    run = await begin_run(folder)

    def act() -> None:
        for number, name in enumerate(names):
            place = folder.root / os.fsdecode(name)
            place.unlink()
            if number % 2:
                place.write_bytes(b"other")

    await run.step(act)
    assert (await run.undo()).kept == ()
    assert tree_of(folder.root) == before


async def test_a_file_with_something_else_in_its_place_is_kept(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "d/x": "1\n"})
    run = await begin_run(folder)

    def act() -> None:
        (folder.root / "a").unlink()
        folder.write("a/theirs", "2\n")
        shutil.rmtree(folder.root / "d")

    await run.step(act)
    folder.write("a/mine", "3\n")
    folder.write("d", "3\n")
    restored = await run.undo()
    assert restored.restored == ("a/theirs",)
    assert [kept.path for kept in restored.kept] == ["a", "d/x"]
    assert (folder.root / "a/mine").read_text() == "3\n"
    assert (folder.root / "d").read_text() == "3\n"


async def test_a_link_out_of_the_repository_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x").write_text("theirs\n")
    folder = make_repository(tmp_path / "r", {"d/x": "1\n"})
    run = await begin_run(folder)

    def act() -> None:
        shutil.rmtree(folder.root / "d")
        (folder.root / "d").symlink_to(outside)

    await run.step(act)
    restored = await run.undo()
    assert restored.restored == ("d", "d/x")
    assert (folder.root / "d/x").read_text() == "1\n"
    assert (outside / "x").read_text() == "theirs\n"
    await run.step(lambda: folder.write("d/x", "theirs\n"))
    shutil.rmtree(folder.root / "d")
    (folder.root / "d").symlink_to(outside)
    assert [kept.path for kept in (await run.undo(1)).kept] == ["d/x"]
    assert (outside / "x").read_text() == "theirs\n"


async def test_what_was_left_out_is_kept_and_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("same.bin", b"0" * (MAX_FILE_BYTES + 1))
    folder.write("large.bin", b"0" * (MAX_FILE_BYTES + 1))
    run = await begin_run(folder)

    def act() -> None:
        folder.write("large.bin", b"1" * (MAX_FILE_BYTES + 1))
        folder.write("grown", b"1" * (MAX_FILE_BYTES + 1))
        make_repository(folder.root / "nested", {"x": "1\n"})

    before, _ = await run.step(act)
    assert [one.path for one in before.left_out] == ["large.bin", "same.bin"]
    restored = await run.undo()
    assert restored.restored == ()
    assert [(kept.path, kept.reason) for kept in restored.kept] == [
        ("grown", "is longer than 5 MiB"),
        ("large.bin", "is longer than 5 MiB"),
        ("nested/", "is a repository of its own"),
    ]
    assert (folder.root / "nested/x").read_text() == "1\n"


async def test_a_failure_in_the_middle_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n", "d/x": "1\n"})
    run = await begin_run(folder)

    def act() -> None:
        folder.write("a", "2\n")
        (folder.root / "b").unlink()
        shutil.rmtree(folder.root / "d")
        folder.write("d", "2\n")
        folder.git("add", "a")

    await run.step(act)
    after, index = tree_of(folder.root), folder.git("ls-files", "--stage")
    renamed = os.rename
    calls = 0

    def full(*args: str, src_dir_fd: int | None = None, dst_dir_fd: int | None = None) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        renamed(*args, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(AcError, match="disk is full"):
        await run.undo()
    assert calls > 3
    assert tree_of(folder.root) == after
    assert folder.git("ls-files", "--stage") == index
    monkeypatch.undo()
    assert len((await run.undo()).restored) == 4


class DiedError(BaseException):
    """The process has been killed."""


@pytest.mark.parametrize("steps", range(6))
async def test_a_restore_that_dies_is_completed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "old": "1\n", "d/x": "1\n"})
    before, index = tree_of(folder.root), folder.git("ls-files", "--stage")
    run = await begin_run(folder)

    def act() -> None:
        folder.git("rm", "-q", "-r", "d")
        folder.git("mv", "old", "new")
        folder.write("a", "2\n")
        folder.write("d", "2\n")
        folder.git("add", "-A")

    await run.step(act)
    left = steps

    def mortal(work: Callable[..., None], *args: object, **options: object) -> None:
        nonlocal left
        if not left:
            raise DiedError
        left -= 1
        work(*args, **options)

    for name, work in (("restore_entry", restore_entry), ("remove_entry", remove_entry)):
        monkeypatch.setattr(f"jupyter_ac.git.checkpoints.restore.{name}", partial(mortal, work))
    if steps < 5:
        with pytest.raises(DiedError):
            await run.undo()
    monkeypatch.undo()
    await run.undo()
    assert tree_of(folder.root) == before
    assert folder.git("ls-files", "--stage") == index


async def test_nothing_is_done_when_a_content_is_no_longer_stored(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    blob = folder.git("hash-object", str(folder.write("a", "mine\n")))
    run = await begin_run(folder)
    await run.step(lambda: (folder.write("a", "2\n"), folder.write("b", "2\n")))
    objects = folder.root / ".git/jupyter_ac/checkpoints/run/objects"
    (objects / blob[:2] / blob[2:]).unlink()
    before = tree_of(folder.root)
    with pytest.raises(NotFound, match="no longer stored"):
        await run.undo()
    assert tree_of(folder.root) == before
    shutil.rmtree(objects)
    with pytest.raises(NotFound, match="no longer stored"):
        await run.undo()


async def test_a_restore_needs_no_more_git_processes_for_more_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    for files in (3, 2000):
        folder = make_repository(
            tmp_path / str(files), {f"d{n % 9}/{n}": "1\n" for n in range(files)}
        )
        run = await begin_run(folder)
        started = count_git(monkeypatch)

        def act(folder: RepositoryFolder = folder, files: int = files) -> None:
            for number in range(files):
                folder.write(f"d{number % 9}/{number}", "2\n")

        await run.step(act)
        assert len((await run.undo()).restored) == files
        # The configuration is read again after a while.
        counts.append(sorted(command for command in started if command != "config"))
        monkeypatch.undo()
    assert counts[0] == counts[1]
