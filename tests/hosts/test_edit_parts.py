"""What edits ask of a repository's disk, and what they are put together from."""

from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.edit_parts import RepositoryFacts
from tests.support.repositories import make_repository


@pytest.mark.parametrize(
    ("path", "is_there"),
    [
        ("my file.txt", True),
        ("docs", False),
        ("no file.txt", False),
        ("../repo/my file.txt", False),
        (".git/config", False),
        ("", False),
        ("a\0b", False),
        ("x" * 5000, False),
    ],
)
async def test_only_a_file_of_the_repository_exists(
    tmp_path: Path, path: str, *, is_there: bool
) -> None:
    folder = make_repository(tmp_path / "repo", {"my file.txt": "x\n", "docs/a": "x\n"})
    facts = RepositoryFacts(await discover(folder.root))
    assert facts.exists(path) is is_there
    assert not facts.is_reviewing()
