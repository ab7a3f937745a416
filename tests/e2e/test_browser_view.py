"""The page that is being built, in the conversation: from an error of its console to its end."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.conftest import CHROMIUM
from tests.e2e.installed import Installed
from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_edits import ask, block, cards, open_panel
from tests.e2e.test_folders import StartLab, open_side
from tests.e2e.test_looks import OVERFLOW, SCHEMES
from tests.support.json_values import JsonValue
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
StartServe = Callable[..., ServeProcess]
LIMIT_MS = 90 * SECONDS
NARROW: ViewportSize = {"width": 320, "height": 800}
ADD = '[data-ac="chip-add"]'
FOCUSED = """() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.dataset.ac ?? at?.getAttribute('role') ?? at?.localName;
}"""
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
    assert card.evaluate(CLOSE_IS_IN_THE_CORNER)
    panel.part("browser-reload-check").click()
    expect(card).to_contain_text("No new errors", timeout=LIMIT_MS)
    photograph(page, panel, pictures, "browser-no-errors")
    assert post(server, "status")["browser"]["selections"] == {}

    folder.write("web/garden.js", "worse();\n")
    panel.part("browser-reload-check").click()
    expect(card).to_contain_text("worse is not defined", timeout=LIMIT_MS)
    photograph(page, panel, pictures, "browser-new-error")
    panel.part("browser-fix").click()
    expect(panel.message("user").last).to_contain_text("new error", timeout=LIMIT_MS)
    panel.answer("done", 90)


def test_by_keyboard_at_320_px_and_elements_are_chosen_in_the_page(
    page: Page,
    start_serve: StartServe,
    installed: Installed,
    folder: RepositoryFolder,
    site: str,
    pictures: Path,
) -> None:
    environ = {"CHROMIUM": CHROMIUM, "PATH": f"{installed.path}:/usr/bin:/bin"}
    server = start_serve(folder.root, "scripted-edits", environ=environ)
    page.set_viewport_size(NARROW)
    panel = open_panel(page, server)
    panel.part("browser-open").focus()
    page.keyboard.press("Enter")
    tab_to(page, "browser-url")
    page.keyboard.type(site)
    page.keyboard.press("Enter")
    expect(panel.part("browser-address")).to_have_value(f"{site}/", timeout=LIMIT_MS)
    photograph(page, panel, pictures, "browser-address")

    added = panel.part("chip", ':not([data-state="offered"])')
    add_a_request(page, panel, pictures)
    expect(added).to_have_attribute("data-kind", "request", timeout=LIMIT_MS)
    answer_a_request(page, panel, pictures, server)
    add_an_element(page, panel, pictures, server)
    expect(added).to_have_count(2, timeout=LIMIT_MS)
    expect(added.last).to_have_attribute("data-kind", "element")
    expect(added.last).to_contain_text("1 image")
    answer_a_dialog(page, panel, pictures, server)
    page.keyboard.press("Escape")
    photograph(page, panel, pictures, "browser-added")
    offered = panel.part("chip", '[data-state="offered"]')
    expect(offered.filter(has_text="count is not defined")).to_be_visible()
    expect(panel.part("chip", '[data-kind="element"]')).to_have_count(1)


def add_a_request(page: Page, panel: Panel, pictures: Path) -> None:
    tab_to(page, "tab")
    for _ in ("console", "network"):
        page.keyboard.press("ArrowRight")
    tab_to(page, "browser-network-filter")
    page.keyboard.type("weather")
    expect(panel.part("browser-row")).to_have_count(1, timeout=LIMIT_MS)
    tab_to(page, "browser-groups-edit")
    page.keyboard.press("Enter")
    photograph(page, panel, pictures, "browser-groups")
    page.keyboard.press("Enter")
    tab_to(page, "listbox")
    page.keyboard.press("Enter")
    detail = panel.part("browser-request")
    expect(detail).to_contain_text("Request headers", timeout=LIMIT_MS)
    expect(detail).not_to_contain_text("abcdef0123456789")
    tab_to(page, "browser-reveal")
    page.keyboard.press("Space")
    expect(detail).to_contain_text("abcdef0123456789", timeout=LIMIT_MS)
    photograph(page, panel, pictures, "browser-request")
    tab_to(page, "browser-add")
    page.keyboard.press("Enter")


def answer_a_request(page: Page, panel: Panel, pictures: Path, server: ServeProcess) -> None:
    tab_to(page, "browser-pausing")
    page.keyboard.press("ArrowDown")
    expect(panel.part("browser-let-go")).to_be_visible(timeout=LIMIT_MS)
    code = "fetch('/weather/late').then(a => a.text()).then(a => { document.title = a; }); 0"
    post(server, "Browser.js", code=code, target=target_id(server))
    paused = panel.part("browser-row", '[data-state="paused"]')
    expect(paused).to_be_visible(timeout=LIMIT_MS)
    tab_to(page, "listbox")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    tab_to(page, "summary")
    page.keyboard.press("Enter")
    tab_to(page, "browser-answer-body")
    page.keyboard.type("Sunny garden")
    photograph(page, panel, pictures, "browser-answer")
    panel.part("browser-answer-send").focus()
    page.keyboard.press("Enter")
    expect(paused).to_have_count(0, timeout=LIMIT_MS)
    panel.part("browser-let-go").focus()
    page.keyboard.press("Enter")
    expect(panel.part("browser-let-go")).to_have_count(0, timeout=LIMIT_MS)
    assert title_of_the_page(server) == "Sunny garden"


def add_an_element(page: Page, panel: Panel, pictures: Path, server: ServeProcess) -> None:
    tab_to(page, "tab")
    page.keyboard.press("End")
    tab_to(page, "browser-inspect")
    page.keyboard.press("Enter")
    expect(panel.part("browser-inspect")).to_have_attribute("aria-pressed", "true")
    click_in_the_page(server, target_id(server), "button.bed:last-of-type")
    element = panel.part("browser-row", '[data-kind="element"]')
    expect(element.locator("img")).to_be_visible(timeout=LIMIT_MS)
    expect(element).to_contain_text("two")
    photograph(page, panel, pictures, "browser-elements")
    tab_to(page, "browser-add")
    page.keyboard.press("Enter")


def answer_a_dialog(page: Page, panel: Panel, pictures: Path, server: ServeProcess) -> None:
    expect(panel.part("toast")).to_have_count(0, timeout=LIMIT_MS)
    code = "setTimeout(() => { document.title = prompt('Name of the garden?', 'Eden'); }, 0)"
    post(server, "Browser.js", code=code, target=target_id(server))
    expect(panel.part("browser-dialog-words")).to_have_value("Eden", timeout=LIMIT_MS)
    photograph(page, panel, pictures, "browser-dialog")
    panel.part("browser-dialog-words").fill("Kew")
    page.keyboard.press("Enter")
    expect(panel.part("browser-dialog")).to_have_count(0, timeout=LIMIT_MS)
    assert title_of_the_page(server) == "Kew"


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the focus is on what has this `data-ac`, or this role."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == name:
            return
    pytest.fail(f"Tab never comes to {name}")


def target_id(server: ServeProcess) -> str:
    targets = post(server, "Browser.targets")["targets"]
    return str(next(row["id"] for row in targets if row["watched"]))


def title_of_the_page(server: ServeProcess) -> object:
    found = post(server, "Browser.js", code="document.title", target=target_id(server))
    return found["value"]


def click_in_the_page(server: ServeProcess, target: str, selector: str) -> None:
    """Click where an element is, as its user would with the mouse."""
    code = f"""(() => {{ const box = document.querySelector({selector!r}).getBoundingClientRect();
        return {{ x: box.x + box.width / 2, y: box.y + box.height / 2 }}; }})()"""
    place = post(server, "Browser.js", code=code, target=target)["value"]
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        button = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        params = {"type": kind, **place, **button}
        post(
            server, "Browser.cdp", command="Input.dispatchMouseEvent", params=params, target=target
        )


def post(server: ServeProcess, method: str, /, **params: object) -> dict[str, JsonValue]:
    address, _, _ = server.page.partition("/?")
    answer = httpx.post(
        f"{address}/rpc",
        json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
        headers={"Authorization": f"token {server.token}"},
        trust_env=False,
        timeout=90,
    ).json()
    assert "error" not in answer, answer
    found: dict[str, JsonValue] = answer["result"]
    return found


def photograph(page: Page, panel: Panel, pictures: Path, name: str) -> None:
    for scheme, width in zip(SCHEMES, (320, 1100), strict=True):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        expect(panel.app).to_have_attribute("data-theme", scheme)
        page.screenshot(path=pictures / f"{name}-{scheme}-{width}.png")
        assert panel.app.evaluate(OVERFLOW) == []
    page.set_viewport_size(NARROW)


def test_the_view_is_in_jupyterlabs_side_panel_too(
    page: Page, start_lab: StartLab, folder: RepositoryFolder, pictures: Path
) -> None:
    side = open_side(page, start_lab(folder.root.parent), folder.root.name)
    side.wait_for("ready")
    side.part("browser-open").click()
    expect(side.part("browser")).to_contain_text("No browser yet", timeout=LIMIT_MS)
    page.screenshot(path=pictures / "browser-in-lab.png")
    page.keyboard.press("Escape")
    expect(side.part("browser")).to_have_count(0)
