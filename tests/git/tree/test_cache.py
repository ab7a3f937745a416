"""The cache is transparent: the tree equals that of a new cache."""

import asyncio
import contextlib
import gc
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.errors import GitError
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.tree import cache as tree_cache
from jupyter_ac.git.tree import scan as tree_look
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.tree.disk import GRAIN_S, Disk
from jupyter_ac.git.tree.entries import (
    BINARY,
    DELETED,
    LINK,
    MODIFIED,
    STAGED,
    SUBMODULE,
    UNTRACKED,
)
from jupyter_ac.git.tree.scan import GitAnswers
from jupyter_ac.git.tree.snapshot import Snapshot
from tests.support.examples import examples
from tests.support.jupyter_files import BESIDE, with_setting, write_beside
from tests.support.repositories import RepositoryFolder, diverge, make_repository

# Hundreds of git's processes: `make check` leaves them to `make test`.
pytestmark = pytest.mark.slow

Operation = Callable[[RepositoryFolder], object]


def _same_size(folder: RepositoryFolder) -> None:
    place = folder.root / "a"
    place.write_bytes(place.read_bytes().translate(bytes.maketrans(b"\nx", b"x\n")))


def _same_size_and_time(folder: RepositoryFolder) -> None:
    place = folder.root / "a"
    found = place.stat()
    _same_size(folder)
    os.utime(place, ns=(found.st_atime_ns, found.st_mtime_ns))


def _swap(folder: RepositoryFolder) -> None:
    (folder.root / "a").rename(folder.root / "t")
    (folder.root / "d/b").rename(folder.root / "a")
    (folder.root / "t").rename(folder.root / "d/b")


def _file_to_folder(folder: RepositoryFolder) -> None:
    (folder.root / "a").unlink()
    folder.write("a/inner", "x\ny\n")


def _folder_to_file(folder: RepositoryFolder) -> None:
    shutil.rmtree(folder.root / "d")
    folder.write("d", "file\n")


def _folder_to_link(folder: RepositoryFolder) -> None:
    shutil.rmtree(folder.root / "d")
    (folder.root / "d").symlink_to("e")


def _file_to_link(folder: RepositoryFolder) -> None:
    (folder.root / "a").unlink()
    (folder.root / "a").symlink_to("e/c")


def _file_to_pipe(folder: RepositoryFolder) -> None:
    (folder.root / "a").unlink()
    os.mkfifo(folder.root / "a")


def _exclude_everywhere(folder: RepositoryFolder) -> None:
    own = folder.root / ".git" / "own-excludes"
    own.write_text("*.log\n")
    folder.git("config", "core.excludesFile", str(own))


def _attributes_aside(folder: RepositoryFolder) -> None:
    (folder.root / ".git" / "info" / "attributes").write_text("* -diff\n")


def _ignored_attributes(folder: RepositoryFolder) -> None:
    (folder.root / ".git" / "info" / "exclude").write_text(".gitattributes\n")
    folder.write("d/.gitattributes", "* -diff\n")


def _conflict(folder: RepositoryFolder) -> None:
    folder.git("stash", ok=(0, 1))
    diverge(folder, "a")
    folder.git("merge", "side", ok=(1,))


def _nested(folder: RepositoryFolder) -> None:
    make_repository(folder.root / "nested", {"n": "x"})


def _rename(folder: RepositoryFolder) -> None:
    folder.git("mv", "d/b", "e/moved", ok=(0, 1, 128))
    folder.write("e/moved", "x\ny\nz\n")


