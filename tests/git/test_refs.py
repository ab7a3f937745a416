from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.git.branches import local_branches
from jupyter_ac.git.refs import NamedCommit, first_parent, merge_base, resolve_commit
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
    "ref",
    [
        *("nowhere", "HEAD:a", "HEAD^{tree}", "HEAD~5", "a b", "main\nmain", "{", "^HEAD", "@{-1}"),
        *("HEAD..HEAD", "HEAD...main", "-n1", "--output=x", "-Ox", "--upload-pack=x", "--all", "-"),
    ],
)
async def test_what_names_no_commit_is_not_found(tmp_path: Path, ref: str) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a": "x"}).root)
    with pytest.raises(NotFound, match="No commit is called"):
        await resolve_commit(repository, ref)


@pytest.mark.parametrize(
    "ref", ["", "  ", "a\0b", "\ud800", "x" * 1025, ":/first", "HEAD^{/first}", "main~0^{/((a*)*)}"]
)
async def test_what_can_not_be_a_name_is_refused(tmp_path: Path, ref: str) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a": "x"}).root)
    with pytest.raises(InvalidParams):
        await resolve_commit(repository, ref)


async def test_names_that_branches_may_have(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    first = folder.git("rev-parse", "HEAD")
    second = folder.commit("second")
    for branch in ("-x", "--all", "a#b", "é/ü", "HEAD", "@", "twice"):
        folder.git("update-ref", f"refs/heads/{branch}", first)
    folder.git("tag", "twice", second)
    repository = await discover(folder.root)
    for branch in ("-x", "--all", "a#b", "é/ü", "heads/twice", "refs/heads/HEAD"):
        assert await resolve_commit(repository, branch) == first
    for ref in ("HEAD", "@", "twice"):
        assert await resolve_commit(repository, ref) == folder.git("rev-parse", ref) == second
    assert {branch.name for branch in await local_branches(repository)} >= {"-x", "HEAD", "é/ü"}


async def test_hashes_of_256_bits_are_known(tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    folder = make_repository(tmp_path / "other")
    folder.root = root
    folder.git("init", "--quiet", "--object-format=sha256")
    sha = folder.commit()
    assert len(sha) == 64
    assert await resolve_commit(await discover(root), "HEAD") == sha


async def test_the_first_parent_of_a_commit(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    first = folder.git("rev-parse", "HEAD")
    folder.commit("second")
    repository = await discover(folder.root)
    found = await first_parent(repository, "HEAD")
    assert found == NamedCommit(first, folder.git("rev-parse", "--short", first))
    assert await first_parent(repository, first) is None
    with pytest.raises(NotFound):
        await first_parent(repository, "nowhere")


async def test_the_merge_base_of_two_refs_or_of_one_and_the_trunk(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    base = folder.git("rev-parse", "HEAD")
    folder.git("checkout", "-q", "-b", "side")
    folder.commit("on the side")
    folder.git("checkout", "-q", "main")
    folder.commit("on main")
    repository = await discover(folder.root)
    for other in ("main", None):
        found = await merge_base(repository, "side", other)
        assert found is not None
        assert found.sha == base
        assert base.startswith(found.short_sha)


async def test_histories_without_a_common_commit_have_no_merge_base(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("checkout", "-q", "--orphan", "other")
    folder.commit("a second root")
    assert await merge_base(await discover(folder.root), "main", "other") is None


async def test_without_a_trunk_the_other_ref_must_be_named(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("branch", "-m", "main", "trunk")
    with pytest.raises(NotFound, match="name the branch"):
        await merge_base(await discover(folder.root), "HEAD")


async def test_a_tag_called_main_is_not_the_trunk(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    base = folder.git("rev-parse", "HEAD")
    folder.git("branch", "-m", "main", "master")
    folder.git("checkout", "-q", "-b", "side")
    folder.git("tag", "main", folder.commit("tagged"))
    found = await merge_base(await discover(folder.root), "side")
    assert found is not None
    assert found.sha == base
