"""Web pages in the panel: addresses found in the input, fetched on a click, sent, left out."""

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.panel import Panel
from tests.e2e.test_looks import OVERFLOW, SCHEMES, expect_fits
from tests.support.model_process import RunningModelServer
from tests.support.serve_process import ServeProcess
from tests.web.hostile_server import HostileServer, hostile_server, ok, raw

pytestmark = pytest.mark.e2e
WITHIN = "#panel"
StartServe = Callable[..., ServeProcess]
ADMIN = {"allowed_hosts": ["127.0.0.1"]}

ONLY_ON_THE_PAGE = "A pump moves a fluid by mechanical action"
SCRIPT = "<script>document.title = 'run'</script>"
LONG = "a-page-with-a-name-that-is-much-longer-than-any-chip-may-be"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"


@pytest.fixture
def web() -> Iterator[HostileServer]:
    slowly = raw(HEAD, *([b"Water. " * 6000] * 8), pause_s=0.5)
    with hostile_server(slowly=slowly, source=ok(SCRIPT, "text/plain"), **{LONG: ok(LONG)}) as web:
        yield web


@pytest.fixture
def panel(page: Page, start_serve: StartServe, repository: Path) -> Panel:
    return open_panel(page, start_serve(repository, admin=ADMIN))


def open_panel(page: Page, server: ServeProcess) -> Panel:
    page.goto(server.page)
    panel = Panel(page, WITHIN)
    panel.wait_for("ready")
    return panel


def chip(panel: Panel, url: str) -> Locator:
    return panel.part("chip", f'[data-kind="url"][data-url="{url}"]')


def expect_state(chip: Locator, state: str) -> None:
    expect(chip).to_have_attribute("data-state", state)


def row(panel: Panel, url: str) -> Locator:
    return panel.part("breakdown-row", f'[data-category="urls"][data-path="{url}"]')


def test_a_page_is_fetched_on_a_click_sent_left_out_and_removed(
    page: Page,
    start_serve: StartServe,
    repository: Path,
    model: RunningModelServer,
    web: HostileServer,
) -> None:
    server = start_serve(repository, admin=ADMIN)
    panel, url = open_panel(page, server), web.url("/page")
    other = open_panel(page.context.new_page(), server)
    page.bring_to_front()
    panel.part("input").press_sequentially(f"What is on {url}?")
    found = chip(panel, url)
    expect_state(found, "found")
    expect(found).to_have_attribute("data-included", "false")
    page.wait_for_timeout(1000)
    assert web.asked == []
    expect(panel.part("chip")).to_have_count(1)
    expect(other.part("chip")).to_have_count(0)

    shown = page.url
    found.click()
    expect_state(found, "ready")
    expect(found).to_have_attribute("data-included", "true")
    expect_state(chip(other, url), "ready")
    assert len(web.asked) == 1
    assert page.url == shown
    expect(row(panel, url)).to_have_attribute("data-tokens", re.compile(r"^[1-9]"))
    total = panel.part("breakdown-row", '[data-category="urls"]:not([data-path])')
    expect(total).to_contain_text("1 page")

    panel.part("send").click()
    panel.answer()
    assert ONLY_ON_THE_PAGE in str(model.bodies()[-1])
    expect_state(found, "ready")

    found.locator('[data-ac="chip-toggle"]').click()
    expect(found).to_have_attribute("data-included", "false")
    expect(chip(other, url)).to_have_attribute("data-included", "false")
    expect(row(panel, url)).to_contain_text("still sent")
    page.reload()
    expect(found).to_have_attribute("data-included", "false")

    found.locator('[data-ac="chip-remove"]').click()
    expect(panel.part("chip")).to_have_count(0)
    expect(other.part("chip")).to_have_count(0)
    assert len(web.asked) == 1


def test_a_page_that_is_left_out_is_not_sent(
    panel: Panel, model: RunningModelServer, web: HostileServer
) -> None:
    url = web.url("/page")
    panel.part("input").fill(f"What is on {url}?")
    chip(panel, url).locator('[data-ac="chip-fetch"]').click()
    chip(panel, url).locator('[data-ac="chip-toggle"]').click()
    panel.part("send").click()
    panel.answer()
    assert ONLY_ON_THE_PAGE not in str(model.bodies()[-1])
    expect(row(panel, url)).to_have_count(0)
    expect(chip(panel, url)).to_have_attribute("data-included", "false")


def test_a_fetch_goes_on_while_the_panel_is_reloaded(panel: Panel, web: HostileServer) -> None:
    url = web.url("/slowly")
    panel.part("input").fill(url)
    chip(panel, url).locator('[data-ac="chip-fetch"]').click()
    expect_state(chip(panel, url), "fetching")
    panel.page.reload()
    panel.wait_for("ready")
    expect(chip(panel, url)).to_have_attribute("data-state", re.compile("fetching|ready"))
    expect_state(chip(panel, url), "ready")
    assert len(web.asked) == 1