OPERATIONS: dict[str, Operation] = {
    "another size": lambda r: r.write("a", "x\ny\nz\nz\n"),
    "same size": _same_size,
    "same size and time": _same_size_and_time,
    "two swapped": _swap,
    "touched": lambda r: os.utime(r.root / "a", (1, 1)),
    "far future": lambda r: os.utime(r.root / "a", (2**33, 2**33)),
    "executable": lambda r: (r.root / "a").chmod(0o755),
    "a file becomes a pipe": _file_to_pipe,
    "deleted": lambda r: (r.root / "a").unlink(),
    "a file becomes a folder": _file_to_folder,
    "a folder becomes a file": _folder_to_file,
    "a folder becomes a link": _folder_to_link,
    "a file becomes a link": _file_to_link,
    "new": lambda r: r.write("d/new.log", "1\n2\n"),
    "new, not UTF-8": lambda r: r.write("l\udce9/l\udce9", "1\n2\n"),
    "new folder": lambda r: r.write("x/y/z", "1\n"),
    "binary": lambda r: r.write("d/b", b"\0"),
    "add": lambda r: r.git("add", "-A", ok=(0, 128)),
    "unstage": lambda r: r.git("reset", "-q", ok=(0, 128)),
    "reset hard": lambda r: r.git("reset", "-q", "--hard", ok=(0, 128)),
    "commit": lambda r: r.git("commit", "-q", "-am", "more", ok=(0, 1, 128)),
    "empty commit": lambda r: r.git("commit", "-q", "--allow-empty", "-m", "no", ok=(0, 128)),
    "checkout": lambda r: r.git("checkout", "-q", "--orphan", "other", ok=(0, 1, 128)),
    "detach": lambda r: r.git("checkout", "-q", "--detach", ok=(0, 1, 128)),
    "stash": lambda r: r.git("stash", "-u", ok=(0, 1)),
    "out of the index": lambda r: r.git("rm", "-q", "--cached", "a", ok=(0, 1, 128)),
    "renamed and edited": _rename,
    "intent to add": lambda r: (r.write("later"), r.git("add", "-N", "later")),
    "unseen": lambda r: r.git("update-index", "--assume-unchanged", "d/b", ok=(0, 128)),
    "skipped": lambda r: r.git("update-index", "--skip-worktree", "d/b", ok=(0, 128)),
    "sparse": lambda r: r.git("sparse-checkout", "set", "e", ok=(0, 1, 128)),
    "not sparse": lambda r: r.git("sparse-checkout", "disable", ok=(0, 1, 128)),
    "conflict": _conflict,
    "nested repository": _nested,
    ".gitignore": lambda r: r.write(".gitignore", "*.log\nx/\n"),
    "nested .gitignore": lambda r: r.write("d/.gitignore", "*\n"),
    "info/exclude": lambda r: (r.root / ".git/info/exclude").write_text("*.log\n"),
    "core.excludesFile": _exclude_everywhere,
    ".gitattributes": lambda r: r.write(".gitattributes", "* -diff\n"),
    "info/attributes": _attributes_aside,
    "ignored .gitattributes": _ignored_attributes,
    "core.fileMode": lambda r: r.git("config", "core.fileMode", "false"),
    "core.autocrlf": lambda r: r.git("config", "core.autocrlf", "input"),
    "diff.algorithm": lambda r: r.git("config", "diff.algorithm", "histogram"),
    "index without a checksum": lambda r: r.git("config", "index.skipHash", "true"),
    "split index": lambda r: r.git("update-index", "--split-index"),
    "merge begun": lambda r: (r.root / ".git/MERGE_HEAD").write_text(r.git("rev-parse", "HEAD")),
}

FILES: dict[str, str | bytes] = {
    "a": "x\ny\nx\nxx\n",
    "d/b": "b\nb\n",
    "d/old.log": "log\n",
    "e/c": "c\n",
    "e/b": "other b\n",
}


def _content(snapshot: Snapshot) -> tuple[object, ...]:
    return (snapshot.head, snapshot.encoded.text, dict(snapshot.entries))


async def _assert_like_a_new_one(cache: TreeCache, repository: Repository) -> Snapshot:
    stored, new = await cache.snapshot(), await TreeCache(repository).snapshot()
    assert _content(stored) == _content(new)
    assert set(stored.paths) == set(new.entries)
    assert set(stored.folders) == set(new.folders)
    return stored


