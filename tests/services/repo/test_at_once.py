"""Many clients at once leave a sane repository and lose nothing."""

import asyncio
from pathlib import Path

from jupyter_ac.errors import GitError
from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree import file_tree
from jupyter_ac.services.repo.moves import MovesPart
from jupyter_ac.services.repo.staging import StagingPart
from jupyter_ac.services.repo.writes import WritesPart
from tests.support.changing import writers_of
from tests.support.repositories import make_repository

CLIENTS = 50
ROUNDS = 3


async def test_fifty_clients_write_stage_commit_and_read(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    repository = await discover(folder.root)
    writers = writers_of(repository)
    writes = WritesPart(writers.files, writers.audience)
    staging, moves = StagingPart(repository, writers), MovesPart(repository, writers)

    refused: list[str] = []

    async def client(number: int) -> None:
        for turn in range(ROUNDS):
            name = f"d{number % 5}/f{number}"
            await writes.write_file(name, f"{number} {turn}\n")
            await writes.write_file("shared", f"{number} {turn}\n" * 1000)
            match number % 4:
                case 0:
                    await staging.stage_files([name])
                case 1:
                    await staging.stage_all()
                case 2:
                    await moves.rename_file(name, f"{name}.{turn}")
                case _:
                    tree = await file_tree(repository)
                    assert tree["conflicted"] == []
            try:
                await staging.commit(f"{number} {turn}")
            except GitError as error:
                refused.append(error.message)

    async with asyncio.timeout(110):
        await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    assert all("Nothing is staged" in reason for reason in refused)
    shared = (folder.root / "shared").read_text()
    assert len(set(shared.splitlines())) == 1
    assert len(shared.splitlines()) == 1000
    for number in range(CLIENTS):
        kept = folder.root / f"d{number % 5}/f{number}{f'.{ROUNDS - 1}' if number % 4 == 2 else ''}"
        assert kept.read_text() == f"{number} {ROUNDS - 1}\n"
    folder.git("fsck", "--strict")
    await staging.stage_all()
    assert "??" not in folder.git("status", "--porcelain")
    assert not list(folder.root.rglob(".jupyter_ac-*"))
    assert not (folder.root / ".git/index.lock").exists()
