import asyncio
import base64

import pytest

from jupyter_ac.browser import page_screenshot
from jupyter_ac.browser.page_screenshot import MAX_SIDE, Clip, screenshot
from jupyter_ac.errors import Busy, InvalidParams, TooLarge
from tests.browser.running_browser import LIMIT_S
from tests.browser.watched_page import watched_page

HTML = "<style>body { margin: 0 }</style><div style='height: 30000px; width: 300px'>x</div>"


async def test_the_window_a_part_and_the_whole_page() -> None:
    async with watched_page(HTML) as (target, _, _, _):
        window = await screenshot(target)
        assert base64.b64decode(window["data"]).startswith(b"\x89PNG")
        assert window["mime_type"] == "image/png"
        assert not window["is_cut"]
        assert 16 <= max(window["width"], window["height"]) <= MAX_SIDE
        part = await screenshot(target, clip=Clip(10, 2000, 200, 100))
        assert (part["width"], part["height"]) == (200, 100)
        small = await screenshot(target, clip=Clip(0, 0, 200, 100), max_side=50)
        assert (small["width"], small["height"]) == (50, 25)
        whole = await screenshot(target, full=True)
        assert whole["is_cut"]
        assert whole["height"] <= MAX_SIDE
        for clip in (Clip(0, 0, 0, 10), Clip(0, 0, 10, -1)):
            with pytest.raises(InvalidParams):
                await screenshot(target, clip=clip)


async def test_a_picture_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    async with watched_page(HTML) as (target, _, _, _):
        png = await screenshot(target)
        size = len(base64.b64decode(png["data"]))
        monkeypatch.setattr(page_screenshot, "MAX_BYTES", size - 1)
        monkeypatch.setattr(page_screenshot, "_JPEG_QUALITY", 0)
        jpeg = await screenshot(target, clip=Clip(0, 0, 300, 300))
        assert jpeg["mime_type"] in {"image/jpeg", "image/png"}
        monkeypatch.setattr(page_screenshot, "MAX_BYTES", 10)
        with pytest.raises(TooLarge):
            await screenshot(target)


async def test_no_picture_of_a_page_with_a_dialog() -> None:
    async with watched_page(HTML) as (target, _, changes, _):
        with pytest.raises(Busy):
            await target.call("Runtime.evaluate", {"expression": "alert(1)"})
        with pytest.raises(Busy):
            await screenshot(target)
        await target.handle_dialog(accept=True)
        await changes.wait_until(lambda: target.dialog is None)
        await screenshot(target)


async def test_a_page_that_goes_on_meanwhile_is_drawn_when_it_is_there() -> None:
    async with watched_page(HTML, {"/next": HTML}) as (target, url, _, _):
        for number in range(5):
            params = {"url": f"{url}/next?{number}"}
            moving = asyncio.ensure_future(target.call("Page.navigate", params, LIMIT_S))
            picture = await screenshot(target, full=True)
            assert picture["mime_type"] == "image/png"
            await moving
