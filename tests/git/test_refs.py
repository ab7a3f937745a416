from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.git.refs import resolve_commit
from jupyter_ac.git.repository import discover
from tests.support.repositories import make_repository


async def test_names_of_every_kind_become_the_commits_hash(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    sha = folder.git("rev-parse", "HEAD")
    folder.git("tag", "-a", "v1", "-m", "an annotated tag has a hash of its own")
    folder.git("branch", "häst/a-b")
    repository = await discover(folder.root)
    for ref in ("HEAD", "main", "v1", "häst/a-b", sha, sha[:10], "HEAD^{}", "@"):
        assert await resolve_commit(repository, ref) == sha


@pytest.mark.parametrize(
    "ref", ["nowhere", "HEAD:a", "HEAD^{tree}", "HEAD~5", "a b", "main\nmain", "{"]
)
async def test_what_names_no_commit_is_not_found(tmp_path: Path, ref: str) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a": "x"}).root)
    with pytest.raises(NotFound, match="No commit is called"):
        await resolve_commit(repository, ref)


@pytest.mark.parametrize("ref", ["", "  ", "-n1", "--output=x", "a\0b", "\ud800", "x" * 1025])
async def test_what_can_not_be_a_name_is_refused(tmp_path: Path, ref: str) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a": "x"}).root)
    with pytest.raises(InvalidParams):
        await resolve_commit(repository, ref)


async def test_hashes_of_256_bits_are_known(tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    folder = make_repository(tmp_path / "other")
    folder.root = root
    folder.git("init", "--quiet", "--object-format=sha256")
    sha = folder.commit()
    assert len(sha) == 64
    assert await resolve_commit(await discover(root), "HEAD") == sha
