"""Submodules, and repositories that lie inside without being any."""

import shutil
from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.ugly import add_submodule, clone, desk_at, ugly, with_user


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
    async with desk_at(folder) as desk:
        assert await desk.lists() == {}
        assert await desk.leaves() == [".gitmodules", "a", "sub/"]
        assert await desk.files() == [".gitmodules", "a"]
        assert await desk.call("is_clean") is True
        assert await desk.call("file_exists", "sub") is False
        assert await desk.call("is_binary_file", "sub") is False
        assert "not a file" in await desk.refusal("get_file_content", "sub")
        assert "no file 'sub' in 'HEAD'" in await desk.refusal("get_file_content", "sub", "HEAD")
        assert await desk.text("get_file_content", "sub/in") == "1\n"
        assert await desk.found("1") == [".gitmodules", "a"] or await desk.found("1") == ["a"]
        assert "is a folder" in await desk.refusal("delete_file", "sub")


async def test_a_submodule_that_is_not_committed_yet(
    tmp_path: Path, source: RepositoryFolder
) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    add_submodule(folder, source, "sub")
    async with desk_at(folder) as desk:
        assert await desk.lists() == {"staged": [".gitmodules", "sub"]}
        assert await desk.changed() == {".gitmodules": "added", "sub": "added"}
        assert "+Subproject commit" in await desk.text("get_staged_diff")
        await desk.do("unstage_files", ["sub", ".gitmodules"])
        assert await desk.lists() == {"untracked": [".gitmodules", "sub"]}
        await desk.do("stage_all")
        assert await desk.lists() == {"staged": [".gitmodules", "sub"]}
        await desk.do("discard_changes", ["sub"])
        assert await desk.lists() == {"staged": [".gitmodules"], "untracked": ["sub"]}
        assert (folder.root / "sub/in").exists()


async def test_new_commits_in_a_submodule(folder: RepositoryFolder) -> None:
    inside(folder).write("in", "2\n")
    after = inside(folder).commit("second")
    async with desk_at(folder) as desk:
        assert await desk.lists() == {"modified": ["sub"]}
        assert await desk.call("is_clean") is False
        assert f"+Subproject commit {after}" in await desk.text("get_unstaged_diff")
        for method in ("checkout_branch", "checkout_review_parent"):
            assert "have changes" in await desk.refusal(method, "main")
        await desk.do("stage_files", ["sub"])
        assert await desk.changed() == {"sub": "modified"}
        await desk.do("unstage_files", ["sub"])
        await desk.do("discard_changes", ["sub"])
        await desk.do("reset_hard")
        assert inside(folder).git("rev-parse", "HEAD") == after
        assert await desk.lists() == {"modified": ["sub"]}
        await desk.do("stage_all")
        await desk.do("commit", "follow")
        assert await desk.lists() == {}


async def test_what_is_dirty_inside_a_submodule_is_its_own_business(
    folder: RepositoryFolder,
) -> None:
    inside(folder).write("in", "dirty\n")
    inside(folder).write("untracked", "1\n")
    async with desk_at(folder) as desk:
        assert await desk.lists() == {}
        await desk.do("stage_all")
        await desk.do("reset_hard")
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
    async with desk_at(folder) as desk:
        await desk.do("write_file", f"{path}/in", "ours\n")
        await desk.do("create_file", f"{path}/new", "ours\n")
        for paths in ([f"{path}/in"], ["a", f"{path}/new"]):
            folder.write("a", "changed\n")
            for method in ("discard_changes", "stage_files"):
                said = await desk.refusal(method, paths)
                assert f"belongs to the repository {path!r}" in said
            assert (folder.root / "a").read_text() == "changed\n"
        await desk.do("discard_changes", ["a"])
        for old, new in (("a", f"{path}/a"), (f"{path}/in", "in"), (f"{path}/in", "sub2/in")):
            said = await desk.refusal("rename_file", old, new)
            assert f"{path!r} is a repository of its own" in said
        assert (folder.root / path / "in").read_text() == "ours\n"
        await desk.do("rename_file", f"{path}/in", f"{path}/below/moved")
        await desk.do("delete_file", f"{path}/below/moved")
        await desk.do("delete_file", f"{path}/new")
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
    async with desk_at(folder) as desk:
        assert await desk.lists() == {"untracked": ["empty", "one", "u/file", "u/two"]}
        assert await desk.leaves() == [".gitignore", "a", "empty/", "one/", "u/file", "u/two/"]
        assert await desk.files() == [".gitignore", "a", "u/file"]
        assert await desk.found("1") == ["a", "u/file"]
        assert "repository without a commit" in await desk.refusal("stage_files", ["u", "empty"])
        assert "staged" not in await desk.lists()
        await desk.do("stage_files", ["one"])
        assert (await desk.lists())["staged"] == ["one"]
        await desk.do("stage_all")
        assert await desk.lists() == {"staged": ["one", "u/file", "u/two"], "untracked": ["empty"]}
        await desk.do("unstage_files", ["one", "u"])
        await desk.do("discard_changes", ["one", "u/two", "empty"])
        assert await desk.lists() == {"untracked": ["empty", "one", "u/file", "u/two"]}
        await desk.do("rename_directory", "one", "v/moved")
        assert (folder.root / "v/moved/.git").is_dir()
        await desk.do("rename_directory", "u", "w")
        assert (await desk.lists())["untracked"] == ["empty", "v/moved", "w/file", "w/two"]