@pytest.mark.parametrize("name", OPERATIONS)
async def test_each_outside_change_is_in_the_next_tree(name: str, tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    folder.write("d/b", "b\nB\n")
    repository = await discover(folder.root)
    cache = TreeCache(repository)
    before = await cache.snapshot()
    OPERATIONS[name](folder)
    after = await _assert_like_a_new_one(cache, repository)
    assert (after.version == before.version) == (_content(after) == _content(before))
    assert await _assert_like_a_new_one(cache, repository) is after


WITH_A_PIPE = ("deleted", "touched", "a file becomes a folder", "a file becomes a link", "new")
"""What can be done where a file has become a pipe; to open one is to wait for its other end."""


@given(names=st.lists(st.sampled_from(sorted(OPERATIONS)), min_size=2, max_size=7))
@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
def test_any_row_of_outside_changes_leads_to_the_tree_of_a_new_cache(names: list[str]) -> None:
    async def run(folder: RepositoryFolder) -> None:
        repository = await discover(folder.root)
        cache = TreeCache(repository)
        known = {"": await cache.snapshot()}
        for name in names:
            if (folder.root / "a").is_fifo() and name not in WITH_A_PIPE:
                continue
            with contextlib.suppress(OSError, AssertionError):  # not every one follows on every one
                OPERATIONS[name](folder)
            snapshot = await _assert_like_a_new_one(cache, repository)
            for older in known.values():
                mine, theirs = dict(snapshot.entries), dict(older.entries)
                differing = {path for path, _ in mine.items() ^ theirs.items()}
                assert snapshot.changed_from(older) == sorted(differing)
            known[snapshot.version] = snapshot

    with TemporaryDirectory() as directory:
        asyncio.run(run(make_repository(Path(directory) / "r", FILES)))


async def test_changes_within_one_grain_of_the_clock_are_seen(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "0\n"})
    cache = TreeCache(await discover(folder.root))
    for content, lines in (("a\nb\n", 2), ("abc\n", 1), ("\n\n\n\n", 4), ("abcd", 0)) * 3:
        folder.write("a", content)
        assert (await cache.snapshot()).entries["a"].lines == lines


async def _settled(cache: TreeCache) -> Snapshot:
    """Look until no file is so new that it has to be read again."""
    async with asyncio.timeout(30):
        while True:
            snapshot = await cache.snapshot()
            if cache.is_settled:
                return snapshot
            await asyncio.sleep(0.01)


async def test_nothing_is_compared_or_read_again_while_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    folder.write("a", "x\n")
    cache = TreeCache(await discover(folder.root))
    first = await _settled(cache)
    for name in ("ask_changed_lines", "update_state"):
        monkeypatch.delattr(tree_cache, name)
    assert await cache.snapshot() is first


