"""Writing into real repositories."""

import asyncio
import hashlib
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    AlreadyExists,
    BinaryFile,
    Busy,
    Conflict,
    GitError,
    InvalidParams,
    NotReady,
    RefusedPath,
    TooLarge,
)
from jupyter_ac.git.files import MAX_FILE_BYTES, file_hash, read_text
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.tree.serialize import flat_file_list
from jupyter_ac.git.writing import ALL_FILES, FileLocks, FileWriter
from jupyter_ac.store.locks import NamedLocks, hold
from tests.support.changing import writers_of
from tests.support.examples import examples
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.trees import file_tree


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "r", {"a.py": "old\n", "docs/b.md": "# B\n"})


def writer(folder: RepositoryFolder) -> FileWriter:
    common = folder.root / ".git"
    return writers_of(Repository(folder.root, common, common, folder.root.name)).files


async def test_a_file_is_replaced_made_and_hashed(folder: RepositoryFolder) -> None:
    files = writer(folder)
    written = await files.write("a.py", "new\n")
    assert (
        written.sha256 == sha256(b"new\n") == await file_hash(await discover(folder.root), "a.py")
    )
    assert (folder.root / "a.py").read_bytes() == b"new\n"
    await files.write("new/deep/c.txt", "c", "")
    assert (folder.root / "new/deep/c.txt").read_bytes() == b"c"
    assert folder.git("status", "--porcelain").splitlines() == [" M a.py", "?? new/"]


@pytest.mark.parametrize(
    "content", ["a\r\nb\r\n", "\ufeffbom", "no end", "mixed\r\n\n\r", "", "\u2028 \x85 \x0b 😀\x00"]
)
async def test_every_byte_of_the_content_is_kept(folder: RepositoryFolder, content: str) -> None:
    content = content.replace("\x00", "")
    await writer(folder).write("a.py", content)
    assert (folder.root / "a.py").read_bytes() == content.encode()
    assert await read_text(await discover(folder.root), "a.py") == content


@settings(deadline=None, max_examples=examples(60))
@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
)
def test_any_text_round_trips(first: str, second: str) -> None:
    async def write_twice(folder: RepositoryFolder) -> None:
        files, repository = writer(folder), await discover(folder.root)
        one = await files.write("t.txt", first)
        assert await read_text(repository, "t.txt") == first
        two = await files.write("t.txt", second, one.sha256)
        assert await read_text(repository, "t.txt") == second
        assert two.sha256 == sha256(second.encode())

    with tempfile.TemporaryDirectory() as place:
        asyncio.run(write_twice(make_repository(Path(place) / "r")))


odd = st.sampled_from(
    ["..", ".", "", ".git", ".GIT", "a", "git~1", ".git.", "C:", "\\", "é", "\udce9", "\0", "out"]
)


@settings(deadline=None, max_examples=examples(150))
@given(st.one_of(st.text(max_size=20), st.lists(odd, min_size=1, max_size=5).map("/".join)))
def test_any_path_is_refused_or_inside(path: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        outside = Path(place) / "outside"
        outside.mkdir()
        folder = make_repository(Path(place) / "r")
        (folder.root / "out").symlink_to(outside)
        git_before = _listing(folder.root / ".git")
        try:
            written = asyncio.run(writer(folder).write(path, "x"))
        except AcError:
            found = {"out"}
        else:
            found = {"out", written.path}
        names = {
            str(path.relative_to(folder.root))
            for path in folder.root.rglob("*")
            if path.is_symlink() or not path.is_dir()
        }
        names = {name for name in names if not name.startswith(".git/")}
        assert names == found
        assert list(outside.iterdir()) == []
        assert sorted(entry.name for entry in Path(place).iterdir()) == ["outside", "r"]
        assert _listing(folder.root / ".git") == git_before


def _listing(folder: Path) -> set[str]:
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if "jupyter_ac" not in path.relative_to(folder).parts
    }


async def test_a_write_over_what_nobody_saw_is_a_conflict(folder: RepositoryFolder) -> None:
    files = writer(folder)
    observed = sha256(b"old\n")
    first = await files.write("a.py", "mine\n", observed.upper())
    with pytest.raises(Conflict, match="read it again"):
        await files.write("a.py", "theirs\n", observed)
    assert (folder.root / "a.py").read_text() == "mine\n"
    await files.write("a.py", "then\n", first.sha256)
    (folder.root / "a.py").unlink()
    for removed in ("a.py", "never/was.py"):
        with pytest.raises(Conflict, match="no longer exists"):
            await files.write(removed, "x", observed)
    assert not (folder.root / "never").exists()
    with pytest.raises(InvalidParams, match="64 hex digits"):
        await files.write("a.py", "x", "abc")


