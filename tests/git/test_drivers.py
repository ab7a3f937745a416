from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.drivers import without_programs
from jupyter_ac.git.repository import discover
from tests.support.repositories import make_repository
from tests.support.trees import file_tree


async def test_the_filters_of_the_repository_are_emptied(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("config", "filter.a.b=c.clean", "evil")
    folder.git("config", "filter.lfs.required", "true")
    overrides = await without_programs(await discover(folder.root))
    assert overrides["filter.a.b=c.clean"] == ""
    assert overrides["filter.a.b=c.process"] == ""
    assert overrides["filter.lfs.required"] == "false"
    assert len(overrides) == 8


async def test_the_filters_of_one_worktree_are_emptied(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("config", "extensions.worktreeConfig", "true")
    folder.git("config", "--worktree", "filter.w.clean", "evil")
    assert "filter.w.clean" in await without_programs(await discover(folder.root))


async def test_the_filters_of_the_user_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".gitconfig").write_text('[filter "upper"]\n clean = tr a-z A-Z\n')
    folder = make_repository(tmp_path / "r", {".gitattributes": "*.t filter=upper\n"})
    repository = await discover(folder.root)
    assert await without_programs(repository) == {}
    folder.write("a.t", "ABC\n")
    folder.commit()
    folder.write("a.t", "abc\n")
    assert (await file_tree(repository))["modified"] == []


async def test_a_configuration_that_can_not_be_read_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    repository = await discover(folder.root)
    (folder.root / ".git" / "config").write_text("[broken\n")
    with pytest.raises(GitError, match="configuration"):
        await without_programs(repository)
