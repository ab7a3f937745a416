"""Many real clients of one host at work on its repository, and a host that goes in the middle."""

import asyncio
import hashlib
import json
import logging
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from tests.support.pages import CallFailedError, Page
from tests.support.processes import wait_until_gone
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.sanity import require_sane
from tests.support.serve_process import plain_environment, serving

logger = logging.getLogger(__name__)

CLIENTS = 50
ROUNDS = 4
LIMIT_S = 110.0
SLOW_HOOK = "#!/bin/sh\necho $$ > began\nexec sleep 300\n"


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "r", {"a": "1\n", "counter": "0\n"})
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    return made


@asynccontextmanager
async def page_at(address: str) -> AsyncIterator[Page]:
    request = HTTPRequest(address, connect_timeout=60)
    page = Page(await websocket_connect(request), ("filesModified", "startupProgress"))
    try:
        yield page
    finally:
        await page.leave()


@pytest.mark.soak
async def test_fifty_clients_of_a_real_server_lose_nothing(
    folder: RepositoryFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.pages.WAIT_S", LIMIT_S)
    counted: list[int] = []
    commits: list[str] = []
    refused: list[str] = []
    written = 0

    async def count(page: Page) -> None:
        seen = await page.call("Repo.get_file_hash", "counter")
        number = int(str(await page.call("Repo.get_file_content", "counter"))) + 1
        try:
            await page.call("Repo.write_file", "counter", f"{number}\n", seen)
        except CallFailedError as error:
            refused.append(str(error.kind))
        else:
            counted.append(number)

    async def client(number: int, address: str) -> None:
        nonlocal written
        name = f"d{number % 5}/f{number}"
        async with page_at(address) as page:
            for turn in range(ROUNDS):
                text = f"{number} {turn}\n"
                answer = await page.call("Repo.write_file", name, text)
                assert isinstance(answer, dict)
                assert answer["hash"] == hashlib.sha256(text.encode()).hexdigest()
                written += 1
                assert await page.call("Repo.get_file_content", name) == text
                tree = await page.call("Repo.get_file_tree")
                assert isinstance(tree, dict)
                assert json.dumps(name) in json.dumps(tree)
                await count(page)
                await page.call("Repo.stage_files", [name])
                try:
                    made = await page.call("Repo.commit", text)
                except CallFailedError as error:
                    refused.append(str(error))
                else:
                    assert isinstance(made, dict)
                    commits.append(str(made["sha"]))

    with serving(folder.root, plain_environment(tmp_path / "home")) as serve:
        began = time.monotonic()
        async with asyncio.timeout(LIMIT_S):
            await asyncio.gather(*(client(number, serve.address) for number in range(CLIENTS)))
        took_s = time.monotonic() - began
    logger.info("%.0f writes/s, %.1f commits/s", written / took_s, len(commits) / took_s)
    assert all(why == "conflict" or "Nothing is staged" in why for why in refused), refused
    assert sorted(counted) == list(range(1, len(counted) + 1))
    assert (folder.root / "counter").read_text() == f"{len(counted)}\n"
    for number in range(CLIENTS):
        name = f"d{number % 5}/f{number}"
        assert folder.git("show", f"HEAD:{name}") == f"{number} {ROUNDS - 1}"
    assert folder.git("rev-list", "--count", "HEAD") == str(1 + len(commits))
    require_sane(folder, commits)


async def begun(folder: RepositoryFolder) -> int:
    """Wait until the slow hook runs; returns its process."""
    async with asyncio.timeout(60):
        while True:
            said = (folder.root / "began").read_text() if (folder.root / "began").exists() else ""
            if said.endswith("\n"):
                return int(said)
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
async def test_a_host_that_is_stopped_during_a_hook_ends_in_time_and_nothing_is_committed(
    folder: RepositoryFolder, tmp_path: Path, ending: signal.Signals
) -> None:
    folder.write(".git/hooks/pre-commit", SLOW_HOOK).chmod(0o755)
    folder.write("a", "2\n")
    folder.git("add", "a")
    with serving(folder.root, plain_environment(tmp_path / "home")) as serve:
        async with page_at(serve.address) as page:
            committing = asyncio.create_task(page.call("Repo.commit", "never"))
            hook = await begun(folder)
            os.kill(serve.pid, ending)
            with pytest.raises(ConnectionError):
                await committing
        await asyncio.to_thread(wait_until_gone, serve.pid)
    await asyncio.to_thread(wait_until_gone, hook)
    assert folder.git("log", "--format=%s") == "first"
    (folder.root / "began").unlink()
    assert folder.git("status", "--porcelain") == "M  a"
    require_sane(folder)
