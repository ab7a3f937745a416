"""The `Panels` namespace, over links in memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.panels import Plugin, component, html, use_state
from jupyter_ac.services.panels.panel_directory import PanelDirectory
from tests.services.panels.panel_page import page_of
from tests.support.local_source import LocalSource


@component
def counter(start: int = 0) -> object:
    count, set_count = use_state(start)
    return html.button({"on_click": lambda: set_count(count + 1)}, f"{count} clicks")


@asynccontextmanager
async def directory() -> AsyncIterator[PanelDirectory]:
    """A directory with one panel of this process."""
    made = PanelDirectory()
    made.add(LocalSource(Plugin(counter, calls=["Repo.get_file_tree"]), "kernel"))
    yield made
    await made.aclose()


async def test_panels_are_listed_and_followed() -> None:
    async with directory() as panels, page_of(panels) as page:
        row: dict[str, object] = {
            "id": "counter",
            "title": "Counter",
            "origin": "kernel",
            "state": "stopped",
            "error": None,
            "calls": [],
            "loads": 0,
        }
        assert await page.call("list") == [row]
        await page.show("counter")
        await page.until(lambda: page.state("counter") == "running")
        ran: dict[str, object] = {
            "state": "running",
            "calls": ["Repo.get_file_tree"],
            "loads": 1,
        }
        assert page.rows == [row | ran]


async def test_two_pages_share_a_panel() -> None:
    async with directory() as panels, page_of(panels) as one, page_of(panels) as two:
        first = await one.show("counter", props={"start": 5})
        assert (first.text(), first.names()) == ("5 clicks", ["updateTree"])
        await one.fire("counter", "onClick")
        await one.until(lambda: first.text() == "6 clicks")
        second = await two.show("counter")
        assert second.text() == "6 clicks"
        await two.fire("counter", "onClick")
        await one.until(lambda: first.text() == second.text() == "7 clicks")
        assert second.names() == ["updateTree", "applyMutations"]
        await one.call("destroy", "counter")
        await two.fire("counter", "onClick")
        await two.until(lambda: second.text() == "8 clicks")
        assert first.text() == "7 clicks"


async def test_a_panel_is_restarted_for_all_pages() -> None:
    async with directory() as panels, page_of(panels) as one, page_of(panels) as two:
        first, second = await one.show("counter"), await two.show("counter")
        await one.fire("counter", "onClick")
        await one.until(lambda: first.text() == second.text() == "1 clicks")
        await two.call("restart", "counter")
        await one.until(lambda: first.text() == second.text() == "0 clicks")
        await one.fire("counter", "onClick")
        await one.until(lambda: first.text() == second.text() == "1 clicks")


async def test_calls_that_do_not_fit_are_refused() -> None:
    async with directory() as panels, page_of(panels) as page:
        for name, args, reason in (
            ("initialize", ["other", {"protocolVersion": 3}], "no panel other"),
            ("initialize", ["counter", {"protocolVersion": 2}], "speaks version 3"),
            ("initialize", ["counter", {}], "protocolVersion"),
            (
                "initialize",
                ["counter", {"protocolVersion": 3, "env": 1}],
                "req.env must be an object or null",
            ),
            ("executeHandler", ["counter", "a:onClick", []], "not initialized"),
            ("syncTree", ["counter"], "not initialized"),
            ("updateProps", ["counter", {}], "not initialized"),
            ("setEnvironment", ["counter", {}], "not initialized"),
        ):
            with pytest.raises(RemoteError, match=reason):
                await page.call(name, *args)
        assert await page.call("list") == [
            {
                "id": "counter",
                "title": "Counter",
                "origin": "kernel",
                "state": "stopped",
                "error": None,
                "calls": [],
                "loads": 0,
            }
        ]
