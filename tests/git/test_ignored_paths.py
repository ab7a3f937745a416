from pathlib import Path

import pytest

from jupyter_ac.git import ignored_paths
from jupyter_ac.git.ignored_paths import ignored_each
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import RepoPath
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "r", {".gitignore": "*.log\n", "docs/a": "1\n"})
    made.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    (made.root / "link").symlink_to("docs")
    return made


async def test_a_path_of_which_git_cant_tell_keeps_it_from_no_other(
    folder: RepositoryFolder,
) -> None:
    plain = [RepoPath(f"{number}.{end}") for number in range(20) for end in ("log", "txt")]
    bad = [RepoPath("sub/x"), RepoPath("link/a"), RepoPath("link/b.log")]
    found = await ignored_each(await discover(folder.root), [*plain[:7], *bad, *plain[7:]])
    assert found.ignored == {path for path in plain if path.endswith(".log")}
    assert found.failed.keys() == set(bad)
    assert "in submodule 'sub'" in found.failed[bad[0]].message
    assert "beyond a symbolic link" in found.failed[bad[1]].message


async def test_when_git_fails_for_all_it_is_asked_a_bounded_number_of_times(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ignored_paths, "_MOST_FAILURES", 3)
    folder.write(".git/index", b"broken")
    paths = [RepoPath(str(number)) for number in range(100)]
    found = await ignored_each(await discover(folder.root), paths)
    assert not found.ignored
    assert set(found.failed) == set(paths)


async def test_no_path_is_no_question(folder: RepositoryFolder) -> None:
    found = await ignored_each(await discover(folder.root), [])
    assert not found.ignored
    assert not found.failed
