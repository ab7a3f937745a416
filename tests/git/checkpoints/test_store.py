import asyncio
import errno
import os
import time
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, Conflict, InvalidParams, NotFound, RefusedPath
from jupyter_ac.git.checkpoints.store import MAX_RUNS, Checkpoint, CheckpointStore
from jupyter_ac.git.repository import discover
from jupyter_ac.git.runner import GitOptions
from tests.support.armed_repository import arm
from tests.support.checkpoint_runs import begin_run, count_git
from tests.support.repositories import RepositoryFolder, make_repository

LONG_AGO_S = 7200.0


async def store_of(folder: RepositoryFolder) -> CheckpointStore:
    return (await begin_run(folder)).store


async def contents(store: CheckpointStore, checkpoint: Checkpoint) -> dict[str, tuple[str, bytes]]:
    """Read mode and content of the files of a checkpoint, by path."""
    listing = ("ls-tree", "-r", "-z", checkpoint.files)
    rows = (await store.git([checkpoint], listing, GitOptions())).data.split(b"\0")[:-1]
    found = {}
    for row in rows:
        about, _, name = row.partition(b"\t")
        mode, _, blob = about.decode().split(" ")
        (data,) = await store.read_objects([checkpoint], [blob])
        found[os.fsdecode(name)] = mode, data
    return found


def state_of(folder: RepositoryFolder) -> tuple[bytes, str, str]:
    """Return the index, the refs and the number of objects."""
    index = (folder.root / ".git/index").read_bytes()
    return index, folder.git("for-each-ref"), folder.git("count-objects", "-v")


async def test_a_checkpoint_has_the_exact_bytes_of_all_files_that_git_does_not_ignore(
    tmp_path: Path,
) -> None:
    armed = arm(tmp_path)
    folder = armed.folder
    armed.set("core.autocrlf", "true")
    folder.write(".gitignore", "*.log\n")
    folder.write("x.log", "ignored\n")
    folder.write("filtered.txt", b"one\r\ntwo\n")
    folder.write("new/untracked.txt", b"\r\n\0\xff")
    (folder.root / "plain.md").unlink()
    (folder.root / "link").symlink_to("nowhere")
    (folder.root / "code.py").chmod(0o755)
    folder.write(".jupyter_ac-0123456789abcdef.tmp", "of a killed process\n")
    before = state_of(folder)
    armed.ran()
    store = await store_of(folder)
    found = await contents(store, await store.take("run"))
    assert armed.ran() == set()
    assert state_of(folder) == before
    assert found["filtered.txt"] == ("100644", b"one\r\ntwo\n")
    assert found["new/untracked.txt"] == ("100644", b"\r\n\0\xff")
    assert found["link"] == ("120000", b"nowhere")
    assert found["code.py"][0] == "100755"
    assert {name for name in found if not name.startswith(".githooks/")} == {
        *(".gitattributes", ".gitignore", "book.ipynb", "code.py", "filtered.txt"),
        *("folder/inner.md", "link", "multi.bin", "new/untracked.txt"),
    }


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
async def test_equal_trees_are_the_same_checkpoint(tmp_path: Path, object_format: str) -> None:
    root = tmp_path / 'r:with "quotes"'
    root.mkdir()
    folder = RepositoryFolder(root)
    folder.git("init", "--quiet", f"--object-format={object_format}")
    folder.write("a", "1\n")
    store = await store_of(folder)
    first = await store.take("run")
    folder.write("a", "2\n")
    second = await store.take("run")
    folder.write("a", "1\n")
    assert (await store.take("run")).name == first.name != second.name
    assert await contents(store, first) == {"a": ("100644", b"1\n")}
    assert await contents(store, second) == {"a": ("100644", b"2\n")}
    assert await store.find("run", first.name) == first


