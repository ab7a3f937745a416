import shutil
from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict
from jupyter_ac.git.discarding import discard, refuse_overwriting
from jupyter_ac.git.repository import discover
from jupyter_ac.git.staging import git_names
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, diverge, make_repository


async def throw_away(folder: RepositoryFolder, *paths: str) -> None:
    repository = await discover(folder.root)
    named = await git_names(repository, paths)
    await changer_of(repository).change(lambda git: discard(git, named))


def texts(folder: RepositoryFolder) -> dict[str, str]:
    found = (path for path in folder.root.rglob("*") if ".git" not in path.parts)
    return {
        path.relative_to(folder.root).as_posix(): path.read_text()
        for path in found
        if path.is_file()
    }


async def test_every_class_of_change_is_undone_at_once(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"changed": "1\n", "staged": "1\n", "gone": "1\n"})
    folder.write("changed", "2\n")
    folder.write("staged", "2\n")
    folder.write("added", "1\n")
    folder.git("add", "staged", "added")
    folder.write("untracked", "1\n")
    (folder.root / "gone").unlink()
    await throw_away(
        folder, "changed", "staged", "gone", "added", "untracked", "missing and unknown"
    )
    assert texts(folder) == {"changed": "1\n", "staged": "1\n", "gone": "1\n"}
    assert folder.git("status", "--porcelain") == ""


async def test_other_files_keep_their_changes(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "ab": "1\n"})
    for name in ("a", "ab", "new"):
        folder.write(name, "2\n")
    await throw_away(folder, "a")
    assert texts(folder) == {"a": "1\n", "ab": "2\n", "new": "2\n"}


async def test_the_new_name_of_a_rename_takes_the_old_one_along(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"old": "1\n2\n3\n", "d/old": "4\n5\n6\n"})
    folder.git("mv", "old", "new")
    folder.git("mv", "d/old", "d/new")
    folder.write("new", "1\n2\n3\nmore\n")
    await throw_away(folder, "new", "d")
    assert texts(folder) == {"old": "1\n2\n3\n", "d/old": "4\n5\n6\n"}
    assert folder.git("status", "--porcelain") == ""


async def test_a_conflict_goes_back_to_our_side(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    diverge(folder, "a")
    folder.git("merge", "side", ok=(1,))
    await throw_away(folder, "a")
    assert texts(folder) == {"a": "main\n"}
    assert folder.git("ls-files", "--unmerged") == ""


async def test_folders_that_git_does_not_know_stay(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": "1\n"})
    folder.write("d/a", "2\n")
    folder.write("d/untracked", "2\n")
    folder.write("unknown/b", "2\n")
    await throw_away(folder, "d", "unknown")
    assert texts(folder) == {"d/a": "1\n", "d/untracked": "2\n", "unknown/b": "2\n"}


async def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.write("added", "1\n")
    folder.git("add", "added")
    folder.write("untracked", "1\n")
    await throw_away(folder, "added", "untracked")
    assert texts(folder) == {}
    assert folder.git("status", "--porcelain") == ""


async def test_links_and_modes_come_back_and_nothing_is_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("not ours\n")
    folder = make_repository(tmp_path / "r", {"run": "1\n"})
    (folder.root / "link").symlink_to("run")
    folder.commit("a link")
    (folder.root / "link").unlink()
    folder.write("link", "a file\n")
    (folder.root / "run").chmod(0o755)
    (folder.root / "out").symlink_to(outside)
    await throw_away(folder, "link", "run", "out")
    assert (folder.root / "link").readlink() == Path("run")
    assert not (folder.root / "run").stat().st_mode & 0o111
    assert not (folder.root / "out").is_symlink()
    assert outside.read_text() == "not ours\n"


async def test_names_are_no_patterns(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"*": "1\n", "a": "1\n"})
    folder.write("*", "2\n")
    folder.write("a", "2\n")
    await throw_away(folder, "*")
    assert texts(folder) == {"*": "1\n", "a": "2\n"}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """A file that is a folder now, with a file that git doesn't know, and the reverse."""
    folder = make_repository(tmp_path / "r", {"file": "1\n", "d/x": "1\n", "a": "1\n"})
    (folder.root / "file").unlink()
    folder.write("file/in", "mine\n")
    shutil.rmtree(folder.root / "d")
    folder.write("d", "mine\n")
    return folder


async def look(folder: RepositoryFolder, restored: set[str], going: set[str]) -> None:
    changer = changer_of(await discover(folder.root))
    await changer.change(lambda git: refuse_overwriting(git, restored, going))


@pytest.mark.parametrize(
    ("restored", "going", "said"),
    [
        ({"a", "file"}, set(), "The folder 'file' is in the way"),
        ({"a", "d/x"}, set(), "'d' is in the way"),
        ({"d/x", "file"}, {"d"}, "The folder 'file' is in the way"),
        ({"d/x", "file"}, {"file/in"}, "'d' is in the way"),
    ],
)
async def test_what_git_does_not_know_is_not_removed(
    folder: RepositoryFolder, restored: set[str], going: set[str], said: str
) -> None:
    with pytest.raises(Conflict, match=said):
        await look(folder, restored, going)


async def test_what_is_to_go_and_what_is_empty_leave_room(folder: RepositoryFolder) -> None:
    await look(folder, {"a", "d/x", "file"}, {"d", "file/in"})
    (folder.root / "file/in").unlink()
    (folder.root / "file/empty").mkdir()
    await look(folder, {"file"}, set())
    assert (folder.root / "file/empty").is_dir(), "it only looks"


async def test_what_git_ignores_or_another_repository_is_not_removed_either(
    folder: RepositoryFolder,
) -> None:
    folder.write(".git/info/exclude", "in\n")
    with pytest.raises(Conflict, match="'file'"):
        await look(folder, {"file"}, set())
    shutil.rmtree(folder.root / "file")
    make_repository(folder.root / "file")
    with pytest.raises(Conflict, match="'file'"):
        await look(folder, {"file"}, set())


async def test_a_submodule_is_where_it_belongs(folder: RepositoryFolder) -> None:
    make_repository(folder.root / "sub", {"in": "1\n"})
    folder.git("-c", "advice.addEmbeddedRepo=false", "add", "sub")
    folder.git("commit", "-q", "-m", "submodule")
    await look(folder, {"sub", "a"}, set())
    assert (folder.root / "sub/.git").is_dir()


async def test_a_link_holds_nothing_that_could_be_lost(folder: RepositoryFolder) -> None:
    (folder.root / "d").unlink()
    (folder.root / "d").symlink_to("file")
    await look(folder, {"d/x", "d/in"}, set())
    assert (folder.root / "d").is_symlink(), "it only looks"
