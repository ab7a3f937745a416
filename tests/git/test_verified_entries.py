"""Staging in folders that change all the time."""

import asyncio
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError
from jupyter_ac.git.repository import discover
from jupyter_ac.git.staging import git_names, stage
from jupyter_ac.git.verified_entries import entries_from_disk
from jupyter_ac.git.write_commands import Git
from tests.support.repositories import make_repository


async def test_files_are_staged_while_others_of_their_folder_come_and_go(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"d/a.txt": "1\n", "d/gone": "1\n", "d/run": "1\n"}
    folder = make_repository(tmp_path / "r", files)
    folder.write(".gitattributes", "*.txt text eol=crlf\n")
    folder.write("d/a.txt", "2\r\n")
    folder.write("d/run", "2\n").chmod(0o755)
    (folder.root / "d/gone").unlink()
    (folder.root / "d/link").symlink_to("/etc/passwd")
    repository = await discover(folder.root)

    async def build() -> None:
        while True:
            folder.write("d/object").unlink()
            await asyncio.sleep(0.005)

    building = asyncio.create_task(build())
    names = ["d/a.txt", "d/gone", "d/run", "d/link"]
    await stage(Git(repository), await git_names(repository, names))
    building.cancel()
    assert folder.git("show", ":d/a.txt", ":d/run", ":d/link") == "2\n2\n/etc/passwd"
    rows = folder.git("ls-files", "-s", "d").splitlines()
    assert [(row.split()[0], row.split()[-1]) for row in rows] == [
        ("100644", "d/a.txt"),
        ("120000", "d/link"),
        ("100755", "d/run"),
    ]


async def test_what_is_no_file_or_lies_behind_a_link_is_refused(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": "1\n"})
    (folder.root / "out").symlink_to(tmp_path)
    git = Git(await discover(folder.root))
    for name in ("d", "out/r/d/a"):
        with pytest.raises(AcError):
            await entries_from_disk(git, [name])
