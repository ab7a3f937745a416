"""A client of the seeds' kind, unmodified, in a browser, against `jupyter ac serve --no-token`.

It stands on another loopback port, uses the published jrpc-oo bundle as it is, sends no token, and
knows nothing of this project but the names in the seeds.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.support.model_process import RunningModelServer
from tests.support.seed_page.server import seed_page_server
from tests.support.serve_process import ServeProcess
from tests.web.hostile_server import hostile_server, ok

pytestmark = pytest.mark.e2e
MS = 1000


@dataclass(frozen=True)
class SeedClient:
    """One browser page with the client in it."""

    page: Page

    def call(self, method: str, *args: object) -> object:
        """Call as the seed does: through `call[...]`, the envelope taken off."""
        answer: object = self.page.evaluate(
            "([method, args]) => window.seed._extract(method, ...args)", [method, args]
        )
        return answer

    def mapping(self, method: str, *args: object) -> dict[str, object]:
        answer = self.call(method, *args)
        assert isinstance(answer, dict), (method, answer)
        return answer

    def mapping_list(self, method: str, *args: object) -> list[dict[str, object]]:
        answer = self.call(method, *args)
        assert isinstance(answer, list), (method, answer)
        return answer

    def seen_events(self) -> list[tuple[str, dict[str, object]]]:
        """The progress of fetching, as the seeds' event for that says it."""
        rows = self.page.evaluate(
            "window.seen.filter(row => row[0] === 'compactionEvent').map(row => row.slice(1))"
        )
        return [(request_id, event) for request_id, event in rows]

    def seen(self, name: str) -> list[list[object]]:
        """The arguments of all calls of one of the page's methods."""
        rows: list[list[object]] = self.page.evaluate(
            "name => window.seen.filter(row => row[0] === name).map(row => row.slice(1))", name
        )
        return rows

    def wait(self, condition: str, argument: object = None) -> None:
        self.page.wait_for_function(condition, arg=argument, timeout=30 * MS)

    def wait_for(self, name: str, first: object) -> None:
        """Wait for a call of one of the page's methods by its first argument."""
        self.wait(
            "([name, first]) => window.seen.some(row => row[0] === name && row[1] === first)",
            [name, first],
        )


OpenClient = Callable[..., SeedClient]


@pytest.fixture
def server(start_serve: Callable[..., ServeProcess], repository: Path) -> ServeProcess:
    # The page of a test is on this machine, which no page may be otherwise.
    admin = {"allowed_hosts": ["127.0.0.1"]}
    return start_serve(repository, "scripted-markdown", "--no-token", admin=admin)


@pytest.fixture
def web_port() -> Iterator[int]:
    with seed_page_server() as port:
        yield port


@pytest.fixture
def open_client(browser: Browser, server: ServeProcess, web_port: int) -> Iterator[OpenClient]:
    """Open pages of the client, each in a browser of its own."""
    contexts: list[BrowserContext] = []

    def open_page(host: str = "localhost") -> SeedClient:
        context = browser.new_context()
        contexts.append(context)
        page = context.new_page()
        page.goto(f"http://{host}:{web_port}/?port={server.port}")
        client = SeedClient(page)
        client.wait("() => window.seed")
        return client

    yield open_page
    for context in contexts:
        context.close()


def ready(client: SeedClient) -> None:
    """Wait as the seed does: for the last step of the start, unless it is over already."""
    client.wait(
        """async () => {
            const isOver = ([name, stage, , percent]) =>
                name === 'startupProgress' && stage === 'ready' && percent === 100;
            if (window.seen.some(isOver)) return true;
            const state = await window.seed._extract('LLMService.get_current_state');
            return state.init_complete === true;
        }"""
    )


def ask(client: SeedClient, request_id: str, text: str) -> None:
    """Ask with eight arguments, as the seeds' newer web app does."""
    answer = client.mapping(
        "LLMService.chat_streaming", request_id, text, [], [], [], None, False, "medium"
    )
    assert answer["status"] == "started"
    client.wait_for("streamComplete", request_id)