async def test_a_change_that_leaves_size_and_times_as_they_are_is_noticed(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    store = await store_of(folder)
    place = folder.root / "a"
    names = set()
    for text in ("2\n", "3\n", "4\n"):
        folder.write("a", text)
        os.utime(place, (1_700_000_000, 1_700_000_000))
        names.add((await store.take("run")).name)
    assert len(names) == 3


async def test_files_that_stay_are_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {f"d{n % 9}/{n}": f"{n}\n" for n in range(2000)})
    store = await store_of(folder)
    await asyncio.sleep(0.1)  # file systems count time in steps
    started = count_git(monkeypatch)
    await store.take("run")
    assert sorted(started) == ["config", "ls-files", "rev-parse", "status"]
    started.clear()
    opened: list[str] = []
    open_file = os.open

    def count(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        opened.append(Path(path).name)
        return open_file(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr("jupyter_ac.git.checkpoints.worktree_scan.os.open", count)
    folder.write("d1/1", "changed\n")
    await store.take("run")
    assert [name for name in opened if name.isdecimal()] == ["1"]
    assert set(started) - {"config"} == {"ls-files", "status"}
    assert len(started) <= 3


async def test_a_worktree_has_checkpoints_of_its_own_files(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("worktree", "add", "-q", "--detach", str(tmp_path / "w"))
    other = RepositoryFolder(tmp_path / "w")
    other.write("a", "2\n")
    store = await store_of(other)
    assert await contents(store, await store.take("run")) == {"a": ("100644", b"2\n")}


async def test_only_contents_that_the_repository_lacks_are_stored(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "d/b": "2\n"})
    store = await store_of(folder)
    await store.take("run")
    objects = folder.root / ".git/jupyter_ac/checkpoints/run/objects"
    kinds = [
        (await store.git([Checkpoint("run", "")], ("cat-file", "-t", name), GitOptions())).data
        for place in objects.glob("??/*")
        if (name := place.parent.name + place.name)
    ]
    assert sorted(kinds) == [b"blob\n", b"blob\n", b"tree\n", b"tree\n", b"tree\n"]


@pytest.mark.parametrize("name", ["", "..", "a/b", "a" * 101])
async def test_a_run_has_a_plain_name(tmp_path: Path, name: str) -> None:
    store = await store_of(make_repository(tmp_path / "r", {"a": "1\n"}))
    with pytest.raises(InvalidParams, match="name of a run"):
        await store.take(name)


async def test_a_checkpoint_that_is_gone_or_damaged_is_refused(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    store = await store_of(folder)
    with pytest.raises(NotFound, match="no longer stored"):
        await store.find("run", "0" * 40)
    checkpoint = await store.take("run")
    for name in ("0" * 40, "HEAD", "--help"):
        with pytest.raises(NotFound):
            await store.find("run", name)
    tree = folder.git("rev-parse", "HEAD^{tree}")
    with pytest.raises(NotFound):
        await store.find("run", tree)
    objects = folder.root / ".git/jupyter_ac/checkpoints/run/objects"
    for place in objects.glob("??/*"):
        place.chmod(0o600)
        place.write_bytes(b"")
    with pytest.raises((NotFound, Conflict)):
        await store.find("run", checkpoint.name)


async def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    store = await store_of(folder)
    folder.write(".git/jupyter_ac/checkpoints", "not a folder")
    with pytest.raises(AcError, match="checkpoints"):
        await store.take("run")
    (folder.root / ".git/jupyter_ac/checkpoints").unlink()
    (folder.root / ".git/jupyter_ac/checkpoints").symlink_to(tmp_path)
    with pytest.raises(RefusedPath):
        await store.take("run")
    assert not (tmp_path / "run").exists()


async def test_a_full_disk_is_said_and_the_next_checkpoint_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("b", "2\n")
    store = await store_of(folder)

    def full(_from: Path, _to: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(AcError, match="disk is full"):
        await store.take("run")
    monkeypatch.undo()
    found = await contents(store, await store.take("run"))
    assert found == {"a": ("100644", b"1\n"), "b": ("100644", b"2\n")}


async def test_old_runs_are_dropped(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    store = await store_of(folder)
    assert await store.prune([]) == []
    names = [f"run{number}" for number in range(MAX_RUNS + 3)]
    checkpoints = [await store.take(name) for name in (*names, "unknown", "recent")]
    place = folder.root / ".git/jupyter_ac/checkpoints"
    for age, name in enumerate([*names, "unknown"]):
        moment = time.time() - LONG_AGO_S - age
        os.utime(place / name, (moment, moment))
    assert sorted(await store.prune(names)) == sorted(["unknown", *names[-4:]])
    assert len(list(place.iterdir())) == MAX_RUNS
    with pytest.raises(NotFound, match="no longer stored"):
        await store.find(names[-1], checkpoints[0].name)
    assert (await store.find("run0", checkpoints[0].name)).run == "run0"


async def test_checkpoints_survive_the_process(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    checkpoint = await (await store_of(folder)).take("run")
    later = CheckpointStore(await discover(folder.root), folder.root / ".git/jupyter_ac")
    assert await contents(later, checkpoint) == {"a": ("100644", b"1\n")}
    folder.git("gc", "-q", "--prune=now")
    assert await contents(later, checkpoint) == {"a": ("100644", b"1\n")}
