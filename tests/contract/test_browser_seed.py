"""Seed 003 over POST: a real server, a real Chromium, and a page of ours that misbehaves."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.browser.chromium import PageServer, needs_chromium, running_chromium
from tests.support.json_values import JsonValue
from tests.support.repositories import make_repository
from tests.support.serve_process import ServeProcess, plain_environment, serving

WITHIN_S = 60.0
ID = "550e8400-e29b-41d4-a716-446655440000"
PAGE = """<!doctype html><title>Shop</title>
<button id="buy" class="b">Buy</button><button class="b">Later</button>
<script>
console.log("ready", {stock: 3});
console.error("no stock");
setTimeout(() => { missing.call(); }, 0);
const load = (path) => fetch(path).then((answer) => answer.text());
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
        self.target = ""

    def post(self, method: str, /, **params: object) -> dict[str, JsonValue]:
        """Send a call with the epoch that is known; gives the whole answer."""
        message: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
        message["id"] = ID
        if self.epoch:
            message["epoch"] = self.epoch
        response = self.http.post("/rpc", json=message)
        assert response.status_code == 200, response.text
        answer: dict[str, JsonValue] = response.json()
        assert answer["jsonrpc"] == "2.0"
        assert answer["id"] == ID
        # Names with `Browser.` aren't the seed's, and have no epoch in their answers.
        assert "epoch" in answer or method.startswith("Browser.")
        self.epoch = answer.get("epoch", self.epoch)
        return answer

    def ask(self, method: str, /, **params: object) -> JsonValue:
        answer = self.post(method, **params)
        assert "error" not in answer, answer
        return answer["result"]

    def until(self, condition: Callable[[], object]) -> JsonValue:
        """Wait until something is there."""
        deadline = time.monotonic() + WITHIN_S
        while not (found := condition()):
            assert time.monotonic() < deadline, "it never came"
            time.sleep(0.05)
        return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    folder = tmp_path_factory.mktemp("browser-seed")
    repo = make_repository(folder / "shop").root
    with serving(repo, plain_environment(folder / "home")) as running:
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
    client.target = target
    try:
        yield client
        if client.ask("status")["connected"]:
            client.ask("disconnect")
    finally:
        client.http.close()
    httpx.get(f"http://127.0.0.1:{browser}/json/close/{target}", timeout=WITHIN_S, trust_env=False)


def connect(seed: Seed) -> None:
    """Connect to our page, and load it so that all is recorded."""
    seed.ask("connect", page_id=seed.target)
    seed.ask("Browser.grant", target=seed.target, actions=["js", "cdp", "fetch", "navigate"])
    seed.ask("reload")
    seed.until(lambda: len(rows(seed, url="*/api/*", limit=2)) == 2)
    seed.until(lambda: all(row["state"] != "pending" for row in rows(seed)))


def rows(seed: Seed, **query: object) -> list[dict[str, JsonValue]]:
    found: list[dict[str, JsonValue]] = seed.ask("network", **query)["requests"]
    return found


def test_the_seeds_example_of_an_error(seed: Seed) -> None:
    answer = seed.post("browser.startInspect")
    assert answer["error"] == {
        "code": "INVALID_STATE",
        "message": "Method browser.startInspect requires state ['connected'], "
        "current: disconnected",
        "data": {"current_state": "disconnected", "required_states": ["connected"]},
    }


def test_the_seeds_example_of_a_call_in_its_third_epoch(seed: Seed) -> None:
    before = seed.epoch
    for number in (1, 2, 3):
        assert seed.ask("connect", page_id=seed.target)["connected"] is True
        assert seed.epoch == before + number
        if number < 3:
            assert seed.ask("disconnect") == {"disconnected": True}
    answer = seed.post("browser.startInspect")
    assert answer["result"]["inspect_active"] is True
    assert answer["epoch"] == before + 3
    assert seed.ask("status")["connectionState"] == "inspecting"
    assert seed.ask("browser.stopInspect")["inspect_active"] is False
    seed.epoch = before + 1 if before else 1
    if before + 3 != seed.epoch:
        stale = seed.post("browser.clear")
        assert stale["error"]["code"] == "STALE_EPOCH"
        assert stale["error"]["data"]["current_epoch"] == before + 3