@pytest.mark.parametrize("host", ["localhost", pytest.param("127.0.0.1", marks=pytest.mark.soak)])
def test_it_starts_as_the_seed_says(open_client: OpenClient, repository: Path, host: str) -> None:
    client = open_client(host)
    ready(client)
    state = client.mapping("LLMService.get_current_state")
    assert state["repo_name"] == repository.name
    assert state["messages"] == state["selected_files"] == []
    assert state["streaming_active"] is False
    assert state["session_id"]
    status = client.mapping("LLMService.get_history_status")
    assert {"tokens", "max", "percent"} <= set(status)
    tree = client.mapping("Repo.get_file_tree")
    assert {"tree", "modified", "staged", "untracked", "deleted"} <= set(tree)
    assert client.mapping("Repo.get_current_branch")["branch"] == "main"
    breakdown = client.mapping("LLMService.get_context_breakdown", None)
    assert {"model", "total_tokens", "max_input_tokens", "blocks", "breakdown"} <= set(breakdown)
    info = client.mapping("Settings.get_config_info")
    assert {"model", "smaller_model", "config_dir"} <= set(info)
    assert isinstance(client.call("Settings.get_config_content", "app"), str)
    snippets = client.call("LLMService.get_snippets")
    assert isinstance(snippets, list)
    assert all({"icon", "tooltip", "message"} <= set(snippet) for snippet in snippets)
    assert client.mapping("LLMService.get_mode")["mode"] == "code"


def test_it_talks_and_the_others_hear_it(open_client: OpenClient) -> None:
    one = open_client("localhost")
    two = open_client("127.0.0.1")
    ready(one)
    ready(two)
    assert one.call("LLMService.set_selected_files", ["README.md"]) == ["README.md"]
    two.wait(
        "() => window.seen.some(row => row[0] === 'filesChanged' && row[1][0] === 'README.md')"
    )
    ask(one, "1736956800000-x7k2m9", "What does it do?")
    ((completed, result),) = one.seen("streamComplete")
    assert completed == "1736956800000-x7k2m9"
    assert isinstance(result, dict)
    text = str(result["response"])
    chunks = [str(content) for request_id, content in one.seen("streamChunk")]
    assert chunks
    assert all(later.startswith(earlier) for earlier, later in pairwise(chunks))
    assert chunks[-1] == text
    two.wait("() => window.seen.some(row => row[0] === 'userMessage')")
    ((message,),) = two.seen("userMessage")
    assert isinstance(message, dict)
    assert message["content"] == "What does it do?"
    assert one.seen("userMessage") == []
    ask(one, "1736956800001-x7k2m9", "And then?")
    assert len(one.seen("streamComplete")) == 2


def test_it_reads_and_changes_the_history(open_client: OpenClient) -> None:
    client = open_client()
    ready(client)
    ask(client, "1736956800000-aaaaaa", "Which town is the coldest?")
    first = str(client.mapping("LLMService.get_current_state")["session_id"])
    second = str(client.mapping("LLMService.new_session")["session_id"])
    assert second != first
    assert client.mapping("LLMService.get_current_state")["messages"] == []
    ask(client, "1736956800001-bbbbbb", "And the warmest?")
    sessions = client.call("LLMService.history_list_sessions", 10)
    assert isinstance(sessions, list)
    assert [session["session_id"] for session in sessions] == [second, first]
    assert {"timestamp", "message_count", "preview", "first_role"} <= set(sessions[0])
    found = client.call("LLMService.history_search", "coldest", None, 10)
    assert isinstance(found, list)
    assert [row["session_id"] for row in found] == [first]
    messages = client.call("LLMService.history_get_session", first)
    assert isinstance(messages, list)
    assert [message["role"] for message in messages] == ["user", "assistant"]
    assert messages[0]["content"] == "Which town is the coldest?"
    loaded = client.mapping("LLMService.load_session_into_context", first)
    assert loaded["session_id"] == first
    state = client.mapping("LLMService.get_current_state")
    assert state["session_id"] == first
    assert isinstance(state["messages"], list)
    assert len(state["messages"]) == 2


def test_it_goes_on_when_the_server_was_started_again(
    open_client: OpenClient, server: ServeProcess
) -> None:
    client = open_client()
    ready(client)
    client.call("LLMService.set_selected_files", ["README.md"])
    ask(client, "1736956800000-aaaaaa", "What does it do?")
    before = client.mapping("LLMService.get_current_state")
    server.restart()
    client.wait("() => window.seed && window.connections === 2")
    ready(client)
    state = client.mapping("LLMService.get_current_state")
    assert state["session_id"] != before["session_id"]  # a restart begins a session that goes on
    assert state["messages"] == before["messages"]
    ask(client, "1736956800001-bbbbbb", "And then?")
    completed = [row[0] for row in client.seen("streamComplete")]
    assert completed == ["1736956800000-aaaaaa", "1736956800001-bbbbbb"]


