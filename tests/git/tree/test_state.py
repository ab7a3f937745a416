from pathlib import Path

from jupyter_ac.git.output_parsers import DiffStat
from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.disk import Disk
from jupyter_ac.git.tree.entries import CONFLICTED, DELETED, MODIFIED, TreeEntry
from jupyter_ac.git.tree.scan import GitAnswers
from jupyter_ac.git.tree.state import ScanResult, TreeState, head_of, merge_scan, update_state
from tests.support.repositories import RepositoryFolder, make_repository

MODES = b"N... 100644 100644 100644 "
HASHES = b"0" * 40 + b" " + b"1" * 40 + b" "


def _changed(letters: bytes, path: bytes) -> bytes:
    return b"1 " + letters + b" " + MODES + HASHES + path + b"\0"


def _unmerged(letters: bytes, path: bytes) -> bytes:
    return (
        b"u " + letters + b" N... 100644 100644 100644 100644 " + HASHES * 1 + b"2 " + path + b"\0"
    )


async def _state(
    folder: RepositoryFolder,
    answers: GitAnswers,
    stats: dict[str, DiffStat] | None = None,
    before: TreeState | None = None,
) -> TreeState:
    before = before or TreeState()
    repository = await discover(folder.root)
    observed = merge_scan(repository, before.scan, answers, before.scan.disk)
    return update_state(folder.root, before, observed, stats or {})


def _entries(state: TreeState) -> dict[str, TreeEntry]:
    files = [one.files.items() for one in state.filled.values()]
    return {path: TreeEntry._make(packed) for one in files for path, packed in one}


async def test_files_are_what_git_names_and_the_disk_has(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    for path in ("a", "d/b", "new"):
        folder.write(path, "1\n2\n")
    state = await _state(folder, GitAnswers(tracked=b"a\0d/b\0left out\0", status=b"? new\0"))
    assert {path: entry.lines for path, entry in _entries(state).items()} == {
        "a": 2,
        "d/b": 2,
        "new": 2,
    }


async def test_what_is_deleted_is_shown_unless_its_place_is_taken(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.write("was/a/file")
    folder.write("folder")
    answers = GitAnswers(
        tracked=b"folder\0was/a/file\0",
        status=b"".join(
            _changed(b".D", path)
            for path in (b"gone", b"was", b"was/a", b"folder/inside", b"both", b"both/inside")
        ),
    )
    entries = _entries(await _state(folder, answers))
    assert set(entries) == {"gone", "was/a/file", "folder", "both"}
    assert entries["gone"] == TreeEntry(0, 0.0, DELETED)


async def test_an_unmerged_file_that_is_not_there_is_deleted(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.write("there")
    answers = GitAnswers(
        tracked=b"gone\0there\0there\0there\0",
        status=_unmerged(b"DU", b"gone") + _unmerged(b"UU", b"there"),
    )
    state = await _state(folder, answers)
    assert state.lists.deleted == ["gone"]
    flags = {path: entry.flags for path, entry in _entries(state).items()}
    assert flags == {
        "gone": MODIFIED | DELETED | CONFLICTED,
        "there": MODIFIED | CONFLICTED,
    }


async def test_a_file_of_which_git_says_something_else_is_not_read_again(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    place = folder.write("a", b"\n\n\0")
    first = await _state(folder, GitAnswers(tracked=b"a\0"))
    place.chmod(0o755)  # what is read from here on would not be text
    place.write_bytes(b"\n\n\n")
    settled = TreeState(
        ScanResult(
            first.scan.answers,
            first.scan.tracked,
            first.scan.status,
            Disk(["a"], first.scan.disk.records),
        ),
        first.lists,
        first.deleted,
        first.filled,
    )
    answers = GitAnswers(tracked=b"a\0", status=_changed(b".M", b"a"))
    after = await _state(folder, answers, {"a": {"additions": 3, "deletions": 0}}, settled)
    assert _entries(after)["a"] == _entries(first)["a"]._replace(
        flags=_entries(first)["a"].flags | MODIFIED, additions=3
    )


def test_the_head_is_the_branch_and_the_commit() -> None:
    status = b"# branch.oid abc\0# branch.head l\xe9\0# branch.upstream o/m\0? # branch.oid x\0"
    assert head_of(GitAnswers(status=status)) == "l\udce9 abc"
    assert head_of(GitAnswers()) == ""