def test_pages_are_listed_and_connected_by_position(seed: Seed) -> None:
    pages = seed.ask("pages")["pages"]
    at = [page["id"] for page in pages].index(seed.target)
    assert seed.ask("connect", page=at)["title"] == "Shop"
    again = seed.ask("connect", page_id=seed.target)
    assert again["already_connected"] is True
    error = seed.post("connect", page=len(pages) + 5)["error"]
    assert error["code"] == "NOT_CONNECTED"
    assert seed.post("connect", page_id="gone")["error"]["code"] == "NOT_CONNECTED"
    assert seed.post("connect")["error"]["code"] == "INVALID_PARAMS"
    assert seed.post("connect", page=0, page_id="x")["error"]["code"] == "INVALID_PARAMS"


def test_requests_are_listed_filtered_and_read(seed: Seed) -> None:
    connect(seed)
    items = rows(seed, url="*/api/items*")[0]
    assert (items["method"], items["status"], items["state"]) == ("GET", 200, "complete")
    assert "abcdefabcdef1234567890" not in items["url"]
    assert "abcdefabcdef1234567890" in rows(seed, url="*/api/items*", reveal=True)[0]["url"]
    assert [row["status"] for row in rows(seed, status=500)] == [500]
    assert rows(seed, method="POST") == []
    assert rows(seed, resource_type="document")[0]["type"] == "Document"
    newest, oldest = rows(seed)[0]["id"], rows(seed, order="asc")[0]["id"]
    assert newest > oldest
    minimal = seed.ask("request", id=items["id"])["entry"]
    assert set(minimal) == {"request", "response", "time", "state"}
    body = seed.ask("request", id=items["id"], fields=["response.content"])["entry"]
    assert body["response"]["content"]["text"] == '["ant"]'
    found = seed.ask("request", id=items["id"], expr="response.status")["entry"]
    assert found == 200
    assert seed.post("request", id=10**9)["error"]["code"] == "INVALID_PARAMS"
    assert seed.post("request", id=items["id"], expr="__import__('os')")["error"]["code"] == (
        "INVALID_PARAMS"
    )


def test_the_console_is_read_by_level(seed: Seed) -> None:
    connect(seed)
    errors = seed.until(
        lambda: [
            message
            for message in seed.ask("console", level="error")["messages"]
            if message["source"] == "exception"
        ]
    )
    assert "missing is not defined" in errors[0]["message"]
    said = [message["message"] for message in seed.ask("console", limit=100)["messages"]]
    assert any("ready" in text and "stock: 3" in text for text in said)
    assert seed.ask("clear") == {"cleared": ["events"]}
    assert rows(seed) == []
    assert seed.ask("clear", events=False, console=True) == {"cleared": ["console"]}
    assert seed.ask("console")["messages"] == []
    assert seed.post("console", level="loud")["error"]["code"] == "INVALID_PARAMS"


def test_requests_are_held_and_let_go_as_the_seed_says(seed: Seed, site: PageServer) -> None:
    connect(seed)
    enabled = seed.ask("fetch.enable")
    assert (enabled["enabled"], enabled["stages"], enabled["paused"]) == (True, ["request"], 0)
    reached = len(site.requests)
    seed.ask("js", code="window.got = []; 1")
    ask = "fetch('/api/items?n=%d').then((r) => r.text(), (e) => 'failed').then((t) => got.push(t))"
    for number in range(3):
        seed.ask("js", code=(ask % number) + "; 1", persist=True)
    held = seed.until(lambda: found if len(found := rows(seed, state="paused")) == 3 else None)
    assert len(site.requests) == reached
    assert seed.ask("status")["fetch"]["enabled"] is True
    resumed = seed.ask("fetch.resume", id=held[2]["id"], wait=30)
    assert (resumed["resumed_from"], resumed["remaining"]) == ("request", 2)
    failed = seed.ask("fetch.fail", request=held[1]["id"])
    assert failed == {
        "id": held[1]["id"],
        "outcome": "failed",
        "reason": "BlockedByClient",
        "remaining": 1,
    }
    made = seed.ask("fetch.fulfill", id=held[0]["id"], response_code=201, body="made up")
    assert made == {
        "id": held[0]["id"],
        "outcome": "fulfilled",
        "response_code": 201,
        "remaining": 0,
    }
    seed.until(lambda: seed.ask("js", code="got.length")["value"] == 3)
    got = seed.ask("js", code="got.sort()")["value"]
    assert got == ['["ant"]', "failed", "made up"]
    assert len(site.requests) == reached + 1
    assert seed.ask("fetch.disable") == {"enabled": False}
    assert seed.post("fetch.resume", id=held[0]["id"])["error"]["code"] == "INVALID_PARAMS"


