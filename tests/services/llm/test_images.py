from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.errors import InvalidParams, NotFound, RemoteError, TooLarge, Unsupported
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.images import ImageMethods, keep_images
from tests.services.llm.pages import Page, connect
from tests.support.pictures import GIF, SVG, png, uri


@asynccontextmanager
async def opened(state: Path) -> AsyncIterator[Page]:
    page = Page(())
    part = ImageMethods(ImageFolder(state))
    connection = await connect(page, MethodTable(Namespace("LLMService", part)))
    yield page
    await connection.close()


async def test_an_image_that_was_put_can_be_got_by_its_id(tmp_path: Path) -> None:
    async with opened(tmp_path) as page:
        put = await page.ask("put_image", uri(GIF, "image/png"))
        assert (put["mime"], put["bytes"]) == ("image/gif", len(GIF))
        assert await page.ask("get_image", put["id"]) == {"data_uri": uri(GIF, "image/gif")}
        assert await page.ask("put_image", uri(GIF)) == put


async def test_what_can_not_be_an_image_is_refused_with_the_arguments_name(tmp_path: Path) -> None:
    slips = ((uri(SVG), "data_uri is no image"), ("x", "data_uri must be a data URI"))
    async with opened(tmp_path) as page:
        for wrong, said in slips:
            with pytest.raises(RemoteError, match=said):
                await page.call("put_image", wrong)
        with pytest.raises(RemoteError, match="is not kept here"):
            await page.call("get_image", "../../config")


async def test_the_images_of_a_question_are_all_checked_before_one_is_kept(
    tmp_path: Path,
) -> None:
    store = ImageFolder(tmp_path)
    for images, error, said in (
        ([uri(png()), 5], InvalidParams, r"images\[1\] must be a data URI or an image's id"),
        ([uri(png()), uri(SVG)], Unsupported, r"images\[1\] is no image"),
        ([uri(png()), f"{'0' * 64}.png"], NotFound, "is not kept here"),
        ([uri(png(colour=n)) for n in range(6)], TooLarge, "images has 6 images"),
    ):
        with pytest.raises(error, match=said):
            await keep_images(store, images)
    assert not (tmp_path / "images").exists()
    names = await keep_images(store, [uri(png()), uri(GIF), uri(png())])
    assert await keep_images(store, [names[1], names[0]]) == names[::-1]
    assert len(list((tmp_path / "images").iterdir())) == 2
