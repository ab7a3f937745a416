import os
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError, NotFound, NotReady, RefusedPath
from jupyter_ac.git.plain_folder import own_git_dir, plain_folder_around
from jupyter_ac.git.repository import discover, initialise, open_plain_folder
from jupyter_ac.git.runner import run_git
from jupyter_ac.git.tree.cache import TreeCache
from tests.support.repositories import make_repository


@pytest.fixture(autouse=True)
def data_dir(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Jupyter's data directory, outside of the folders."""
    place = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(place))
    return place


def write(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x = 1\n", encoding="utf-8")
    return folder


async def test_a_folder_is_opened_without_a_repository_and_nothing_is_written_there(
    tmp_path: Path, data_dir: Path
) -> None:
    folder = write(tmp_path / "pro ject", "a.py", "sub/b.py")
    with pytest.raises(NotFound):
        await discover(folder)
    opened = await open_plain_folder(folder)
    assert opened.is_plain_folder
    assert opened.root == folder
    assert opened.git_dir.is_relative_to(data_dir)
    assert await discover(folder / "sub") == opened
    assert await open_plain_folder(folder) == opened
    assert sorted(each.name for each in folder.iterdir()) == ["a.py", "sub"]
    assert await run_git(folder, "status", "--porcelain") == b"?? a.py\n?? sub/\n"


async def test_its_files_are_listed_without_states_and_without_what_is_large(
    tmp_path: Path,
) -> None:
    folder = write(tmp_path / "p", "a.py", "sub/b.py", "node_modules/m/i.js", ".venv/x.py")
    opened = await open_plain_folder(folder)
    cache = TreeCache(opened)
    first = await cache.snapshot()
    assert set(first.entries) == {"a.py", "sub/b.py"}
    write(folder, "new.py")
    (folder / "a.py").unlink()
    second = await cache.snapshot()
    assert set(second.entries) == {"new.py", "sub/b.py"}
    lists = second.lists
    assert not [*lists.modified, *lists.staged, *lists.untracked, *lists.deleted]
    # As after an edit, which is staged there.
    await run_git(folder, "add", "new.py")
    (folder / "new.py").unlink()
    third = await cache.snapshot()
    assert set(third.entries) == {"sub/b.py"}
    assert not third.lists.deleted


async def test_a_repository_around_it_or_made_of_it_is_preferred(tmp_path: Path) -> None:
    folder = write(tmp_path / "outer/inner", "a.py")
    await open_plain_folder(folder)
    assert (await initialise(folder)).git_dir == folder / ".git"
    assert own_git_dir(folder) is None

    other = write(tmp_path / "around/within", "a.py")
    await open_plain_folder(other)
    around = make_repository(tmp_path / "around", {"b.py": "x"})
    found = await discover(other)
    assert (found.root, found.is_plain_folder) == (around.root, False)


async def test_links_lead_to_the_same_folder(tmp_path: Path) -> None:
    folder = write(tmp_path / "p", "a.py")
    opened = await open_plain_folder(folder)
    (tmp_path / "link").symlink_to(folder)
    assert await discover(tmp_path / "link") == opened
    assert plain_folder_around(tmp_path / "link") == folder
    assert plain_folder_around(tmp_path) is None


async def test_what_holds_everything_or_is_gits_own_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for folder in (tmp_path, tmp_path.parent, Path("/")):
        with pytest.raises(RefusedPath, match="home directory"):
            await open_plain_folder(folder)
    inside = make_repository(tmp_path / "r").root / ".git/hooks"
    inside.mkdir(exist_ok=True)
    with pytest.raises(RefusedPath, match="git directory"):
        await open_plain_folder(inside)


async def test_a_data_directory_that_cant_be_written_is_said(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = data_dir / "file"
    file.touch()
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(file))
    with pytest.raises(NotReady, match="data directory"):
        await open_plain_folder(write(tmp_path / "p", "a.py"))


async def test_a_damaged_directory_of_ours_is_gits_error(tmp_path: Path) -> None:
    folder = write(tmp_path / "p", "a.py")
    opened = await open_plain_folder(folder)
    (opened.git_dir / "HEAD").write_bytes(os.urandom(8))
    with pytest.raises(GitError):
        await run_git(folder, "status")
