"""The file contents in a diff are verified against the files on disk."""

from pathlib import Path

import pytest

from jupyter_ac.git import folder_race_checks
from jupyter_ac.git.diff_verification import files_in_diff, unverified_files
from jupyter_ac.git.diffs import unstaged_diff
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder, diverge, make_repository

OLD = "".join(f"{number}\n" for number in range(40))
NEW = OLD.replace("\n5\n", "\nfive\n").replace("\n30\n", "\n\nthirty\nmore\n")
ODD = 'odd " name\twith\nall\u00fc \\'


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    names = ("d/f", ODD, "crlf", "end", "a b", "gone")
    return make_repository(tmp_path / "r", dict.fromkeys(names, OLD))


async def unproved(folder: RepositoryFolder, diff: bytes) -> list[str]:
    repository = await discover(folder.root)
    return unverified_files(repository, diff, files_in_diff(diff))


def diff_of(folder: RepositoryFolder, *options: str) -> bytes:
    quoted = ("-c", "core.quotePath=false", *options)
    return folder.git(*quoted, "diff").encode("utf-8", "surrogateescape") + b"\n"


async def test_a_diff_of_the_files_themselves_is_proved(folder: RepositoryFolder) -> None:
    for name in ("d/f", ODD, "a b"):
        folder.write(name, NEW)
    folder.write("end", NEW.removesuffix("\n"))
    folder.write("crlf", NEW.replace("\n", "\r\n"))
    folder.write("link").unlink()
    (folder.root / "gone").unlink()
    diff = diff_of(folder, "-c", "core.autocrlf=input")
    assert files_in_diff(diff) == {"d/f", ODD, "a b", "end", "crlf"}
    assert await unproved(folder, diff) == []


async def test_other_lines_or_another_hash_are_not(folder: RepositoryFolder) -> None:
    folder.write("d/f", NEW)
    diff = diff_of(folder)
    shown = diff.partition(b"..")
    assert await unproved(folder, diff.replace(b"+five", b"+fife")) == ["d/f"]
    assert await unproved(folder, diff.replace(b" 28", b" 29")) == ["d/f"]
    other = shown[2][:1].translate(bytes.maketrans(b"0123456789abcdef", b"123456789abcdef0"))
    assert await unproved(folder, shown[0] + b".." + other + shown[2][1:]) == ["d/f"]
    (folder.root / "d/f").unlink()
    (folder.root / "d").rmdir()
    (folder.root / "d").symlink_to(folder.root)
    folder.write("f", NEW)
    assert await unproved(folder, diff) == ["d/f"]


async def test_of_a_conflict_nothing_is_proved(folder: RepositoryFolder) -> None:
    diverge(folder, "d/f")
    folder.git("merge", "side", ok=(1,))
    assert await unproved(folder, diff_of(folder)) == ["d/f"]


async def test_files_that_have_just_been_replaced_are_compared_once(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await discover(folder.root)
    monkeypatch.setattr(folder_race_checks, "TRIES", 1)
    for number in range(3):
        folder.write("d/draft", f"{number}\n{OLD}").replace(folder.root / "d/f")
        assert f"\n+{number}\n" in await unstaged_diff(repository)