def test_it_goes_through_a_review(
    open_client: OpenClient, repository: Path, model: RunningModelServer
) -> None:
    client = open_client()
    ready(client)
    obstacle = client.mapping("LLMService.check_review_ready")
    assert obstacle["clean"] is False
    assert obstacle["message"]
    assert client.mapping("Repo.discard_changes", ["weather/summary.py"])["status"]
    assert client.mapping("LLMService.check_review_ready")["clean"] is True
    graph = client.mapping("LLMService.get_commit_graph", 100, 0, True)
    assert graph["has_more"] is False
    branches, commits = graph["branches"], graph["commits"]
    assert isinstance(branches, list)
    assert isinstance(commits, list)
    assert {branch["name"] for branch in branches} == {"main", "wind-summary"}
    assert {"sha", "short_sha", "message", "author", "date", "parents"} <= set(commits[0])
    first = next(row for row in commits if row["message"].startswith("Say the wind"))
    begun = client.mapping("LLMService.start_review", "wind-summary", first["sha"])
    assert begun["status"] == "review_active"
    assert begun["stats"] == {
        "commit_count": 3,
        "files_changed": 4,
        "additions": 15,
        "deletions": 15,
    }
    client.wait("() => window.seen.some(row => row[0] === 'filesChanged' && !row[1].length)")
    state = client.mapping("LLMService.get_review_state")
    assert (state["active"], state["branch"]) == (True, "wind-summary")
    diff = client.mapping("LLMService.get_review_file_diff", "weather/summary.py")
    assert "+def mean_wind(readings):" in str(diff["diff"])
    ticked = ["weather/summary.py", "web/chart.js"]
    assert client.call("LLMService.set_selected_files", ticked) == ticked
    ask(client, "1736956800000-rrrrrr", "Which line is wrong?")
    (body,) = (body for body in map(str, model.bodies()) if "Which line is wrong?" in body)
    for part in ("review://changes/weather/summary.py", "+def mean_wind", "-export function"):
        assert part in body
    assert client.mapping("LLMService.end_review")["status"] == "restored"
    assert client.mapping("LLMService.get_review_state")["active"] is False
    assert client.mapping("Repo.get_current_branch")["branch"] == "main"
    assert client.call("Repo.is_clean") is True
    assert (repository / "web" / "chart.js").is_file()


def test_it_fetches_and_forgets_a_page(open_client: OpenClient, model: RunningModelServer) -> None:
    text = "A pump moves a fluid by mechanical action."
    with hostile_server(pump=ok(f"<title>Pumps</title><p>{text}</p>")) as web:
        url = web.url("/pump")
        client = open_client()
        ready(client)
        (found,) = client.mapping_list("LLMService.detect_urls", f"see {url}.")
        assert found["url"] == url
        assert {"url", "type", "display_name"} <= set(found)
        assert client.mapping("LLMService.get_url_content", url)["error"]
        fetched = client.mapping("LLMService.fetch_url", url)
        assert (fetched["error"], fetched["title"]) == (None, "Pumps")
        assert text in str(fetched["content"])
        stages = [event["stage"] for _, event in client.seen_events()]
        assert stages == ["url_fetch", "url_ready"]
        assert client.mapping("LLMService.get_url_content", url)["content"] == fetched["content"]
        ask(client, "1736956800000-uuuuuu", "What moves the fluid?")
        (body,) = (body for body in map(str, model.bodies()) if "What moves the fluid?" in body)
        assert text in body
        for method in ("invalidate_url_cache", "remove_fetched_url"):
            assert client.mapping(f"LLMService.{method}", url)["status"]
        assert client.mapping("LLMService.clear_url_cache")["status"]
        assert client.mapping("LLMService.get_url_content", url)["error"]
        (again,) = client.mapping_list("LLMService.detect_and_fetch", f"see {url}")
        assert again["title"] == "Pumps"


def test_a_foreign_page_gets_nothing(browser: Browser, server: ServeProcess, web_port: int) -> None:
    context = browser.new_context()
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    # It resolves to this machine, as a rebound name does, and isn't one of the names we go by.
    page.goto(f"http://garden.localhost:{web_port}/app.js")
    closed_with = page.evaluate(
        """port => new Promise(resolve => {
            const socket = new WebSocket(`ws://127.0.0.1:${port}`);
            socket.onopen = () => resolve('open');
            socket.onclose = event => resolve(event.code);
        })""",
        server.port,
    )
    context.close()
    assert closed_with == 1006
    assert any("403" in line for line in said), said
