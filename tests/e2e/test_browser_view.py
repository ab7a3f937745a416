"""The page that is being built, in the conversation: from an error of its console to its end."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import CHROMIUM
from tests.e2e.installed import Installed
from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_edits import ask, block, cards, open_panel
from tests.e2e.test_looks import OVERFLOW, SCHEMES
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
StartServe = Callable[..., ServeProcess]
LIMIT_MS = 90 * SECONDS
ADD = '[data-ac="chip-add"]'
CLOSE_IS_IN_THE_CORNER = """card => {
    const [box, close] = [card, card.querySelector('.icon-button')]
        .map(node => node.getBoundingClientRect());
    return close.top - box.top < 16 && box.right - close.right < 16;
}"""

PAGE = """<!doctype html><title>Garden</title>
<h1>Garden</h1><button class="bed">one</button><button class="bed">two</button>
<p id="sum"></p><script src="garden.js"></script>"""
BROKEN = """const beds = ['roses', 'beans'];
fetch('/weather?token=abcdef0123456789abcdef');
document.querySelector('#sum').textContent = count(beds);
"""
FIX = block(
    "web/garden.js",
    "document.querySelector('#sum').textContent = count(beds);\n",
    "document.querySelector('#sum').textContent = String(beds.length);\n",
)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    files: dict[str, str | bytes] = {"web/index.html": PAGE, "web/garden.js": BROKEN}
    return make_repository(tmp_path / "work" / "garden", files)


@pytest.fixture
def site(folder: RepositoryFolder) -> Iterator[str]:
    """The repository's own page, served as its developer would."""
    handler = partial(_Quiet, directory=str(folder.root / "web"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def launch(panel: Panel, site: str) -> None:
    """Open the view of browsers, and the page in a new browser."""
    panel.part("browser-open").click()
    panel.part("browser-url").fill(site)
    panel.part("browser-launch").click()
    target = panel.part("browser-target", '[data-watched="true"]')
    expect(target).to_contain_text("Garden", timeout=LIMIT_MS)
    expect(target).to_contain_text("error", timeout=LIMIT_MS)


def test_an_error_of_the_page_is_asked_about_edited_away_and_gone(
    page: Page,
    start_serve: StartServe,
    installed: Installed,
    folder: RepositoryFolder,
    site: str,
    pictures: Path,
) -> None:
    # Debian's Chromium is a script that calls the system's programs.
    environ = {"CHROMIUM": CHROMIUM, "PATH": f"{installed.path}:/usr/bin:/bin"}
    server = start_serve(folder.root, "scripted-edits", environ=environ)
    panel = open_panel(page, server, "web/garden.js")
    launch(panel, site)
    photograph(page, panel, pictures, "browser-pages")

    for pane, expected in (("console", "count is not defined"), ("network", "/weather")):
        panel.part("browser").locator(f'[role="tab"][data-pane="{pane}"]').click()
        row = panel.part("browser-row").filter(has_text=expected).first
        expect(row).to_be_visible(timeout=LIMIT_MS)
        expect(row).not_to_contain_text("abcdef0123456789")
        photograph(page, panel, pictures, f"browser-{pane}")
    page.keyboard.press("Escape")

    offered = panel.part("chip", '[data-state="offered"]')
    error = offered.filter(has_text="count is not defined")
    expect(error).to_have_attribute("data-kind", "error", timeout=LIMIT_MS)
    expect(offered.filter(has_text="/weather")).to_have_attribute("data-kind", "request")
    expect(panel.part("breakdown")).not_to_contain_text("count is not defined")
    photograph(page, panel, pictures, "browser-offered")
    error.locator(ADD).click()
    added = panel.part("chip", '[data-kind="error"]:not([data-state="offered"])')
    expect(added).to_contain_text("count is not defined", timeout=LIMIT_MS)
    expect(panel.part("breakdown")).to_contain_text("count is not defined", timeout=LIMIT_MS)

    ask(panel, f"It has no function `count`.\n\n{FIX}\n")
    panel.answer("done", 90)
    expect(cards(panel).first).to_have_attribute("data-status", "applied", timeout=LIMIT_MS)
    assert "beds.length" in (folder.root / "web" / "garden.js").read_text()
    card = panel.part("browser-reload-card")
    expect(card).to_be_visible(timeout=LIMIT_MS)
    photograph(page, panel, pictures, "browser-reload")
    for width in (320, 1100):
        page.set_viewport_size({"width": width, "height": 800})
        assert card.evaluate(CLOSE_IS_IN_THE_CORNER)
    panel.part("browser-reload-check").click()
    expect(card).to_contain_text("No new errors", timeout=LIMIT_MS)
    photograph(page, panel, pictures, "browser-no-errors")
    assert server_requests(server, "status")["browser"]["selections"] == {}

    folder.write("web/garden.js", "worse();\n")
    panel.part("browser-reload-check").click()
    expect(card).to_contain_text("worse is not defined", timeout=LIMIT_MS)
    photograph(page, panel, pictures, "browser-new-error")
    panel.part("browser-fix").click()
    expect(panel.message("user").last).to_contain_text("new error", timeout=LIMIT_MS)
    panel.answer("done", 90)


def server_requests(server: ServeProcess, method: str) -> dict[str, dict[str, object]]:
    address, _, _ = server.page.partition("/?")
    answer = httpx.post(
        f"{address}/rpc",
        json={"jsonrpc": "2.0", "id": 1, "method": method, "params": {}},
        headers={"Authorization": f"token {server.token}"},
        trust_env=False,
        timeout=90,
    ).json()
    found: dict[str, dict[str, object]] = answer["result"]
    return found


def photograph(page: Page, panel: Panel, pictures: Path, name: str) -> None:
    for scheme, width in product(SCHEMES, (320, 1100)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        expect(panel.app).to_have_attribute("data-theme", scheme)
        page.screenshot(path=pictures / f"{name}-{scheme}-{width}.png")
        assert panel.app.evaluate(OVERFLOW) == []
