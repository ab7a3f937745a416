from pathlib import Path

import pytest

from jupyter_ac.errors import GitError, InvalidParams, NotFound
from jupyter_ac.git.branches import local_branches
from jupyter_ac.git.refs import (
    Head,
    NamedCommit,
    current_branch,
    first_parent,
    is_clean,
    last_commit,
    merge_base,
    resolve_commit,
)
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


async def test_the_branch_and_its_commit(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("checkout", "-q", "-b", "häst/side-1")
    sha = folder.git("rev-parse", "HEAD")
    assert await current_branch(await discover(folder.root)) == Head(
        "häst/side-1", sha, detached=False
    )


async def test_before_the_first_commit_the_branch_has_a_name_only(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r").root)
    assert await current_branch(repository) == Head("main", "", detached=False)
    assert await is_clean(repository)


async def test_a_detached_head_has_a_commit_only(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("checkout", "-q", "--detach")
    sha = folder.git("rev-parse", "HEAD")
    assert await current_branch(await discover(folder.root)) == Head(None, sha, detached=True)


async def test_a_worktree_has_a_branch_of_its_own(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "w"))
    assert (await current_branch(await discover(tmp_path / "w"))).branch == "side"
    assert (await current_branch(await discover(folder.root))).branch == "main"


async def test_a_broken_head_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    repository = await discover(folder.root)
    (folder.root / ".git" / "HEAD").write_text("nonsense\n")
    with pytest.raises(GitError):
        await current_branch(repository)
    with pytest.raises(GitError):
        await is_clean(repository)


async def test_untracked_files_leave_the_tree_clean(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.write("new", "x")
    assert await is_clean(await discover(folder.root))


@pytest.mark.parametrize("change", ["modified", "staged", "deleted"])
async def test_changes_to_tracked_files_make_it_unclean(tmp_path: Path, change: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    if change == "modified":
        folder.write("a", "longer")
    elif change == "deleted":
        (folder.root / "a").unlink()
    else:
        folder.write("b", "x")
        folder.git("add", "b")
    assert not await is_clean(await discover(folder.root))


async def test_very_many_changes_are_told_by_the_first(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {f"{index:04}": "x" for index in range(2000)})
    for index in range(2000):
        folder.write(f"{index:04}", "changed")
    assert not await is_clean(await discover(folder.root))


@pytest.mark.parametrize("damage", ["commit gone", "branch emptied"])
async def test_a_commit_that_can_not_be_read_is_not_taken_for_none(
    tmp_path: Path, damage: str
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    sha = folder.git("rev-parse", "HEAD")
    assert await last_commit(repository) == sha
    if damage == "commit gone":
        (folder.root / ".git/objects" / sha[:2] / sha[2:]).unlink()
    else:
        (folder.root / ".git/refs/heads/main").write_text("")
    for ask in (current_branch, last_commit):
        with pytest.raises(GitError, match="git can't"):
            await ask(repository)


async def test_before_the_first_commit_there_is_none(tmp_path: Path) -> None:
    assert await last_commit(await discover(make_repository(tmp_path / "r").root)) == ""
