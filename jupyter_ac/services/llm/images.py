"""RPC methods for a question's images: uploaded one by one before it, readable afterwards."""

import asyncio
from collections.abc import Sequence
from typing import TypedDict

from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.images import QuestionImage, check_count, is_name, read_data_uri
from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.methods import Access, method


class PutImage(TypedDict):
    """An image that is kept.

    Attributes:
        id: names it in `chat_streaming` and `get_image`.
        mime: what it is, by its content.
        bytes: its size.
    """

    id: str
    mime: str
    bytes: int


class GotImage(TypedDict):
    """An image as a page shows it."""

    data_uri: str


class ImageMethods:
    """RPC methods for the images of a repository's conversations.

    Args:
        store: the image store.
    """

    def __init__(self, store: ImageFolder) -> None:
        self._store = store

    @method(Access.WRITE)
    async def put_image(self, data_uri: str) -> PutImage:
        """Keep a PNG, JPEG, GIF or WebP image of at most 5 MB for a question to come."""
        image = await asyncio.to_thread(read_data_uri, data_uri, "data_uri")
        await self._store.put(image)
        return {"id": image.name, "mime": image.mime, "bytes": len(image.data)}

    @method(Access.READ)
    async def get_image(self, image_id: str) -> GotImage:
        """Give an image by its id."""
        image = await self._store.get(image_id)
        return {"data_uri": await asyncio.to_thread(lambda: image.data_uri)}


async def keep_images(store: ImageFolder, images: Sequence[object]) -> tuple[str, ...]:
    """Validate the images of a question, then store them; returns the names, each once.

    Args:
        store: the image store.
        images: data URIs, or ids that `put_image` gave.

    Raises:
        InvalidParams: one is neither.
        TooLarge: there are too many, or one is too large.
        Unsupported: one is of no kind that models take.
        NotFound: the store has no image with an id.
    """
    check_count(images)
    found: list[QuestionImage] = []
    for number, given in enumerate(images):
        argument = f"images[{number}]"
        if not isinstance(given, str):
            raise InvalidParams(f"{argument} must be a data URI or an image's id.")
        if is_name(given):
            found.append(await store.get(given))
        else:
            found.append(await asyncio.to_thread(read_data_uri, given, argument))
    for image in found:
        await store.put(image)
    return tuple(dict.fromkeys(image.name for image in found))
