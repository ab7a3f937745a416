"""Pictures of parts of pages, in a real browser."""

import base64
import struct

import pytest

from jupyter_ac.browser import element_screenshot
from jupyter_ac.browser.element_screenshot import capture
from jupyter_ac.browser.selected_element import ElementRect
from tests.browser.chromium import PageServer, needs_chromium, open_page

pytestmark = needs_chromium


def rect(x: float, y: float, width: float, height: float) -> ElementRect:
    return ElementRect(x=x, y=y, width=width, height=height)


def png_size(data: str) -> tuple[int, int]:
    width, height = struct.unpack(">II", base64.b64decode(data)[16:24])
    return int(width), int(height)


async def test_a_picture_is_of_the_visible_part(chromium: str, server: PageServer) -> None:
    async with open_page(chromium) as page:
        await page.open(server.put("/", "<body style='height:5000px;width:5000px'>"))
        await page.js("scrollTo(0, 1000)")
        size = await page.js("[innerWidth, innerHeight]")
        assert isinstance(size, list)
        picture = await capture([page.session], rect(10, 20, 30, 40))
        assert picture is not None
        assert picture["media_type"] == "image/png"
        assert png_size(picture["data"]) == (30, 40)
        partly = await capture([page.session], rect(-10, -10, 30, 40))
        assert partly is not None
        assert png_size(partly["data"]) == (20, 30)
        whole = await capture([page.session], rect(-100, -1000, 9000, 9000))
        assert whole is not None
        assert max(png_size(whole["data"])) == element_screenshot.MAX_SIDE


@pytest.mark.parametrize(
    "where", [(0, 0, 0, 10), (-50, 0, 40, 10), (0, 90_000, 10, 10)], ids=["none", "left", "below"]
)
async def test_there_is_no_picture_of_what_is_not_visible(
    chromium: str, server: PageServer, where: tuple[float, float, float, float]
) -> None:
    async with open_page(chromium) as page:
        await page.open(server.put("/", "<body>"))
        assert await capture([page.session], rect(*where)) is None


async def test_large_pictures_are_jpeg_or_left_out(
    chromium: str, server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = """<body style='margin:0'><canvas id=c width=400 height=400></canvas><script>
      const context = c.getContext("2d"), image = context.createImageData(400, 400);
      for (let i = 0; i < image.data.length; i++)
        image.data[i] = i % 4 === 3 ? 255 : Math.random() * 256;
      context.putImageData(image, 0, 0);</script>"""
    async with open_page(chromium) as page:
        await page.open(server.put("/", noise))
        picture = await capture([page.session], rect(0, 0, 400, 400))
        assert picture is not None
        assert picture["media_type"] == "image/jpeg"
        monkeypatch.setattr(element_screenshot, "MAX_CHARS", 1000)
        assert await capture([page.session], rect(0, 0, 400, 400)) is None


async def test_there_is_no_picture_without_a_page(chromium: str, server: PageServer) -> None:
    async with open_page(chromium) as page:
        await page.open(server.put("/", "<body>"))
        page.session.session_id = "gone"
        assert await capture([page.session], rect(0, 0, 10, 10)) is None
