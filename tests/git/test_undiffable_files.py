import os
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.git.undiffable_files import (
    EVERYTHING,
    SPECIAL,
    TOO_LARGE,
    Comparison,
    blob_sizes,
    quoted,
    size_on_disk,
    unshown_files,
    without,
)
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "r", {"a": "1\n", "large": "1\n" * 100, "pipe": "1\n"})
    made.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    made.write("a", "2\n")
    (made.root / "large").unlink()
    (made.root / "pipe").unlink()
    os.mkfifo(made.root / "pipe")
    return made


async def test_changed_files_are_named_with_the_reason(folder: RepositoryFolder) -> None:
    repository = await discover(folder.root)

    async def reasons(limit: int, *what: str, paths: tuple[str, ...] = ()) -> dict[str, str]:
        found = await unshown_files(repository, Comparison(what, paths, {}, {}), limit)
        return {each.name: each.reason for each in found}

    assert await reasons(1000) == {"pipe": SPECIAL}
    assert await reasons(100) == {"pipe": SPECIAL, "large": TOO_LARGE}
    assert await reasons(100, paths=("a", "large")) == {"large": TOO_LARGE}
    everything = {"a": TOO_LARGE, "large": TOO_LARGE, "pipe": SPECIAL, "sub": TOO_LARGE}
    assert await reasons(EVERYTHING) == everything
    assert await reasons(EVERYTHING, "--cached") == {"sub": TOO_LARGE}


async def test_sizes_are_those_of_contents_and_of_plain_files(folder: RepositoryFolder) -> None:
    repository = await discover(folder.root)
    blob, missing = folder.git("rev-parse", "HEAD:large"), "2" * 40
    assert await blob_sizes(repository, [missing, blob, blob[:7]]) == {blob: 200, blob[:7]: 200}
    assert await blob_sizes(repository, []) == {}
    assert [size_on_disk(repository, name) for name in ("a", "pipe", "large")] == [2, 0, 0]


def test_names_stand_as_git_writes_them() -> None:
    assert [quoted(name) for name in ("a b", 'a"b', "a\\b", "a\nb\x01")] == [
        "a b",
        '"a\\"b"',
        '"a\\\\b"',
        '"a\\nb\\001"',
    ]


def test_patterns_leave_files_out_literally() -> None:
    assert without((), ["*"]) == [":(top)", ":(top,exclude,literal)*"]
    assert without(["d"], ["d/x"]) == [":(top,literal)d", ":(top,exclude,literal)d/x"]