def test_a_chip_that_was_removed_keeps_its_page_from_being_fetched(
    page: Page,
    start_serve: StartServe,
    repository: Path,
    tmp_path: Path,
    model: RunningModelServer,
    web: HostileServer,
) -> None:
    folder = tmp_path / "serve-home0" / "ac"
    folder.mkdir(parents=True)
    (folder / "app.json").write_text('{"urls": {"fetch": "auto"}}')
    panel = open_panel(page, start_serve(repository, admin=ADMIN))
    wanted, removed = web.url("/text"), web.url("/page")
    panel.part("input").fill(f"Compare {wanted} and {removed} !")
    chip(panel, removed).locator('[data-ac="chip-remove"]').click()
    panel.part("send").click()
    panel.answer()
    sent = str(model.bodies()[-1])
    assert "plain words" in sent
    assert ONLY_ON_THE_PAGE not in sent
    assert [head.split(" ")[1] for head in web.asked] == ["/text"]


def test_the_keyboard_does_all_that_the_pointer_does(panel: Panel, web: HostileServer) -> None:
    page = panel.page
    first, second, third = (web.url(f"/{path}") for path in ("source", "fault", "text"))
    panel.part("input").fill(f"{first} {second} {third}")
    expect(panel.part("chip")).to_have_count(3)
    page.keyboard.press("Tab")
    expect(chip(panel, first)).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect_state(chip(panel, third), "ready")
    expect(panel.part("chip").first).to_have_attribute("data-url", third)
    expect(chip(panel, third)).to_be_focused()
    page.keyboard.press("Delete")
    expect(panel.part("chip")).to_have_count(2)
    expect(chip(panel, first)).to_be_focused()
    page.keyboard.press("Enter")
    expect_state(chip(panel, first), "ready")
    expect(chip(panel, first)).to_be_focused()
    page.keyboard.press("Space")
    expect(chip(panel, first)).to_have_attribute("data-included", "false")
    page.keyboard.press("Enter")
    text = panel.part("page-text")
    expect(text.locator("pre")).to_have_text(SCRIPT)
    page.keyboard.press("Escape")
    expect(text).to_have_count(0)
    expect(chip(panel, first)).to_be_focused()

    page.keyboard.press("ArrowRight")
    expect(chip(panel, second)).to_be_focused()
    page.keyboard.press("Enter")
    expect_state(chip(panel, second), "failed")
    expect(chip(panel, second)).to_have_attribute("title", re.compile("503"))
    expect_fits(page, panel)
    page.keyboard.press("Enter")
    expect(text.get_by_role("alert")).to_contain_text("503")
    page.keyboard.press("Escape")
    page.keyboard.press("Delete")
    expect(chip(panel, first)).to_be_focused()
    page.keyboard.press("Delete")
    expect(panel.part("chip")).to_have_count(0)
    expect(panel.part("input")).to_be_focused()


@pytest.mark.soak
def test_chips_of_all_states_fit_and_are_photographed(
    panel: Panel, web: HostileServer, pictures: Path
) -> None:
    page, slow = panel.page, web.url("/slowly")
    urls = [web.url(f"/{path}") for path in ("page", "text", "fault", LONG, "slowly")]
    panel.part("input").fill("Compare " + " and ".join(urls))
    expect(panel.part("chip")).to_have_count(5)
    for url in urls[:3]:
        chip(panel, url).click()
        expect(chip(panel, url)).to_have_attribute("data-state", re.compile("ready|failed"))
    chip(panel, urls[1]).locator('[data-ac="chip-toggle"]').click()
    chip(panel, slow).click()
    expect(chip(panel, slow)).to_contain_text("kB")
    for scheme, width in product(SCHEMES, (320, 800)):
        photograph(panel, pictures / f"url-chips-{scheme}-{width}.png", scheme, width)
    expect_state(chip(panel, slow), "ready")
    chip(panel, urls[0]).locator('[data-ac="chip-view"]').click()
    expect(panel.part("page-text")).to_contain_text(ONLY_ON_THE_PAGE)
    for scheme, width in product(SCHEMES, (320, 800)):
        photograph(panel, pictures / f"url-text-{scheme}-{width}.png", scheme, width)
    page.keyboard.press("Escape")


def photograph(panel: Panel, path: Path, scheme: str, width: int) -> None:
    panel.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    panel.page.set_viewport_size({"width": width, "height": 900})
    expect(panel.app).to_have_attribute("data-theme", scheme)
    panel.page.screenshot(path=path, animations="disabled")
    assert panel.app.evaluate(OVERFLOW) == []
