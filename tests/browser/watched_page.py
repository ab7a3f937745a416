"""A real page that is watched, with a text of our own in it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from jupyter_ac.browser.debugger import Debugger
from jupyter_ac.browser.page_navigation import PageNavigation
from jupyter_ac.browser.target import Target
from tests.browser.running_browser import (
    HEADLESS,
    Body,
    Changes,
    debugging,
    only_page,
    pages,
)


@asynccontextmanager
async def watched_page(
    html: str, further: Mapping[str, Body] | None = None
) -> AsyncIterator[tuple[Target, str, Changes, Debugger]]:
    """Show a page; gives it, the server's address, what is reported, and the debugger."""
    with pages({"/": html, **(further or {})}) as url:
        async with debugging() as (debugger, changes):
            await debugger.launch(HEADLESS)
            target = await debugger.watch(only_page(debugger))
            assert (await PageNavigation(target).navigate(f"{url}/"))["error"] is None
            yield target, url, changes, debugger
