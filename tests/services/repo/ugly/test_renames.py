"""Renames in every circumstance: done whole, or not at all."""

from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder, diverge
from tests.support.ugly import OK, repo_client, ugly
from tests.support.ugly_files import everything

FILES: dict[str, str | bytes] = {"a": "1\n2\n3\n", "d/b": "2\n", "d/e/c": "3\n", "only/f": "4\n"}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return ugly(tmp_path / "r", FILES)


@pytest.mark.parametrize("ignore_case", ["false", "true"])
async def test_a_name_may_change_its_case_alone(folder: RepositoryFolder, ignore_case: str) -> None:
    folder.git("config", "core.ignoreCase", ignore_case)
    async with repo_client(folder) as client:
        assert await client.call("rename_file", "a", "A") == OK
        assert await client.call("rename_directory", "d", "D") == OK
        assert await client.call("rename_file", "D/e/c", "D/E/C") == OK
        assert await client.leaves() == ["A", "D/E/C", "D/b", "only/f"]
        assert folder.git("ls-files").split("\n") == ["A", "D/E/C", "D/b", "only/f"]
        assert (await client.lists()).keys() == {"staged"}


REFUSED = [
    ("rename_file", "a", "a", "already"),
    ("rename_file", "a", "./a", "already"),
    ("rename_file", "a", "d", "already"),
    ("rename_file", "a", "d/b", "already"),
    ("rename_file", "a", "a/b", "a folder"),
    ("rename_file", "a", "d/b/x/y", "a folder"),
    ("rename_file", "d", "z", "is a folder"),
    ("rename_file", "nowhere", "z/y", "There is no file"),
    ("rename_directory", "d", "d", "already"),
    ("rename_directory", "d", "d/", "already"),
    ("rename_directory", "d", "d/e/x", "into itself"),
    ("rename_directory", "d", "a", "already"),
    ("rename_directory", "d", "a/z", "a folder"),
    ("rename_directory", "d", "only", "already"),
    ("rename_directory", "a", "z", "a folder"),
    ("rename_directory", "nowhere", "z", "There is no file"),
    ("rename_file", "a", f"new/{'y' * 256}", "too long"),
]


@pytest.mark.parametrize(("name", "old", "new", "words"), REFUSED)
async def test_a_rename_that_cannot_be_leaves_all_as_it_was(
    folder: RepositoryFolder, name: str, old: str, new: str, words: str
) -> None:
    before = everything(folder)
    async with repo_client(folder) as client:
        assert words in await client.refusal(name, old, new)
    after = everything(folder)
    assert after.pop(".git/index") is not None  # git may refresh it
    before.pop(".git/index")
    assert after == before


async def test_a_folder_takes_along_what_git_does_not_know(folder: RepositoryFolder) -> None:
    folder.write(".gitignore", "*.o\n")
    folder.write("d/new", "untracked\n")
    folder.write("d/x.o", "ignored\n")
    folder.write("d/e/c", "edited\n")
    async with repo_client(folder) as client:
        assert await client.call("rename_directory", "d", "w/v/d") == OK
        assert not (folder.root / "d").exists()
        assert (folder.root / "w/v/d/x.o").read_text() == "ignored\n"
        assert (folder.root / "w/v/d/new").read_text() == "untracked\n"
        assert folder.git("diff", "--name-only") == "w/v/d/e/c"
        assert await client.call("rename_directory", "w", "d") == OK
        assert await client.files() == [
            *(".gitignore", "a", "d/v/d/b", "d/v/d/e/c", "d/v/d/new", "only/f"),
        ]


async def test_empty_folders_can_be_renamed_and_emptied_ones_go(folder: RepositoryFolder) -> None:
    (folder.root / "empty/inner").mkdir(parents=True)
    async with repo_client(folder) as client:
        assert await client.call("rename_directory", "empty/inner", "new/place") == OK
        assert (folder.root / "new/place").is_dir()
        assert not (folder.root / "empty").exists()
        assert await client.call("rename_file", "only/f", "x/y/f") == OK
        assert not (folder.root / "only").exists()
        assert await client.call("rename_file", "d/b", "b") == OK
        assert (folder.root / "d").exists()


async def test_a_deleted_file_in_a_folder_is_named_before_anything_moves(
    folder: RepositoryFolder,
) -> None:
    (folder.root / "d/b").unlink()
    async with repo_client(folder) as client:
        said = await client.refusal("rename_directory", "d", "new/d")
        assert "'d/b' is deleted, but the index still has it" in said
        assert not (folder.root / "new").exists()
        assert client.status() == [" D d/b"]
        await client.do("stage_files", ["d/b"])
        assert await client.call("rename_directory", "d", "new/d") == OK


async def test_a_conflict_is_not_resolved_by_a_rename(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"f": "base\n", "g": "g\n"})
    diverge(folder, "f")
    folder.git("merge", "side", ok=(1,))
    unmerged = folder.git("ls-files", "--unmerged")
    async with repo_client(folder) as client:
        assert "in conflict" in await client.refusal("rename_file", "f", "new/f")
        await client.do("delete_file", "f")
        assert "in conflict" in await client.refusal("rename_file", "g", "f")
    assert folder.git("ls-files", "--unmerged") == unmerged
    assert not (folder.root / "new").exists()


async def test_the_name_of_a_deleted_file_is_free(folder: RepositoryFolder) -> None:
    (folder.root / "d/b").unlink()
    folder.write("new", "untracked\n")
    async with repo_client(folder) as client:
        assert await client.call("rename_file", "new", "d/b") == OK
        assert client.status() == [" M d/b"]
        (folder.root / "d/b").unlink()
        assert await client.call("rename_file", "a", "d/b") == OK
        assert client.status() == ["D  a", "M  d/b"]


async def test_an_intent_to_add_stays_one(folder: RepositoryFolder) -> None:
    folder.write("planned", "x\n")
    folder.git("add", "--intent-to-add", "planned")
    async with repo_client(folder) as client:
        assert await client.call("rename_file", "planned", "later/planned") == OK
        assert client.status() == [" A later/planned"]


async def test_a_copy_is_a_file_of_its_own(tmp_path: Path) -> None:
    """Also for who has git look for copies; throwing it away leaves what it was copied from."""
    folder = ugly(tmp_path / "r", {"a": "1\n2\n3\n4\n"})
    for key in ("status.renames", "diff.renames"):
        folder.git("config", key, "copies")
    folder.write("b", "1\n2\n3\n4\n")
    folder.write("a", "1\n2\n3\n4\n5\n")
    async with repo_client(folder) as client:
        await client.do("stage_all")
        assert "C  b" in folder.git("status", "--porcelain").replace("a -> ", "")
        assert await client.lists() == {"staged": ["a", "b"]}
        assert await client.changed() == {"a": "modified", "b": "added"}
        folder.write("b", "1\n2\n3\n4\n6\n")
        tree = await client.fields("get_file_tree")
        assert (tree["modified"], tree["staged"]) == (["b"], ["a", "b"])
        assert tree["diff_stats"] == {
            "a": {"additions": 1, "deletions": 0},
            "b": {"additions": 5, "deletions": 0},
        }
        await client.do("discard_changes", ["b"])
        assert client.status() == ["M  a"]
        assert not (folder.root / "b").exists()
