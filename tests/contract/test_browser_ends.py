"""A browser that the server has started ends with it, and leaves nothing."""

import signal
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from tests.browser.chromium import CHROMIUM, needs_chromium
from tests.support.processes import wait_until_gone
from tests.support.repositories import make_repository
from tests.support.serve_process import ServeProcess, children, plain_environment, serving

WITHIN_S = 90.0

pytestmark = [needs_chromium, pytest.mark.timeout(300)]


def ask(server: ServeProcess, method: str, **params: object) -> dict[str, object]:
    answer = httpx.post(
        server.page.partition("?")[0].rstrip("/") + "/rpc",
        json={"jsonrpc": "2.0", "id": "1", "method": method, "params": params},
        headers={"Authorization": f"token {server.token}"},
        timeout=WITHIN_S,
        trust_env=False,
    )
    found: dict[str, object] = answer.json()
    assert "result" in found, found
    return found


def profile_of(pid: int) -> Path | None:
    command = ["ps", "-ww", "-o", "args=", "-p", str(pid)]
    listed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    _, option, rest = listed.stdout.partition("--user-data-dir=")
    return Path(rest.split()[0]) if option else None


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_the_server_takes_its_browser_with_it(by: signal.Signals, tmp_path: Path) -> None:
    environment = plain_environment(tmp_path / "home", CHROMIUM=CHROMIUM)
    environment.pop("TESTS_FORK_SERVER", None)  # so that the worker is the server's own child
    with serving(make_repository(tmp_path / "shop").root, environment) as server:
        ask(server, "Browser.launch", headless=True)
        started = children(server.pid)
        (profile,) = {profile for pid in started if (profile := profile_of(pid))}
        assert profile.is_dir()
        server.end(by)
        for pid in started:
            wait_until_gone(pid)
        end = time.monotonic() + WITHIN_S
        while profile.exists():
            assert time.monotonic() < end, "the profile is left"
            time.sleep(0.05)
