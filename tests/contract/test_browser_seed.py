"""Seed 003 over POST: a real server, a real Chromium, and a page of ours that misbehaves."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.browser.chromium import PageServer, needs_chromium, running_chromium
from tests.support.repositories import Repo
from tests.support.serve_process import ServeProcess, serving

WITHIN_S = 60.0
ID = "550e8400-e29b-41d4-a716-446655440000"
PAGE = """<!doctype html><title>Shop</title>
<button id="buy" class="b">Buy</button><button class="b">Later</button>
<script>
console.log("ready", {stock: 3});
console.error("no stock");
setTimeout(() => { missing.call(); }, 0);
const load = (path, options) => fetch(path, options).then((r) => r.text(), (e) => "failed " + e.message);
load("/api/items?token=abcdefabcdef1234567890");
load("/api/none");
</script>"""

pytestmark = [needs_chromium, pytest.mark.timeout(300)]


class Seed:
    """A client as seed 003 has one: POST, ids, epochs."""

    def __init__(self, server: ServeProcess) -> None:
        address = urlsplit(server.page)
        self.http = httpx.Client(
            base_url=f"http://{address.netloc}",
            headers={"Authorization": f"token {server.token}"},
            timeout=WITHIN_S,
            trust_env=False,
        )
        self.epoch = 0

    def post(self, method: str, **params: object) -> dict[str, Any]:
        """Send a call with the epoch that is known; gives the whole answer."""
        message = {"jsonrpc": "2.0", "method": method, "params": params, "id": ID}
        if self.epoch:
            message["epoch"] = self.epoch
        response = self.http.post("/rpc", json=message)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        assert answer["jsonrpc"] == "2.0"
        assert answer["id"] == ID
        self.epoch = answer["epoch"]
        return answer

    def ask(self, method: str, **params: object) -> Any:
        answer = self.post(method, **params)
        assert "error" not in answer, answer
        return answer["result"]

    def until(self, condition: Callable[[], object]) -> Any:
        """Wait until something is there."""
        deadline = time.monotonic() + WITHIN_S
        while not (found := condition()):
            assert time.monotonic() < deadline, "it never came"
            time.sleep(0.05)
        return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    folder = tmp_path_factory.mktemp("browser-seed")
    repo = Repo.create(folder / "shop")
    with serving(repo.root, folder / "home") as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[str]:
    with running_chromium() as address:
        yield str(urlsplit(address).port)


@pytest.fixture
def site() -> Iterator[PageServer]:
    running = PageServer()
    running.put("/", PAGE)
    running.put("/api/items", '["ant"]', Content_Type="application/json")
    running.put("/api/none", "nothing", status=500)
    yield running
    running.close()


@pytest.fixture
def seed(server: ServeProcess, browser: str, site: PageServer) -> Iterator[Seed]:
    """A client; the page of ours is open in the browser, and everything is allowed in it."""
    client = Seed(server)
    client.epoch = client.post("status")["epoch"]
    target = httpx.put(
        f"http://127.0.0.1:{browser}/json/new?{site.url('/')}", timeout=WITHIN_S, trust_env=False
    ).json()["id"]
    client.ask("Browser.targets", endpoint=browser)
    client.target = target  # type: ignore[attr-defined]
    yield client
    if client.ask("status")["connected"]:
        client.ask("disconnect")
    httpx.get(f"http://127.0.0.1:{browser}/json/close/{target}", timeout=WITHIN_S, trust_env=False)
    client.http.close()
