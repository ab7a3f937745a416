"""`jupyter ac serve` as a process: what it prints, how it ends, what it leaves behind."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.hosts.cli import options
from tests.support.model_process import RunningModelServer
from tests.support.pages import Page
from tests.support.processes import is_running, wait_until_gone
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import (
    ServeProcess,
    free_port,
    plain_environment,
    serving,
    wait_for_children,
    wait_for_file,
)

LIMIT_S = 90.0
COMMAND = (sys.executable, "-m", "jupyter_ac.hosts.cli.main", "serve", "--no-browser")


@pytest.fixture
def repository(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "garden", {"a.py": "print(1)\n"})


@pytest.fixture
def environment(tmp_path: Path, model_server: RunningModelServer) -> dict[str, str]:
    return plain_environment(
        tmp_path / "home",
        JUPYTER_AC_MODEL="openai/scripted-slow",
        JUPYTER_AC_API_BASE=model_server.openai,
        OPENAI_API_KEY="sk-scripted-0123456789",
    )


@pytest.fixture
def server(repository: RepositoryFolder, environment: dict[str, str]) -> Iterator[ServeProcess]:
    with serving(repository.root, environment) as running:
        yield running


def run(environment: dict[str, str], *options: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *options],
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


@asynccontextmanager
async def connected(server: ServeProcess, query: str = "") -> AsyncIterator[Page]:
    """A page, until the block is left."""
    request = HTTPRequest(server.address + query, connect_timeout=30)
    page = Page(await websocket_connect(request))
    try:
        yield page
    finally:
        await page.leave()


async def answered(page: Page, request_id: str = "1-abcdef") -> dict[str, object]:
    """Ask and wait for the end of the answer."""
    await page.call("LLMService.chat_streaming", request_id, "Why?")
    completed, result = await page.event("streamComplete", LIMIT_S)
    assert completed == request_id
    assert isinstance(result, dict)
    return result


def test_it_says_on_one_line_where_it_listens(server: ServeProcess) -> None:
    assert re.fullmatch(r"ws://127\.0\.0\.1:[1-9]\d*/\?token=[0-9a-f]{48}", server.address)
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/health", timeout=30) as answer:
        assert json.load(answer)["pid"] == server.pid


def test_without_a_token_it_warns_and_shows_no_query(
    repository: RepositoryFolder, environment: dict[str, str]
) -> None:
    with serving(repository.root, environment, "--no-token") as server:
        assert server.address == f"ws://127.0.0.1:{server.port}/"
        assert "warning" in server.stderr
        assert "other people" in server.stderr


async def test_a_turn_runs_and_the_token_is_in_no_log(server: ServeProcess) -> None:
    async with connected(server, "&client=one") as page:
        await page.ready()
        assert (await answered(page))["response"]
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(server.page.replace("/?", "/none?"), timeout=30)
    caught.value.close()
    assert server.token not in server.stderr


@pytest.mark.parametrize(
    ("by", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130), (signal.SIGHUP, 0)]
)
async def test_it_ends_with_all_its_children_in_the_middle_of_an_answer(
    server: ServeProcess, by: signal.Signals, code: int
) -> None:
    async with connected(server) as page:
        await page.ready()
        await page.call("LLMService.chat_streaming", "1-abcdef", "Why?")
        await page.event("streamChunk", LIMIT_S)
        below = wait_for_children(server.pid, 2)
        assert await asyncio.to_thread(server.end, by) == code
        close_code, _ = await page.closed()
        assert close_code == 1001
    for pid in below:
        wait_until_gone(pid)
    assert "Traceback" not in server.stderr


def test_its_children_end_when_it_is_killed(server: ServeProcess) -> None:
    below = wait_for_children(server.pid, 1)
    assert server.process is not None
    server.process.kill()
    for pid in below:
        wait_until_gone(pid)


async def test_two_servers_share_the_history_and_not_the_port(
    server: ServeProcess, repository: RepositoryFolder, environment: dict[str, str]
) -> None:
    with serving(repository.root, environment) as other:
        assert other.port != server.port
        assert other.token != server.token
        async with connected(server) as one, connected(other) as two:
            await one.ready()
            await two.ready()
            assert (await answered(one, "1-aaaaaa"))["response"]
            assert (await answered(two, "2-bbbbbb"))["response"]
            sessions = await two.call("LLMService.history_list_sessions", 10)
            assert isinstance(sessions, list)
            assert {(await page.state())["session_id"] for page in (one, two)} <= {
                session["session_id"] for session in sessions
            }
            assert await asyncio.to_thread(server.end) == 0
            assert (await two.state())["repo_name"] == "garden"
            assert is_running(other.pid)


async def test_on_the_same_port_again_the_same_address_leads_to_the_same_conversation(
    repository: RepositoryFolder, environment: dict[str, str]
) -> None:
    server = ServeProcess(repository.root, environment, port=free_port()).start()
    try:
        before = server.address
        async with connected(server) as page:
            await page.ready()
            await answered(page)
            await asyncio.to_thread(server.restart)
        assert server.address == before
        async with connected(server) as page:
            await page.ready()
            messages = (await page.state())["messages"]
        assert isinstance(messages, list)
        assert [message["role"] for message in messages] == ["user", "assistant"]
    finally:
        server.close()


def test_a_taken_port_is_an_error_that_names_it(
    repository: RepositoryFolder, environment: dict[str, str]
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        done = run(environment, "--repo", str(repository.root), "--server-port", port)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(f"jupyter-ac: Port {port} is taken")
    assert "--server-port" in done.stderr


def test_a_folder_without_a_repository_is_an_error_with_its_remedy(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    done = run(environment, "--repo", str(tmp_path), "--server-port", "0")
    assert (done.returncode, done.stdout) == (1, "")
    assert "git init" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "options",
    [
        ("--server-port", "x"),
        ("--server-port", "-1"),
        ("--server-port", "65536"),
        ("--server-port",),
        ("--host", "0.0.0.0"),
        ("extra",),
    ],
)
def test_wrong_usage_is_2(environment: dict[str, str], options: tuple[str, ...]) -> None:
    done = run(environment, *options)
    assert (done.returncode, done.stdout) == (2, "")


def test_the_options_of_the_command_line() -> None:
    parser = ArgumentParser()
    options.serve(parser)
    plain = parser.parse_args([])
    assert (plain.server_port, plain.repo, plain.model) == (18080, Path(), None)
    assert not plain.no_browser
    assert not plain.no_token
    given = parser.parse_args(["--server-port", "0", "--repo", "/x", "--model", "m", "--no-token"])
    assert (given.server_port, given.repo, given.model) == (0, Path("/x"), "m")
    with pytest.raises((SystemExit, ArgumentTypeError)):
        parser.parse_args(["--server-port", "٣"])


def test_the_browser_is_led_to_the_page_without_showing_the_token_to_other_users(
    repository: RepositoryFolder, environment: dict[str, str], tmp_path: Path
) -> None:
    browser = tmp_path / "browser.sh"
    seen, told = tmp_path / "seen", tmp_path / "told"
    notes = f'echo "$@" > {told}\ncat "${{1#file://}}" > {seen}.part\nmv {seen}.part {seen}\n'
    browser.write_text(f"#!/bin/sh\n{notes}", encoding="utf-8")
    browser.chmod(0o755)
    server = ServeProcess(repository.root, {**environment, "BROWSER": str(browser)}, ())
    try:
        server.start()
        wait_for_file(seen)
        assert server.page in seen.read_text(encoding="utf-8")
        address = told.read_text(encoding="utf-8").strip()
        assert address.startswith("file://")
        assert server.token not in address
        assert server.end() == 0
        assert not Path(address.removeprefix("file://")).exists()
    finally:
        server.close()


def test_a_reader_that_goes_after_the_first_line_does_not_end_it(server: ServeProcess) -> None:
    assert server.process is not None
    assert server.process.stdout is not None
    server.process.stdout.close()
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/health", timeout=30) as answer:
        assert answer.status == 200
    assert server.end() == 0


def test_a_reader_that_is_gone_before_the_first_line_does_not_end_it(
    repository: RepositoryFolder, environment: dict[str, str]
) -> None:
    port = free_port()
    reading, writing = os.pipe()
    os.close(reading)
    options = ("--repo", str(repository.root), "--server-port", str(port))
    with subprocess.Popen([*COMMAND, *options], env=environment, stdout=writing) as process:
        os.close(writing)
        deadline = time.monotonic() + LIMIT_S
        while True:
            try:
                with urllib.request.urlopen(
                    f"http://127.0.0.1:{port}/health", timeout=20
                ) as answer:
                    assert json.load(answer)["pid"] == process.pid
                break
            except urllib.error.URLError:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
        process.terminate()
        assert process.wait(LIMIT_S) == 0


def test_a_folder_that_is_not_there_is_named_and_git_init_is_not_proposed(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    done = run(environment, "--repo", str(tmp_path / "none"), "--server-port", "0")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "jupyter-ac: There is no folder 'none'; choose another one.\n"


def test_it_starts_without_what_only_notebooks_and_models_need() -> None:
    program = "import sys, jupyter_ac.hosts.cli.serve; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT_S, check=True
    )
    loaded = set(done.stdout.split())
    assert "tornado.web" in loaded
    assert not {"nbformat", "jsonschema", "litellm", "tree_sitter"} & loaded
