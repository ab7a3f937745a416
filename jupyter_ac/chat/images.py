"""Validates images that come with a question: the type is detected from the content, not a label.

The name of an image is the hash of its bytes and its type, so that equal images are stored once.
"""

import base64
import binascii
import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.errors import InvalidParams, TooLarge, Unsupported

MAX_BYTES: Final = 5 * 1024 * 1024
MAX_IMAGES: Final = 5
IMAGE_TOKENS: Final = 1_000
"""The estimate for an image; providers differ, and count by its size in pixels."""

_MIB: Final = 1024 * 1024
_NAME: Final = re.compile(r"[0-9a-f]{64}\.(?:png|jpeg|gif|webp)")
_HEAD: Final = re.compile(r"data:[^,]{0,200};base64,", re.IGNORECASE)
_SIGNS: Final[Mapping[str, re.Pattern[bytes]]] = {
    "png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "jpeg": re.compile(rb"\xff\xd8\xff"),
    "gif": re.compile(rb"GIF8[79]a"),
    "webp": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
}
_KINDS: Final = "PNG, JPEG, GIF and WebP"


@dataclass(frozen=True, slots=True)
class QuestionImage:
    """An image that may be sent.

    Attributes:
        name: under which it is stored.
        data: its bytes.
    """

    name: str
    data: bytes

    @property
    def mime(self) -> str:
        """Its MIME type."""
        return mime_of(self.name)

    @property
    def data_uri(self) -> str:
        """Write it as one string."""
        return f"data:{self.mime};base64,{base64.b64encode(self.data).decode()}"


def is_name(text: str) -> bool:
    """Tell whether a text could be an image's name."""
    return _NAME.fullmatch(text) is not None


def mime_of(name: str) -> str:
    """Say what the image of this name is."""
    return f"image/{name.rpartition('.')[2]}"


def image_of(data: bytes, argument: str) -> QuestionImage:
    """Take bytes for an image.

    Raises:
        TooLarge: there are too many of them.
        Unsupported: they are no image of a kind that models take.
    """
    if len(data) > MAX_BYTES:
        raise TooLarge(_too_large(argument, len(data)))
    kind = next((kind for kind, sign in _SIGNS.items() if sign.match(data)), None)
    if kind is None:
        raise Unsupported(f"{argument} is no image that can be sent; {_KINDS} can.")
    return QuestionImage(f"{hashlib.sha256(data).hexdigest()}.{kind}", data)


def read_data_uri(text: str, argument: str) -> QuestionImage:
    """Decode and check a data URI; takes a moment for a large one.

    Args:
        text: `data:image/png;base64,…`; what it says of the image's kind isn't believed.
        argument: its name in messages.

    Raises:
        InvalidParams: it is no data URI in base64.
        TooLarge: the image is.
        Unsupported: it is of no kind that models take.
    """
    head = _HEAD.match(text)
    if head is None:
        raise InvalidParams(f"{argument} must be a data URI, such as data:image/png;base64,…")
    size = (len(text) - head.end()) // 4 * 3 - text.count("=", -2)
    if size > MAX_BYTES:
        raise TooLarge(_too_large(argument, size))
    try:
        data = binascii.a2b_base64(text[head.end() :].encode("ascii"), strict_mode=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise InvalidParams(f"{argument} is not valid base64; send the image again.") from error
    return image_of(data, argument)


def check_count(images: Sequence[object]) -> None:
    """Refuse more images than a question may have.

    Raises:
        TooLarge: there are too many.
    """
    if len(images) > MAX_IMAGES:
        raise TooLarge(f"images has {len(images)} images; a question takes {MAX_IMAGES} at most.")


def with_images(
    messages: Sequence[Mapping[str, object]], files: Sequence[Path]
) -> list[Mapping[str, object]]:
    """Put images behind the text of the last message.

    Args:
        messages: of the request.
        files: with the images, each under its name; the models worker reads them.
    """
    if not files or not messages:
        return list(messages)
    *earlier, last = messages
    content = last["content"]
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    images = [
        {"type": "image_file", "path": str(file), "mime": mime_of(file.name)} for file in files
    ]
    return [*earlier, {**last, "content": [*parts, *images]}]


def _too_large(argument: str, size: int) -> str:
    most, found = MAX_BYTES // _MIB, math.ceil(100 * size / _MIB) / 100
    return f"{argument} has {found} MB; an image may have {most} MB. Make it smaller."
