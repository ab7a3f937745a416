"""Submodules, and repositories that lie inside without being any."""

import shutil
from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.ugly import add_submodule, clone, repo_client, ugly, with_user


@pytest.fixture
def source(tmp_path: Path) -> RepositoryFolder:
    return ugly(tmp_path / "source", {"in": "1\n"})


@pytest.fixture
def folder(tmp_path: Path, source: RepositoryFolder) -> RepositoryFolder:
    """A repository with a submodule, all of it committed."""
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    add_submodule(folder, source, "sub")
    folder.commit("submodule")
    with_user(inside(folder))
    return folder


def inside(folder: RepositoryFolder, path: str = "sub") -> RepositoryFolder:
    return RepositoryFolder(folder.root / path, folder.clock)


async def test_a_clean_submodule_is_one_leaf(folder: RepositoryFolder) -> None:
    async with repo_client(folder) as client:
        assert await client.lists() == {}
        assert await client.leaves() == [".gitmodules", "a", "sub/"]
        assert await client.files() == [".gitmodules", "a"]
        assert await client.call("is_clean") is True
        assert await client.call("file_exists", "sub") is False
        assert await client.call("is_binary_file", "sub") is False
        assert "not a file" in await client.refusal("get_file_content", "sub")
        assert "no file 'sub' in 'HEAD'" in await client.refusal("get_file_content", "sub", "HEAD")
        assert await client.text("get_file_content", "sub/in") == "1\n"
        assert await client.found("1") == [".gitmodules", "a"] or await client.found("1") == ["a"]
        assert "is a folder" in await client.refusal("delete_file", "sub")


async def test_a_submodule_that_is_not_committed_yet(
    tmp_path: Path, source: RepositoryFolder
) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    add_submodule(folder, source, "sub")
    async with repo_client(folder) as client:
        assert await client.lists() == {"staged": [".gitmodules", "sub"]}
        assert await client.changed() == {".gitmodules": "added", "sub": "added"}
        assert "+Subproject commit" in await client.text("get_staged_diff")
        await client.do("unstage_files", ["sub", ".gitmodules"])
        assert await client.lists() == {"untracked": [".gitmodules", "sub"]}
        await client.do("stage_all")
        assert await client.lists() == {"staged": [".gitmodules", "sub"]}
        await client.do("discard_changes", ["sub"])
        assert await client.lists() == {"staged": [".gitmodules"], "untracked": ["sub"]}
        assert (folder.root / "sub/in").exists()


async def test_new_commits_in_a_submodule(folder: RepositoryFolder) -> None:
    inside(folder).write("in", "2\n")
    after = inside(folder).commit("second")
    async with repo_client(folder) as client:
        assert await client.lists() == {"modified": ["sub"]}
        assert await client.call("is_clean") is False
        assert f"+Subproject commit {after}" in await client.text("get_unstaged_diff")
        for method in ("checkout_branch", "checkout_review_parent"):
            assert "have changes" in await client.refusal(method, "main")
        await client.do("stage_files", ["sub"])
        assert await client.changed() == {"sub": "modified"}
        await client.do("unstage_files", ["sub"])
        await client.do("discard_changes", ["sub"])
        await client.do("reset_hard")
        assert inside(folder).git("rev-parse", "HEAD") == after
        assert await client.lists() == {"modified": ["sub"]}
        await client.do("stage_all")
        await client.do("commit", "follow")
        assert await client.lists() == {}


async def test_what_is_dirty_inside_a_submodule_is_its_own_business(
    folder: RepositoryFolder,
) -> None:
    inside(folder).write("in", "dirty\n")
    inside(folder).write("untracked", "1\n")
    async with repo_client(folder) as client:
        assert await client.lists() == {}
        await client.do("stage_all")
        await client.do("reset_hard")
        assert folder.git("diff", "--cached", "--name-only") == ""
        assert inside(folder).git("status", "--porcelain") == " M in\n?? untracked"


@pytest.mark.parametrize("path", ["sub", "nested", "deep/nested", "empty"])
async def test_files_of_another_repository_are_read_and_written_and_no_more(
    folder: RepositoryFolder, path: str
) -> None:
    """Discarding deleted them, and a rename into one made it a plain folder in the index."""
    for name in ("nested", "deep/nested"):
        make_repository(folder.root / name, {"in": "1\n"})
    make_repository(folder.root / "empty")
    folder.write("empty/in", "1\n")
    before = desk_status(folder)
    async with repo_client(folder) as client:
        await client.do("write_file", f"{path}/in", "ours\n")
        await client.do("create_file", f"{path}/new", "ours\n")
        for paths in ([f"{path}/in"], ["a", f"{path}/new"]):
            folder.write("a", "changed\n")
            for method in ("discard_changes", "stage_files"):
                said = await client.refusal(method, paths)
                assert f"belongs to the repository {path!r}" in said
            assert (folder.root / "a").read_text() == "changed\n"
        await client.do("discard_changes", ["a"])
        for old, new in (("a", f"{path}/a"), (f"{path}/in", "in"), (f"{path}/in", "sub2/in")):
            said = await client.refusal("rename_file", old, new)
            assert f"{path!r} is a repository of its own" in said
        assert (folder.root / path / "in").read_text() == "ours\n"
        await client.do("rename_file", f"{path}/in", f"{path}/below/moved")
        await client.do("delete_file", f"{path}/below/moved")
        await client.do("delete_file", f"{path}/new")
        assert desk_status(folder) == before


