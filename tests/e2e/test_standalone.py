"""The stand-alone server's page in a browser, from the installed wheel."""

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_looks import OVERFLOW, SCHEMES
from tests.support.repositories import make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
WITHIN = "#panel"
StartServe = Callable[..., ServeProcess]
APP = "document.querySelector('#panel [data-ac=\"app\"]')"
CHAT = f"[...{APP}.shadowRoot.querySelector('.chat').children][0]"
SCROLLER = f"{CHAT}.shadowRoot.querySelector('.scroller')"
FRAME = "new Promise(requestAnimationFrame)"
SCROLLED = f"async (to) => {{ while ({SCROLLER}.scrollTop !== to) await {FRAME}; }}"
TAKE_OUT_AND_PUT_BACK = f"""async () => {{
  await {FRAME};
  const app = {APP}, place = app.parentElement, top = {SCROLLER}.scrollTop;
  app.remove();
  await {FRAME};
  place.append(app);
  return top;
}}"""


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser complains about: errors, and code or connections that the page forbids."""
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    return said


def open_page(page: Page, server: ServeProcess, address: str = "") -> Panel:
    page.goto(address or server.page)
    panel = Panel(page, WITHIN)
    panel.wait_for("ready", 90)
    return panel


def test_a_conversation_from_the_first_page_to_the_next(
    page: Page, start_serve: StartServe, repository: Path, complaints: list[str]
) -> None:
    server = start_serve(repository, "scripted-slow")
    panel = open_page(page, server)
    expect(panel.app).to_have_attribute("data-door", "page")
    expect(panel.app).to_contain_text(repository.name)
    expect(page).to_have_title(f"{repository.name} - jupyter_ac")
    expect(panel.part("input")).to_be_focused()
    empty = panel.total()
    panel.tick("README.md")
    expect(panel.part("breakdown-row", '[data-path="README.md"]')).to_have_count(1)
    assert panel.total() > empty
    panel.ask("What is this?")
    panel.wait_for("streaming")
    whole = panel.answer("done", 90).inner_text()
    assert len(whole) > 20

    panel.ask("And what else?")
    expect(panel.message("assistant").last).to_have_attribute("data-state", "streaming")
    expect(panel.message("assistant").last).to_have_text(re.compile(r"\S{3}"), timeout=90 * SECONDS)
    # As a windowed notebook does with a cell that is scrolled out of view, and into it again.
    page.evaluate(TAKE_OUT_AND_PUT_BACK)
    panel.wait_for("streaming")
    panel.part("stop").click()
    panel.answer("cancelled")

    page.reload()
    panel.wait_for("ready", 90)
    expect(panel.message("user")).to_have_count(2)
    expect(panel.message("assistant").first).to_contain_text(whole.split("\n")[0][:20])
    expect(panel.row("README.md").locator('[data-ac="picker-check"]')).to_be_checked()

    page.set_viewport_size({"width": 700, "height": 420})
    page.evaluate(f"() => {{ {SCROLLER}.scrollTop = 25; }}")
    page.evaluate(SCROLLED, 25)
    assert page.evaluate(TAKE_OUT_AND_PUT_BACK) == 25
    page.evaluate(SCROLLED, 25)
    assert complaints == []


HTTP_CLIENT = """async (token) => {
  const { HttpClient } = await import('/static/http-client.js');
  const client = new HttpClient('/', { token });
  const states = [];
  client.on('state', (state) => states.push(state.connectionState));
  await client.connect();
  const found = [client.canCall('Repo.is_clean'), await client.call('Repo.is_clean')];
  client.close();
  return [states[0], ...found];
}"""


def test_a_page_of_the_host_can_use_the_client_over_http(
    page: Page, start_serve: StartServe, repository: Path, complaints: list[str]
) -> None:
    server = start_serve(repository, "scripted-slow")
    open_page(page, server)
    connection_state, can_call, is_clean = page.evaluate(HTTP_CLIENT, server.token)
    assert connection_state == "disconnected"
    assert can_call is True
    assert isinstance(is_clean, bool)
    assert complaints == []


def test_a_stream_goes_on_over_a_reload(
    page: Page, start_serve: StartServe, repository: Path
) -> None:
    server = start_serve(repository, "scripted-long@0.02")
    panel = open_page(page, server)
    panel.ask("Tell me everything.")
    expect(panel.message("assistant").last).to_have_text(
        re.compile(r"word\d{5}"), timeout=90 * SECONDS
    )
    page.reload()
    panel.wait_for("streaming", 90)
    panel.part("stop").click()
    panel.answer("cancelled")


def test_it_goes_on_when_the_server_was_started_again(
    page: Page, start_serve: StartServe, repository: Path, pictures: Path
) -> None:
    server = start_serve(repository)
    panel = open_page(page, server)
    panel.ask("Before?")
    panel.answer(seconds=90)
    server.end()
    panel.wait_for("offline")
    panel.part("input").fill("After?")
    expect(panel.app).to_contain_text(f"port {server.port}", timeout=90 * SECONDS)
    expect(panel.app).to_contain_text("jupyter ac serve")
    page.screenshot(path=pictures / "page-offline.png")
    server.start()
    panel.wait_for("ready", 90)
    expect(panel.part("input")).to_have_value("After?")
    panel.part("send").click()
    panel.answer(seconds=90)
    expect(panel.message("user")).to_have_count(2)


def test_the_token_stays_between_the_page_and_its_server(
    page: Page, start_serve: StartServe, repository: Path
) -> None:
    server = start_serve(repository)
    referers: list[str] = []
    addresses: list[str] = []
    page.on("request", lambda request: referers.append(request.headers.get("referer", "")))
    page.on("request", lambda request: addresses.append(request.url))
    panel = open_page(page, server)
    assert page.url == f"http://127.0.0.1:{server.port}/"
    assert page.evaluate("history.length") == 2
    page.goto(page.url)
    panel.wait_for("ready", 90)
    assert [address for address in addresses if server.token in address] == [server.page]
    assert set(referers) == {""}
    assert server.token not in page.content()
    assert server.token not in server.stderr


@pytest.mark.parametrize(
    ("query", "words"), [("", "this page has none"), ("?token=wrong", "refuses this page's token")]
)
def test_without_the_token_it_says_what_to_do(
    page: Page, start_serve: StartServe, repository: Path, pictures: Path, query: str, words: str
) -> None:
    server = start_serve(repository)
    page.goto(f"http://localhost:{server.port}/{query}")
    panel = Panel(page, WITHIN)
    panel.wait_for("offline", 90)
    expect(panel.app).to_contain_text(words, timeout=90 * SECONDS)
    expect(panel.app).to_contain_text("open the address that it printed")
    expect(panel.row("README.md")).to_have_count(0)
    page.screenshot(path=pictures / "page-refused.png")


def test_another_port_is_another_server(
    page: Page, start_serve: StartServe, repository: Path, tmp_path: Path, complaints: list[str]
) -> None:
    make_repository(tmp_path / "orchard", {"apple.md": "# Apple\n"})
    garden = start_serve(repository, "scripted", "--no-token")
    orchard = start_serve(tmp_path / "orchard")
    address = f"http://localhost:{garden.port}/?port={orchard.port}&token={orchard.token}"
    panel = open_page(page, garden, address)
    expect(panel.app).to_contain_text("orchard")
    expect(panel.row("apple.md")).to_have_count(1)
    assert page.url == f"http://localhost:{garden.port}/?port={orchard.port}"
    assert complaints == []
    page.goto(f"http://localhost:{garden.port}/?port={orchard.port}&token=wrong")
    expect(panel.app).to_contain_text("refuses this page's token", timeout=90 * SECONDS)
    page.goto(f"http://localhost:{garden.port}/?port=eighty")
    expect(page.locator(WITHIN)).to_contain_text("“eighty” is no port")


@pytest.mark.soak
def test_it_fits_and_is_photographed(
    page: Page, start_serve: StartServe, repository: Path, pictures: Path
) -> None:
    panel = open_page(page, start_serve(repository, "scripted-markdown"))
    panel.tick("README.md")
    panel.ask("What does the summary do?")
    panel.answer(seconds=90)
    for scheme, width in product(SCHEMES, (320, 1400)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        page.reload()
        panel.wait_for("ready", 90)
        panel.answer()
        page.screenshot(path=pictures / f"page-{scheme}-{width}.png")
        assert panel.app.evaluate(OVERFLOW) == []
        expect(panel.app).to_have_attribute("data-theme", scheme)
        sizes = page.evaluate("[document.body.scrollWidth, document.documentElement.scrollHeight]")
        assert sizes == [width, 900]
