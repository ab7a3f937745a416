from pathlib import Path

import pytest

from jupyter_ac.errors import AlreadyExists, InvalidParams, NotFound, RefusedPath
from jupyter_ac.git.moving import remove, remove_folder, rename_file, rename_folder
from jupyter_ac.git.repository import discover
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, make_repository


async def rename(folder: RepositoryFolder, old: str, new: str, *, whole: bool = False) -> None:
    how = rename_folder if whole else rename_file
    changer = changer_of(await discover(folder.root))
    await changer.change(lambda git: how(git, old, new))


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "r", {"a": "1\n", "d/b": "2\n", "d/e/c": "3\n"})


async def test_a_tracked_file_is_renamed_in_the_index_as_well(folder: RepositoryFolder) -> None:
    await rename(folder, "a", "new folder/häst")
    assert folder.git("status", "--porcelain", "-z") == "R  new folder/häst\0a\0"


async def test_changes_travel_with_the_file(folder: RepositoryFolder) -> None:
    folder.write("a", "1\nmore\n")
    await rename(folder, "a", "b")
    assert folder.git("status", "--porcelain") == "RM a -> b"
    assert (folder.root / "b").read_text() == "1\nmore\n"


async def test_an_untracked_file_is_only_moved(folder: RepositoryFolder) -> None:
    folder.write("x/new", "mine\n")
    await rename(folder, "x/new", "y/new")
    assert folder.git("status", "--porcelain") == "?? y/"
    assert not (folder.root / "x").exists()


async def test_a_folder_moves_with_all_that_is_in_it(folder: RepositoryFolder) -> None:
    folder.write("d/untracked", "mine\n")
    await rename(folder, "d", "z/d", whole=True)
    assert folder.git("ls-files").split("\n") == ["a", "z/d/b", "z/d/e/c"]
    assert (folder.root / "z/d/untracked").read_text() == "mine\n"
    assert not (folder.root / "d").exists()


async def test_a_folder_without_tracked_files_is_only_moved(folder: RepositoryFolder) -> None:
    folder.write("x/new", "mine\n")
    await rename(folder, "x", "y", whole=True)
    assert (folder.root / "y/new").read_text() == "mine\n"


async def test_folders_left_empty_go(folder: RepositoryFolder) -> None:
    await rename(folder, "d/e/c", "c")
    assert not (folder.root / "d/e").exists()
    assert (folder.root / "d/b").exists()


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("nowhere", "b", NotFound),
        ("a", "d/b", AlreadyExists),
        ("a", "d", AlreadyExists),
        ("a", "a", AlreadyExists),
        ("d", "z", RefusedPath),
        ("a", "../b", RefusedPath),
        ("a", ".git/hooks/b", RefusedPath),
        ("a", "d/b/below a file", RefusedPath),
        (".git/config", "b", RefusedPath),
    ],
)
async def test_a_rename_that_can_not_be_changes_nothing(
    folder: RepositoryFolder, old: str, new: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await rename(folder, old, new)
    assert folder.git("status", "--porcelain") == ""


async def test_a_folder_can_not_go_into_itself_nor_a_file_pass_for_one(
    folder: RepositoryFolder,
) -> None:
    with pytest.raises(RefusedPath, match="into itself"):
        await rename(folder, "d", "d/e/d", whole=True)
    with pytest.raises(NotFound, match="not a folder"):
        await rename(folder, "a", "z", whole=True)
    assert folder.git("status", "--porcelain") == ""


async def test_a_name_may_change_its_case_only(folder: RepositoryFolder) -> None:
    await rename(folder, "a", "A")
    assert folder.git("ls-files").split("\n") == ["A", "d/b", "d/e/c"]


async def test_a_link_is_renamed_itself(folder: RepositoryFolder) -> None:
    (folder.root / "link").symlink_to("/etc/passwd")
    await rename(folder, "link", "other")
    assert (folder.root / "other").readlink() == Path("/etc/passwd")


async def test_a_removed_file_stays_in_the_index(folder: RepositoryFolder) -> None:
    repository = await discover(folder.root)
    assert await remove(repository, "d//b") == "d/b"
    assert folder.git("status", "--porcelain") == " D d/b"
    (folder.root / "link").symlink_to("/etc/passwd")
    await remove(repository, "link")
    assert not (folder.root / "link").is_symlink()


@pytest.mark.parametrize(
    ("path", "error"),
    [("nowhere", NotFound), ("d", RefusedPath), ("../x", RefusedPath), (".git/HEAD", RefusedPath)],
)
async def test_what_is_no_file_is_not_removed(
    folder: RepositoryFolder, path: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await remove(await discover(folder.root), path)
    assert folder.git("status", "--porcelain") == ""


async def remove_all(folder: RepositoryFolder, path: str) -> list[str]:
    changer = changer_of(await discover(folder.root))
    return sorted(await changer.change_files(lambda git: remove_folder(git, path)))


async def test_a_folder_s_files_are_removed_and_what_git_ignores_stays(tmp_path: Path) -> None:
    odd = "d/a\nb ü*?.txt"
    texts: dict[str, str | bytes] = {"d/a": "1\n", odd: "2\n", "d/e/f": "3\n", "o": "o\n"}
    folder = make_repository(tmp_path / "r", {**texts, ".gitignore": "*.log\n"})
    folder.write("d/new", "untracked\n")
    folder.write("d/e/kept.log", "ignored\n")
    (folder.root / "d/link").symlink_to("../o")
    (folder.root / "d/g").mkdir()
    folder.write("d/g/only", "x\n")
    assert await remove_all(folder, "d") == sorted(
        ["d/a", odd, "d/e/f", "d/new", "d/link", "d/g/only"]
    )
    left = sorted(path.relative_to(folder.root).as_posix() for path in folder.root.glob("d/**/*"))
    assert left == ["d/e", "d/e/kept.log"]
    assert (folder.root / "o").read_text() == "o\n"
    # The index has them still: the removal can be staged or taken back.
    assert "d/a" in folder.git("ls-files")
    folder.git("checkout", "--", "d")
    assert (folder.root / "d/a").read_text() == "1\n"


async def test_repositories_inside_a_removed_folder_stay(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": "1\n"})
    inner = make_repository(folder.root / "d/inner", {"mine": "1\n"})
    other = make_repository(tmp_path / "other", {"b": "1\n"})
    folder.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.root), "d/s")
    assert await remove_all(folder, "d") == ["d/a"]
    assert (inner.root / "mine").exists()
    assert (folder.root / "d/s/b").exists()


@pytest.mark.parametrize("path", ["d/a", "none", "link", "../r", ".git", "", "/tmp"])
async def test_only_a_folder_of_the_repository_is_removed(tmp_path: Path, path: str) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": "1\n"})
    (folder.root / "link").symlink_to("d")
    with pytest.raises((NotFound, RefusedPath, InvalidParams)):
        await remove_all(folder, path)
    assert (folder.root / "d/a").exists()
