import asyncio
from pathlib import Path

import pytest

from jupyter_ac.git.nested import has_commit, is_repository, repository_above
from jupyter_ac.git.repository import Repository, discover
from tests.support.repositories import make_repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository with others inside: one below another, one empty, one behind a link."""
    folder = make_repository(tmp_path / "r", {"a": "1\n", "d/b": "1\n"})
    make_repository(folder.root / "d/one", {"in": "1\n"})
    make_repository(folder.root / "d/one/below/two", {"in": "1\n"})
    make_repository(folder.root / "empty")
    (folder.root / "link").symlink_to("d/one")
    return asyncio.run(discover(folder.root))


@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("a", ""),
        ("d/b", ""),
        ("d/one", ""),
        ("d/one/in", "d/one"),
        ("d/one/below/new/file", "d/one"),
        ("d/one/below/two", "d/one"),
        ("d/one/below/two/in", "d/one/below/two"),
        ("empty/new", "empty"),
        ("nowhere/at/all", ""),
    ],
)
def test_the_innermost_repository_that_holds_a_path(
    repository: Repository, path: str, above: str
) -> None:
    assert repository_above(repository, path) == above


def test_a_link_to_a_repository_is_none(repository: Repository) -> None:
    found = {
        name for name in ("d", "d/one", "empty", "link") if is_repository(repository.root / name)
    }
    assert found == {"d/one", "empty"}


async def test_one_that_is_empty_or_strange_has_no_commit(repository: Repository) -> None:
    (repository.root / "strange").mkdir()
    (repository.root / "strange/.git").write_text("gitdir: nowhere\n")
    assert await has_commit(repository, "d/one")
    assert not await has_commit(repository, "empty")
    assert not await has_commit(repository, "strange")
    assert not await has_commit(repository, "d")
