from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.configuration import last_value, read_configuration, settings_in
from jupyter_ac.git.repository import discover
from tests.support.repositories import make_repository


async def test_of_two_entries_the_later_one_counts(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("config", "--add", "some.key", "one")
    folder.git("config", "--add", "some.key", "two\nlines")
    repository = await discover(folder.root)
    settings = settings_in(repository, await read_configuration(repository))
    found = last_value(settings, "some.key")
    assert found is not None
    assert (found.value, found.scope, found.is_of_repository) == ("two\nlines", "local", True)
    assert found.origin == str(folder.root / ".git" / "config")
    assert last_value(settings, "no.key") is None


async def test_an_entry_without_a_value_is_true(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    with (folder.root / ".git" / "config").open("a") as file:
        file.write("[some]\n key\n")
    repository = await discover(folder.root)
    settings = settings_in(repository, await read_configuration(repository))
    found = last_value(settings, "some.key")
    assert found is not None
    assert found.is_on


async def test_a_configuration_that_can_not_be_read_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    repository = await discover(folder.root)
    (folder.root / ".git" / "config").write_text("[broken\n")
    with pytest.raises(GitError, match="configuration"):
        await read_configuration(repository)
