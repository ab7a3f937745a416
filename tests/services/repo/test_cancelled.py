"""A client that goes away in the middle of a change: it is made whole, or not at all."""

import asyncio
import random
import shutil
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from tests.support.changing import Service, service_of
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.sanity import Snapshot, require_sane, snapshot

TRIES = 3
MANY = [f"d/n{number:03}" for number in range(200)]

Call = Callable[[Service], Awaitable[object]]
CALLS: dict[str, Call] = {
    "write_file": lambda service: service.writes.write_file("a", "new\n" * 100_000),
    "create_file": lambda service: service.writes.create_file("new/deep/f", "new\n"),
    "rename_file": lambda service: service.moves.rename_file("a", "new/a"),
    "rename_directory": lambda service: service.moves.rename_directory("d", "e"),
    "delete_file": lambda service: service.moves.delete_file("a"),
    "stage_files": lambda service: service.staging.stage_files(["d", "unknown"]),
    "stage_all": lambda service: service.staging.stage_all(),
    "unstage_files": lambda service: service.staging.unstage_files(["staged"]),
    "discard_changes": lambda service: service.staging.discard_changes([*MANY, "staged"]),
    "commit": lambda service: service.staging.commit("made"),
    "reset_hard": lambda service: service.staging.reset_hard(),
}
CLEAN_CALLS: dict[str, Call] = {
    "checkout_branch": lambda service: service.staging.checkout_branch("side"),
    "checkout_review_parent": lambda service: service.review.checkout_review_parent("side"),
}


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """A repository full of changes, and a clean one."""
    place = tmp_path_factory.mktemp("templates")
    found = {}
    for is_clean in (True, False):
        made = make_repository(place / str(is_clean), {"a": "1\n", **dict.fromkeys(MANY, "1\n")})
        made.git("config", "user.name", "Ada")
        made.git("config", "user.email", "ada@example.org")
        made.git("checkout", "-q", "-b", "side")
        for name in MANY:
            made.write(name, "side\n")
        made.commit()
        made.git("checkout", "-q", "main")
        if not is_clean:
            for name in MANY:
                made.write(name, "mine\n")
            made.write("staged")
            made.write("unknown")
            made.git("add", "staged")
        found[is_clean] = made.root
    return found


def copied(template: Path, place: Path) -> RepositoryFolder:
    shutil.copytree(template, place)
    return RepositoryFolder(place)


async def alike(folder: RepositoryFolder) -> Snapshot:
    found = await asyncio.to_thread(snapshot, folder)
    # Commits bear the time at which they were made.
    head = found.head if found.head.startswith("ref:") else "detached"
    return Snapshot(found.files, found.folders, found.index, "", head, found.status)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CALLS, *CLEAN_CALLS])
async def test_who_goes_away_leaves_a_change_made_or_not(
    name: str, tmp_path: Path, templates: dict[bool, Path]
) -> None:
    template = templates[name in CLEAN_CALLS]
    call = (CALLS | CLEAN_CALLS)[name]
    undisturbed = copied(template, tmp_path / "r")
    before = await alike(undisturbed)
    began = time.monotonic()
    await call(service_of(await discover(undisturbed.root)))
    took_s = time.monotonic() - began
    after = await alike(undisturbed)
    assert before != after
    for turn in range(TRIES):
        folder = copied(template, tmp_path / f"r{turn}")
        service = service_of(await discover(folder.root), wait_s=0.1)
        calling = asyncio.ensure_future(call(service))
        await asyncio.wait({calling}, timeout=random.uniform(0, took_s))
        calling.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait_for(calling, 60)
        # Whoever comes next finds all locks free.
        await service_of(service.repository, wait_s=0).writers.changer.change_files(
            lambda git: git.run("rev-parse", "HEAD")
        )
        assert await alike(folder) in (before, after)
        require_sane(folder)


async def test_a_commit_whose_client_goes_away_during_its_hook_is_made(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    hook = folder.write(
        ".git/hooks/pre-commit",
        "#!/bin/sh\ntouch began\nwhile ! test -e go; do\nsleep 0.02\ndone\n",
    )
    hook.chmod(0o755)
    folder.write("a", "2\n")
    folder.git("add", "a")
    service = service_of(await discover(folder.root))
    committing = asyncio.create_task(service.staging.commit("made"))
    async with asyncio.timeout(30):
        while not (folder.root / "began").exists():
            await asyncio.sleep(0.01)
    committing.cancel()
    written = await service.writes.write_file("b", "a hook keeps nobody from writing\n")
    assert written["status"] == "ok"
    folder.write("go")
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(committing, 30)
    assert folder.git("log", "-1", "--format=%s") == "made"
    require_sane(folder)
