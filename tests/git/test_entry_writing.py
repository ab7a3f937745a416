"""Index entries are written with given blobs; a few of them, with the refresh, in one command."""

from pathlib import Path

import pytest

from jupyter_ac.git import write_commands
from jupyter_ac.git.entry_writing import write_entries
from jupyter_ac.git.repository import discover
from jupyter_ac.git.runner import GitOptions, GitOutput, read_git
from jupyter_ac.git.write_commands import Git
from tests.support.repositories import RepositoryFolder, committed, make_repository

ODD = ("-x", "a b", 'quote"', "\u00fc", ":(top)y", "*")


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "r", {"old/f": "1\n", **dict.fromkeys(ODD, "2\n")})


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What git was started for."""
    observed: list[str] = []

    async def counted(directory: Path, args: tuple[str, ...], options: GitOptions) -> GitOutput:
        observed.append(args[0])
        return await read_git(directory, args, options)

    monkeypatch.setattr(write_commands, "read_git", counted)
    return observed


@pytest.mark.parametrize("is_many", [False, True])
async def test_entries_come_and_go_and_their_files_are_looked_at(
    folder: RepositoryFolder, commands: list[str], is_many: bool
) -> None:
    held = committed(folder, "old/f")["old/f"]
    names = {f"many/{number}": held for number in range(300 * is_many)}
    for name in ("new", *names):
        folder.write(name, "1\n")
    git = Git(await discover(folder.root))
    await write_entries(git, {"new": held, **names}, removed=["old/f"])
    assert len(commands) == 1 + is_many
    assert set(folder.git("ls-files").split("\n")) >= {"new", *names}
    assert folder.git("ls-files", "old") == ""
    assert folder.git("diff-files") == "", "their times are known"


async def test_names_are_taken_as_they_are(folder: RepositoryFolder, commands: list[str]) -> None:
    git = Git(await discover(folder.root))
    held = committed(folder, "old/f")["old/f"]
    await write_entries(git, dict.fromkeys((f"new/{name}" for name in ODD), held), removed=ODD)
    assert len(commands) == 1
    rows = folder.git("ls-files", "-z").strip("\0").split("\0")
    assert sorted(rows) == sorted(["old/f", *(f"new/{name}" for name in ODD)])
    await write_entries(git, dict.fromkeys(ODD, held))
    assert len(folder.git("ls-files", "-z").strip("\0").split("\0")) == 1 + 2 * len(ODD)
    await write_entries(git, {})
    assert len(commands) == 2


async def test_a_file_takes_the_name_of_a_folder_and_back(folder: RepositoryFolder) -> None:
    git = Git(await discover(folder.root))
    held = committed(folder, "old/f")["old/f"]
    await write_entries(git, {"old": held}, removed=["old/f"])
    assert folder.git("ls-files", "old").split() == ["old"]
    await write_entries(git, {"old/f": held}, removed=["old"])
    assert folder.git("ls-files", "old").split() == ["old/f"]


async def test_an_entry_is_written_though_a_file_can_not_be_looked_at(
    folder: RepositoryFolder,
) -> None:
    folder.git("config", "filter.broken.clean", "false")
    folder.git("config", "filter.broken.required", "true")
    folder.write(".gitattributes", "a?b filter=broken\n")
    folder.write("a b", "3\n")
    git = Git(await discover(folder.root))
    held = committed(folder, "old/f")["old/f"]
    await write_entries(git, {"new": held})
    assert folder.git("ls-files", "new") == "new"