def desk_status(folder: RepositoryFolder) -> str:
    return folder.git("status", "--porcelain", "-uall", "--ignore-submodules=dirty")


async def test_repositories_that_are_no_submodules(tmp_path: Path) -> None:
    """A repository without a commit kept everything else from being staged."""
    folder = ugly(tmp_path / "r", {"a": "1\n", ".gitignore": "ignored/\n"})
    for name in ("one", "u/two", "ignored/three"):
        make_repository(folder.root / name, {"in": "1\n"})
    make_repository(folder.root / "empty")
    folder.write("u/file", "1\n")
    async with repo_client(folder) as client:
        assert await client.lists() == {"untracked": ["empty", "one", "u/file", "u/two"]}
        assert await client.leaves() == [".gitignore", "a", "empty/", "one/", "u/file", "u/two/"]
        assert await client.files() == [".gitignore", "a", "u/file"]
        assert await client.found("1") == ["a", "u/file"]
        assert "repository without a commit" in await client.refusal("stage_files", ["u", "empty"])
        assert "staged" not in await client.lists()
        await client.do("stage_files", ["one"])
        assert (await client.lists())["staged"] == ["one"]
        await client.do("stage_all")
        assert await client.lists() == {
            "staged": ["one", "u/file", "u/two"],
            "untracked": ["empty"],
        }
        await client.do("unstage_files", ["one", "u"])
        await client.do("discard_changes", ["one", "u/two", "empty"])
        assert await client.lists() == {"untracked": ["empty", "one", "u/file", "u/two"]}
        await client.do("rename_directory", "one", "v/moved")
        assert (folder.root / "v/moved/.git").is_dir()
        await client.do("rename_directory", "u", "w")
        assert (await client.lists())["untracked"] == ["empty", "v/moved", "w/file", "w/two"]


async def test_a_bare_repository_inside_is_just_files(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    folder.git("init", "-q", "--bare", "bare.git")
    async with repo_client(folder) as client:
        assert "bare.git/HEAD" in await client.files()
        await client.do("stage_files", ["bare.git/HEAD"])
        assert (await client.lists())["staged"] == ["bare.git/HEAD"]


async def test_a_submodule_is_moved_with_its_entry(folder: RepositoryFolder) -> None:
    async with repo_client(folder) as client:
        assert "is a folder" in await client.refusal("rename_file", "sub", "moved")
        await client.do("rename_directory", "sub", "d/moved")
        assert await client.lists() == {"staged": [".gitmodules", "d/moved", "sub"]}
        assert "path = d/moved" in (folder.root / ".gitmodules").read_text()
        assert await client.leaves() == [".gitmodules", "a", "d/moved/"]
        assert inside(folder, "d/moved").git("status", "--porcelain") == ""


async def test_a_submodule_that_is_gone_from_disk_or_from_the_index(
    folder: RepositoryFolder,
) -> None:
    shutil.rmtree(folder.root / "sub")
    async with repo_client(folder) as client:
        assert await client.lists() == {"deleted": ["sub"]}
        assert "deleted file mode 160000" in await client.text("get_unstaged_diff")
        await client.do("discard_changes", ["sub"])
        assert await client.lists() == {}
        folder.git("rm", "-q", "--cached", "sub")
        (folder.root / "sub").rmdir()
        assert await client.lists() == {"staged": ["sub"], "deleted": ["sub"]}
        await client.do("unstage_files", ["sub"])
        assert await client.lists() == {"deleted": ["sub"]}


async def test_a_submodule_that_was_never_fetched(tmp_path: Path, folder: RepositoryFolder) -> None:
    far = clone(folder, tmp_path / "clone")
    async with repo_client(far) as client:
        assert await client.lists() == {}
        assert await client.leaves() == [".gitmodules", "a", "sub/"]
        assert "'sub' is a repository" in await client.refusal("rename_file", "a", "sub/a")
        await client.do("stage_all")
        assert await client.lists() == {}
        assert await client.call("is_clean") is True


async def test_submodules_inside_of_submodules(
    folder: RepositoryFolder, source: RepositoryFolder
) -> None:
    add_submodule(inside(folder), source, "deep")
    inside(folder).commit("deeper")
    async with repo_client(folder) as client:
        assert await client.lists() == {"modified": ["sub"]}
        await client.do("stage_all")
        assert await client.text("get_file_content", "sub/deep/in") == "1\n"
        said = await client.refusal("discard_changes", ["sub/deep/in"])
        assert "belongs to the repository 'sub/deep'" in said


async def test_a_conflict_about_a_submodule(folder: RepositoryFolder) -> None:
    first = inside(folder).git("rev-parse", "HEAD")
    for branch in ("side", "main"):
        folder.git("checkout", "-q", *(("-b", "side") if branch == "side" else ("main",)))
        inside(folder).git("checkout", "-q", first)
        inside(folder).write("in", f"{branch}\n")
        inside(folder).commit(branch)
        folder.commit(branch)
    folder.git("merge", "side", ok=(1,))
    async with repo_client(folder) as client:
        lists = await client.lists()
        assert (lists["conflicted"], lists["modified"]) == (["sub"], ["sub"])
        assert "diff --cc sub" in await client.text("get_unstaged_diff")
        await client.do("stage_files", ["sub"])
        assert await client.lists() == {"operation": "merge"}
        await client.do("commit", "ours")
        assert len(folder.git("log", "-1", "--format=%P").split()) == 2