def test_filters_hide_what_a_group_names(seed: Seed) -> None:
    hide = {"types": ["Fetch"], "urls": []}
    assert seed.ask("filters.add", name="calls", hide=hide) == {"added": True, "name": "calls"}
    assert seed.ask("filters.status")["calls"] == {"enabled": False, "hide": hide}
    connect(seed)
    everything = len(rows(seed))
    assert seed.ask("filters.enable", name="calls") == {"enabled": True, "name": "calls"}
    assert len(rows(seed)) == everything - 2
    assert len(rows(seed, show_all=True)) == everything
    assert seed.ask("filters.disable", name="calls") == {"disabled": True, "name": "calls"}
    assert seed.ask("filters.enableAll") == {"enabled": ["calls"]}
    assert seed.ask("filters.disableAll") == {"enabled": []}
    assert seed.post("filters.enable", name="none")["error"]["code"] == "INVALID_PARAMS"
    assert seed.ask("filters.remove", name="calls") == {"removed": True, "name": "calls"}


def test_commands_scripts_and_history(seed: Seed, site: PageServer) -> None:
    connect(seed)
    layout = seed.ask("cdp", method="Page.getLayoutMetrics")["result"]
    assert layout == seed.ask("cdp", command="Page.getLayoutMetrics", params={})["result"]
    refused = seed.post("cdp", command="Target.getTargets")["error"]
    assert refused["code"] == "ACCESS_DENIED"
    broken = seed.post("cdp", command="Page.nonsense")["error"]
    assert broken["code"] == "INTERNAL_ERROR"
    assert "Page.nonsense" in broken["message"]
    assert seed.ask("js", code="({a: [1, 2]})")["value"] == {"a": [1, 2]}
    thrown = seed.post("js", code="throw new Error('boom')")["error"]
    assert thrown["code"] == "INTERNAL_ERROR"
    assert "boom" in thrown["message"]
    site.put("/second", "<title>Second</title>")
    seed.ask("navigate", url=site.url("/second"))
    seed.until(lambda: seed.ask("page")["title"] == "Second")
    assert len(seed.ask("history")["entries"]) >= 2
    assert seed.ask("back")["title"] == "Shop"
    assert seed.ask("forward")["title"] == "Second"
    assert seed.post("navigate", url="javascript:alert(1)")["error"]["code"] != "ok"


def test_the_state_is_the_one_that_is_pushed(seed: Seed) -> None:
    states: list[dict[str, JsonValue]] = []
    is_over = threading.Event()

    def follow() -> None:
        with seed.http.stream("GET", "/events/stream") as response:
            for line in response.iter_lines():
                if line.startswith("data: "):
                    states.append(json.loads(line.removeprefix("data: ")))
                if is_over.is_set():
                    return

    thread = threading.Thread(target=follow)
    thread.start()
    try:
        seed.until(lambda: states)
        assert states[0]["connectionState"] == "disconnected"
        connect(seed)
        seed.until(lambda: states[-1]["connected"] and states[-1]["events"]["total"] > 3)
        status = seed.ask("status")
        assert {name: states[-1][name] for name in ("epoch", "page", "filters")} == {
            name: status[name] for name in ("epoch", "page", "filters")
        }
        assert len(states[-1]["page_hash"]) == 16
        assert "connecting" in {state["connectionState"] for state in states} or len(states) > 1
        seed.ask("disconnect")
        seed.until(lambda: states[-1]["connectionState"] == "disconnected")
    finally:
        is_over.set()
        seed.post("errors.dismiss")  # one more state, so that the stream is looked at
        thread.join(WITHIN_S)
    assert not thread.is_alive()


def test_a_tab_that_is_closed_disconnects(seed: Seed, browser: str) -> None:
    connect(seed)
    httpx.get(
        f"http://127.0.0.1:{browser}/json/close/{seed.target}", timeout=WITHIN_S, trust_env=False
    )
    seed.until(lambda: seed.ask("status")["connectionState"] == "disconnected")
    assert seed.ask("status")["error"]["message"] == "The page was closed."
    assert seed.post("network")["error"]["code"] == "INVALID_STATE"
    assert seed.ask("errors.dismiss") == {"success": True}
    assert seed.ask("status")["error"] is None


def test_without_a_token_everything_is_refused(server: ServeProcess) -> None:
    address = urlsplit(server.page)
    response = httpx.post(
        f"http://{address.netloc}/rpc",
        json={"jsonrpc": "2.0", "method": "pages", "params": {}, "id": "1"},
        trust_env=False,
    )
    assert response.status_code == 401