async def test_an_editor_that_saves_in_between_is_noticed(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    really, target = os.fsync, folder.root / "a.py"

    def save_meanwhile(descriptor: int) -> None:
        really(descriptor)
        target.write_text("theirs\n")

    monkeypatch.setattr("os.fsync", save_meanwhile)
    with pytest.raises(Conflict, match="has changed"):
        await writer(folder).write("a.py", "mine\n", sha256(b"old\n"))
    assert target.read_text() == "theirs\n"


async def test_a_write_that_changes_nothing_touches_nothing(folder: RepositoryFolder) -> None:
    before = (folder.root / "a.py").stat()
    written = await writer(folder).write("a.py", "old\n")
    assert not written.changed
    after = (folder.root / "a.py").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


async def test_the_mode_stays(folder: RepositoryFolder) -> None:
    target = folder.root / "a.py"
    target.chmod(0o754)
    await writer(folder).write("a.py", "#!new\n")
    assert stat.S_IMODE(target.stat().st_mode) == 0o754


async def test_a_link_that_stays_inside_is_written_through(folder: RepositoryFolder) -> None:
    (folder.root / "link").symlink_to("docs/b.md")
    (folder.root / "dir").symlink_to("docs")
    (folder.root / "future").symlink_to("docs/later.md")
    files = writer(folder)
    for path, target in (("link", "b.md"), ("dir/b.md", "b.md"), ("future", "later.md")):
        await files.write(path, f"through {path}")
        assert (folder.root / "docs" / target).read_text() == f"through {path}"
    assert (folder.root / "link").is_symlink()
    assert (folder.root / "future").is_symlink()


async def test_places_that_are_closed_are_refused(folder: RepositoryFolder, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("theirs")
    (folder.root / "out").symlink_to(outside)
    (folder.root / "in_git").symlink_to(".git/hooks")
    os.mkfifo(folder.root / "pipe")
    files = writer(folder)
    closed = [
        "out",
        "in_git/post-commit",
        ".git/config",
        ".GIT/x",
        "../x",
        "/etc/x",
        "docs",
        "pipe",
    ]
    closed += ["a.py/x", "x" * 300, ".jupyter_ac-0123456789abcdef.tmp"]
    for path in closed:
        with pytest.raises(RefusedPath):
            await files.write(path, "x")
        with pytest.raises((RefusedPath, AlreadyExists)):
            await files.create(path, "x")
    assert outside.read_text() == "theirs"
    assert not (folder.root / ".git/hooks/post-commit").exists()


async def test_a_path_that_ends_as_a_folders_does_names_no_file(folder: RepositoryFolder) -> None:
    files = writer(folder)
    for path in ("new/", "new\\", "a.py/", "docs/", "docs/new//"):
        for writing in (files.write(path, "x"), files.create(path, "x")):
            with pytest.raises(RefusedPath, match="names a folder"):
                await writing
    assert not (folder.root / "new").exists()
    folder.write("odd\\", "x")
    await files.write("odd\\", "y")
    assert (folder.root / "odd\\").read_text() == "y"


async def test_a_repository_that_was_moved_is_said_and_not_made_again(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    files = writer(folder)
    folder.root.rename(tmp_path / "moved")
    for writing in (files.write("a.py", "x"), files.create("b.py", "x")):
        with pytest.raises(GitError, match=f"The folder '{folder.root.name}' was removed"):
            await writing
    assert not folder.root.exists()


async def test_what_is_no_text_stays_as_it_is(folder: RepositoryFolder) -> None:
    files = writer(folder)
    for name, data in {"latin.txt": b"caf\xe9\n", "nul": b"a\0b"}.items():
        folder.write(name, data)
        with pytest.raises(BinaryFile):
            await files.write(name, "x")
        assert (folder.root / name).read_bytes() == data
    with pytest.raises(BinaryFile, match="NUL"):
        await files.write("a.py", "a\0b")
    with pytest.raises(InvalidParams, match="half of a character"):
        await files.write("a.py", "a\ud800")


async def test_sizes_have_a_limit(folder: RepositoryFolder) -> None:
    files = writer(folder)
    with pytest.raises(TooLarge, match="10 MiB"):
        await files.write("a.py", "x" * (MAX_FILE_BYTES + 1))
    await files.write("a.py", "x" * MAX_FILE_BYTES)
    with (folder.root / "a.py").open("ab") as file:
        file.write(b"y")
    with pytest.raises(TooLarge, match="10 MiB"):
        await files.write("a.py", "small")


async def test_a_new_file_takes_no_name_that_something_has(folder: RepositoryFolder) -> None:
    files = writer(folder)
    (folder.root / "dangling").symlink_to("nowhere")
    for taken in ("a.py", "docs", "dangling"):
        with pytest.raises(AlreadyExists, match="already"):
            await files.create(taken, "x")
    assert (await files.create("new/c.py")).sha256 == sha256(b"")
    with pytest.raises(AlreadyExists):
        await files.create("new/c.py")
    outcomes = await asyncio.gather(
        *(files.create("race", str(n)) for n in range(8)), return_exceptions=True
    )
    assert sum(isinstance(outcome, AlreadyExists) for outcome in outcomes) == 7
    assert not (folder.root / "nowhere").exists()


async def test_a_file_that_may_not_be_written_stays(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_args, **_options: False)  # root may do everything
    with pytest.raises(AccessDenied, match=r"'a\.py' may not be written; change its permissions"):
        await writer(folder).write("a.py", "x")
    assert (folder.root / "a.py").read_text() == "old\n"


async def test_a_folder_that_may_not_be_written_is_said(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = os.open

    def refuse(path: str, flags: int, *args: int, **options: int) -> int:
        if flags & os.O_CREAT and str(path).startswith(".jupyter_ac-"):
            raise PermissionError(13, "Permission denied")
        return really(path, flags, *args, **options)

    monkeypatch.setattr("os.open", refuse)
    files = writer(folder)
    for refused in (files.write("docs/b.md", "x"), files.create("docs/c.md")):
        with pytest.raises(AccessDenied, match="may not be written; change its permissions or its"):
            await refused


@pytest.mark.parametrize(
    ("number", "kind", "sentence"),
    [
        (28, TooLarge, "'a.py' couldn't be written: the disk is full; free some space"),
        (13, AccessDenied, "may not be written"),
        (30, AccessDenied, "may not be written"),
        (5, NotReady, "'a.py' couldn't be read or written: the disk fails"),
    ],
)
async def test_what_the_disk_refuses_is_one_sentence(
    folder: RepositoryFolder,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    kind: type[AcError],
    sentence: str,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, "I/O")

    monkeypatch.setattr("os.rename", refuse)
    with pytest.raises(kind, match=sentence):
        await writer(folder).write("a.py", "new")
    assert (folder.root / "a.py").read_text() == "old\n"
    assert folder.git("status", "--porcelain") == ""


async def test_writers_of_one_file_come_one_after_another(folder: RepositoryFolder) -> None:
    """A hundred increments, each by read, hash, write: none is lost, in one process and in two."""
    ours, theirs = writer(folder), writer(folder)
    repository = await discover(folder.root)
    folder.write("n", "0")

    async def count(files: FileWriter, times: int) -> None:
        while times:
            observed = await file_hash(repository, "n")
            assert observed is not None
            number = int(await read_text(repository, "n"))
            try:
                await files.write("n", str(number + 1), observed)
            except Conflict:
                continue
            times -= 1

    async with asyncio.timeout(60):
        await asyncio.gather(*(count(files, 10) for files in (ours, theirs) for _ in range(5)))
    assert (folder.root / "n").read_text() == "100"
    assert len(list((folder.root / ".git/jupyter_ac/locks").glob("*.lock"))) == 1


async def test_another_process_that_holds_the_file_is_named(folder: RepositoryFolder) -> None:
    state = folder.root / ".git/jupyter_ac"
    state.mkdir()
    repository = await discover(folder.root)
    files = FileWriter(repository, FileLocks(repository, NamedLocks(state, wait_s=0.05)))
    await files.write("a.py", "first\n")
    (lock,) = (state / "locks").glob("*.lock")
    async with hold(state, lock.stem):
        with pytest.raises(Busy, match=rf"'a\.py' can't be written now\. Process {os.getpid()}"):
            await files.write("a.py", "x")
        await files.write("docs/b.md", "another file\n")
    await files.write("a.py", "second\n")
    assert (folder.root / "a.py").read_text() == "second\n"


async def test_a_write_that_is_cancelled_keeps_its_lock_until_it_is_over(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go_on = asyncio.Event(), asyncio.Event()
    loop, really = asyncio.get_running_loop(), os.rename

    def slow(old: str, new: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        loop.call_soon_threadsafe(started.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(30)
        really(old, new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr("os.rename", slow)
    files = writer(folder)
    writing = asyncio.create_task(files.write("a.py", "half-way\n"))
    await asyncio.wait_for(started.wait(), 30)
    for _ in range(2):
        writing.cancel()
        await asyncio.sleep(0)
    assert not writing.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert (folder.root / "a.py").read_text() == "half-way\n"
    await asyncio.wait_for(files.write("a.py", "after\n"), 30)


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from jupyter_ac.git.repository import discover
from tests.support.changing import writers_of

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

async def main():
    root = Path(sys.argv[1])
    os.rename = die
    await writers_of(await discover(root)).files.write(sys.argv[2], "new")

asyncio.run(main())
"""


async def test_a_killed_writer_leaves_the_old_file_and_nothing_that_stays(
    folder: RepositoryFolder,
) -> None:
    files = writer(folder)
    for path in ("a.py", "docs/b.md"):
        command = [sys.executable, "-c", KILLED, str(folder.root), path]
        assert subprocess.run(command, check=False, timeout=60).returncode == -9
    repository = await discover(folder.root)
    assert (folder.root / "a.py").read_text() == "old\n"
    assert len(folder.git("ls-files", "--others").splitlines()) == 2
    assert (await file_tree(repository))["untracked"] == []
    assert await flat_file_list(repository) == "a.py\ndocs/b.md"
    await files.write("a.py", "after\n")
    assert folder.git("ls-files", "--others").startswith("docs/.jupyter_ac-")
    assert len(await files.remove_temp_files()) == 1
    assert folder.git("ls-files", "--others") == ""
    assert await files.remove_temp_files() == []


async def test_a_draft_is_swept_also_where_git_ignores_it(folder: RepositoryFolder) -> None:
    folder.write(".gitignore", "*.tmp\nout/\n")
    left = [folder.write(f"{where}.jupyter_ac-{'0' * 16}.tmp") for where in ("", "out/", "docs/")]
    stored = folder.write("out/other.tmp")
    assert len(await writer(folder).remove_temp_files()) == 3
    assert [place.exists() for place in (*left, stored)] == [False, False, False, True]


async def locks_of(tmp_path: Path) -> FileLocks:
    repository = await discover(make_repository(tmp_path / "r", {"d/a": "1\n"}).root)
    return FileLocks(repository, NamedLocks(tmp_path))


async def test_spellings_of_one_file_have_one_tag(tmp_path: Path) -> None:
    locks = await locks_of(tmp_path)
    assert len(set(await locks.tags("d/a", "d//a", "d\\a", "D/A"))) == 1
    assert len(set(await locks.tags("d/a", "d/b", "a"))) == 3
    with pytest.raises(RefusedPath):
        await locks.tags("d/a", "../a")


async def test_two_who_want_the_same_files_in_another_order_both_get_them(tmp_path: Path) -> None:
    locks = await locks_of(tmp_path)
    one, other = await locks.tags("d/a", "d/b")
    done: list[str] = []

    async def take(*tags: str) -> None:
        for _ in range(20):
            async with locks.hold("d/a", *tags):
                await asyncio.sleep(0)
        done.append(tags[0])

    async with asyncio.timeout(30):
        await asyncio.gather(take(one, other), take(other, one))
    assert sorted(done) == sorted([one, other])


async def test_a_file_named_twice_is_locked_once(tmp_path: Path) -> None:
    locks = await locks_of(tmp_path)
    (tag,) = await locks.tags("d/a")
    async with asyncio.timeout(30), locks.hold("d/a", tag, tag):
        assert len(list((tmp_path / "locks").glob("file-*.lock"))) == 1


async def test_every_file_has_one_of_the_locks_that_stand_for_all(tmp_path: Path) -> None:
    locks = await locks_of(tmp_path)
    tags = await locks.tags(*(f"d/{number}" for number in range(200)))
    async with asyncio.timeout(30), locks.hold("d", *tags):
        taken = {path.stem for path in (tmp_path / "locks").glob("*.lock")}
    assert taken == set(ALL_FILES)