async def test_only_the_folder_that_changed_is_spelt_anew(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    cache = TreeCache(await discover(folder.root))
    before = await cache.snapshot()
    folder.write("d/b", "more\nlines\n")
    after = await cache.snapshot()
    assert after.changed_from(before) == ["d/b"]
    assert after.filled["e"] is before.filled["e"]
    assert after.filled["d"] is not before.filled["d"]


async def test_flags_and_lines_say_what_git_says(tmp_path: Path) -> None:
    inner = make_repository(tmp_path / "inner", {"s": "x\n"})
    folder = make_repository(tmp_path / "r", FILES)
    folder.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    folder.write("a", "x\n")
    folder.git("add", "a")
    folder.write("a", "x\ny\n")
    folder.write("new", b"\0")
    (folder.root / "link").symlink_to("a")
    (folder.root / "e/c").unlink()
    entries = (await TreeCache(await discover(folder.root)).snapshot()).entries
    found = {path: (entry.flags, *entry[3:]) for path, entry in entries.items()}
    assert found == {
        ".gitmodules": (STAGED, 3, 0),
        "a": (MODIFIED | STAGED, 1, 3),
        "d/b": (0, 0, 0),
        "d/old.log": (0, 0, 0),
        "e/b": (0, 0, 0),
        "e/c": (DELETED, 0, 1),
        "link": (UNTRACKED | LINK, 0, 0),
        "new": (UNTRACKED | BINARY, 0, 0),
        "sub": (STAGED | SUBMODULE, 1, 0),
    }


async def test_the_branch_and_the_commit_are_the_head(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    cache = TreeCache(await discover(folder.root))
    first = await cache.snapshot()
    assert first.head == f"main {folder.git('rev-parse', 'HEAD')}"
    folder.git("checkout", "-q", "-b", "other")
    second = await cache.snapshot()
    assert second.head.startswith("other ")
    assert second.version != first.version
    assert second.changed_from(first) == []


async def test_who_asks_while_a_look_is_under_way_gets_one_that_began_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    cache = TreeCache(await discover(folder.root))
    begun = 0
    under_way, go_on = asyncio.Event(), asyncio.Event()

    async def ask(
        repository: Repository, before: GitAnswers, names: Sequence[str]
    ) -> tuple[GitAnswers, Disk]:
        nonlocal begun
        begun += 1
        under_way.set()
        found = await tree_look.ask(repository, before, names)
        await go_on.wait()
        return found

    monkeypatch.setattr(tree_cache, "ask", ask)
    early = asyncio.create_task(cache.snapshot())
    await under_way.wait()
    folder.write("a", "1\n2\n3\n")
    late = [asyncio.create_task(cache.snapshot()) for _ in range(20)]
    go_on.set()
    snapshots = await asyncio.gather(*late)
    assert {snapshot.entries["a"].lines for snapshot in snapshots} == {3}
    assert await early is not None
    assert begun == 2


async def test_a_look_that_fails_is_an_error_and_the_next_one_works(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    repository = await discover(folder.root)
    cache = TreeCache(repository)
    first = await cache.snapshot()
    (folder.root / ".git").rename(folder.root / "hidden")
    for result in await asyncio.gather(
        *(cache.snapshot() for _ in range(3)), return_exceptions=True
    ):
        assert isinstance(result, GitError)
    (folder.root / "hidden").rename(folder.root / ".git")
    assert (await _assert_like_a_new_one(cache, repository)).version == first.version


async def test_a_pipe_in_the_place_of_a_file_does_not_hide_the_tree(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    folder.write("d/b", "1\n")
    (folder.root / "a").unlink()
    os.mkfifo(folder.root / "a")
    cache = TreeCache(await discover(folder.root))
    entries = (await cache.snapshot()).entries
    assert entries["a"][2:] == (MODIFIED, 0, 0)
    assert entries["d/b"][2:] == (MODIFIED, 1, 2)
    (folder.root / "a").unlink()
    assert (await cache.snapshot()).entries["d/b"][2:] == (MODIFIED, 1, 2)


async def test_a_partial_clone_without_what_was_changed_shows_its_tree(tmp_path: Path) -> None:
    origin = make_repository(tmp_path / "origin", {"a": "1\n"})
    origin.git("config", "uploadpack.allowFilter", "true")
    origin.write("a", "2\n")
    origin.commit()
    clone = RepositoryFolder(tmp_path / "clone")
    origin.git("clone", "-q", "--filter=blob:none", f"file://{origin.root}", str(clone.root))
    clone.git("reset", "-q", "--soft", "HEAD~")
    snapshot = await TreeCache(await discover(clone.root)).snapshot()
    assert snapshot.entries["a"][2:] == (STAGED, 0, 0)


async def test_the_garbage_collector_has_nothing_to_look_at_for_each_file(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", FILES)
    snapshot = await TreeCache(await discover(folder.root)).snapshot()
    gc.collect()
    packed = [one for held in snapshot.filled.values() for one in held.files.values()]
    assert len(packed) == len(FILES)
    assert not any(map(gc.is_tracked, packed))


async def test_what_jupyter_writes_comes_and_goes_with_the_wish(tmp_path: Path) -> None:
    tracked = "deep/.ipynb_checkpoints/kept-checkpoint.py"
    folder = make_repository(tmp_path / "r", {"a.py": "1\n", tracked: "1\n"})
    folder.write(tracked, "1\n2\n")
    folder.write("new.py")
    write_beside(folder)
    await asyncio.sleep(2 * GRAIN_S)
    repository, wish = await with_setting(folder)
    cache = TreeCache(repository)
    first = await cache.snapshot()
    assert first.paths == ("a.py", tracked, "new.py")
    assert (first.lists.untracked, first.lists.modified) == (["new.py"], [tracked])
    assert cache.is_settled
    for _ in range(2):
        wish.is_shown = True
        all_of_them = await cache.snapshot()
        assert all_of_them.paths == tuple(sorted([*BESIDE, "a.py", tracked, "new.py"]))
        assert all_of_them.lists.untracked == sorted([*BESIDE, "new.py"])
        assert all_of_them.changed_from(first) == sorted(BESIDE)
        wish.is_shown = False
        fewer = await cache.snapshot()
        assert (fewer.paths, fewer.lists) == (first.paths, first.lists)
        assert fewer.version != first.version
        assert await cache.snapshot() is fewer


async def test_a_file_of_jupyters_that_git_shall_forget_is_shown_as_deleted(tmp_path: Path) -> None:
    tracked = ".ipynb_checkpoints/plot-checkpoint.py"
    folder = make_repository(tmp_path / "r", {"a.py": "1\n", tracked: "1\n"})
    folder.git("rm", "-q", "--cached", tracked)
    repository, wish = await with_setting(folder)
    cache = TreeCache(repository)
    observed = await cache.snapshot()
    assert (observed.lists.deleted, observed.lists.untracked) == ([tracked], [])
    assert observed.entries[tracked].flags & DELETED
    wish.is_shown = True
    observed = await cache.snapshot()
    assert (observed.lists.deleted, observed.lists.untracked) == ([], [tracked])