async def test_a_bare_repository_inside_is_just_files(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    folder.git("init", "-q", "--bare", "bare.git")
    async with desk_at(folder) as desk:
        assert "bare.git/HEAD" in await desk.files()
        await desk.do("stage_files", ["bare.git/HEAD"])
        assert (await desk.lists())["staged"] == ["bare.git/HEAD"]


async def test_a_submodule_is_moved_with_its_entry(folder: RepositoryFolder) -> None:
    async with desk_at(folder) as desk:
        assert "is a folder" in await desk.refusal("rename_file", "sub", "moved")
        await desk.do("rename_directory", "sub", "d/moved")
        assert await desk.lists() == {"staged": [".gitmodules", "d/moved", "sub"]}
        assert "path = d/moved" in (folder.root / ".gitmodules").read_text()
        assert await desk.leaves() == [".gitmodules", "a", "d/moved/"]
        assert inside(folder, "d/moved").git("status", "--porcelain") == ""


async def test_a_submodule_that_is_gone_from_disk_or_from_the_index(
    folder: RepositoryFolder,
) -> None:
    shutil.rmtree(folder.root / "sub")
    async with desk_at(folder) as desk:
        assert await desk.lists() == {"deleted": ["sub"]}
        assert "deleted file mode 160000" in await desk.text("get_unstaged_diff")
        await desk.do("discard_changes", ["sub"])
        assert await desk.lists() == {}
        folder.git("rm", "-q", "--cached", "sub")
        (folder.root / "sub").rmdir()
        assert await desk.lists() == {"staged": ["sub"], "deleted": ["sub"]}
        await desk.do("unstage_files", ["sub"])
        assert await desk.lists() == {"deleted": ["sub"]}


async def test_a_submodule_that_was_never_fetched(tmp_path: Path, folder: RepositoryFolder) -> None:
    far = clone(folder, tmp_path / "clone")
    async with desk_at(far) as desk:
        assert await desk.lists() == {}
        assert await desk.leaves() == [".gitmodules", "a", "sub/"]
        assert "'sub' is a repository" in await desk.refusal("rename_file", "a", "sub/a")
        await desk.do("stage_all")
        assert await desk.lists() == {}
        assert await desk.call("is_clean") is True


async def test_submodules_inside_of_submodules(
    folder: RepositoryFolder, source: RepositoryFolder
) -> None:
    add_submodule(inside(folder), source, "deep")
    inside(folder).commit("deeper")
    async with desk_at(folder) as desk:
        assert await desk.lists() == {"modified": ["sub"]}
        await desk.do("stage_all")
        assert await desk.text("get_file_content", "sub/deep/in") == "1\n"
        said = await desk.refusal("discard_changes", ["sub/deep/in"])
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
    async with desk_at(folder) as desk:
        lists = await desk.lists()
        assert (lists["conflicted"], lists["modified"]) == (["sub"], ["sub"])
        assert "diff --cc sub" in await desk.text("get_unstaged_diff")
        await desk.do("stage_files", ["sub"])
        assert await desk.lists() == {"operation": "merge"}
        await desk.do("commit", "ours")
        assert len(folder.git("log", "-1", "--format=%P").split()) == 2
