"""`panel.attach(value)`: makes the item that goes out with the panel's next question.

A value is summarised without running its code. Only figures of matplotlib and images of Pillow,
recognised by the identity of their classes, are drawn, by their libraries: the user asked for it.
"""

import base64
from io import BytesIO
from typing import Final, Protocol, cast

from jupyter_ac.chat.context_items import MAX_CHARS
from jupyter_ac.chat.images import MAX_BYTES
from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.errors import InvalidParams, TooLarge, Unsupported
from jupyter_ac.hosts.kernel.session_items import SOURCE, variable_item
from jupyter_ac.inspection.raw_access import (
    bare_name,
    class_name,
    is_own_class,
    items_of,
    loaded_class,
)

MAX_SIDE: Final = 2000
"""Pixels of the longer side of a picture; models make larger ones smaller themselves."""

MAX_PIXELS: Final = 100_000_000
"""Pixels of an image before it is made smaller."""

_MAX_NAME: Final = 200
_PNG_MODES: Final = frozenset({"1", "L", "LA", "P", "RGB", "RGBA"})


class _Figure(Protocol):
    """The part of matplotlib's figures that is used."""

    def get_size_inches(self) -> tuple[float, float]:
        """Return width and height."""

    def get_dpi(self) -> float:
        """Return the pixels of an inch."""

    def savefig(self, fname: BytesIO, **options: object) -> None:
        """Draw it into a file; options: `format` and `dpi`."""


class _Image(Protocol):
    """The part of Pillow's images that is used."""

    size: tuple[int, int]
    mode: str

    def copy(self) -> "_Image":
        """Return a copy, with its pixels in memory."""

    def convert(self, mode: str) -> "_Image":
        """Return it with pixels of another kind."""

    def thumbnail(self, size: tuple[int, int]) -> None:
        """Make it smaller, if it is larger than this."""

    def save(self, fp: BytesIO, kind: str, /) -> None:
        """Write it into a file."""


def attached_item(
    value: object, name: str | None, namespace: dict[object, object]
) -> ContextItemGiven:
    """Describe a value for the next question.

    Args:
        value: a text is taken as it is, other values are summarised; figures of matplotlib and
            images of Pillow come with a PNG picture of at most 5 MB.
        name: None: the name of a variable that holds the value, else that of its class.
        namespace: where that variable is looked for.

    Raises:
        InvalidParams: the name is no text, empty or too long.
        TooLarge: the text or the picture is too large.
        Unsupported: the library can't draw it.
    """
    if name is None:
        name = _variable_of(value, namespace) or bare_name(type(value))
    if type(name) is not str or not name.strip() or len(name) > _MAX_NAME:
        raise InvalidParams(f"name must be a text of 1 to {_MAX_NAME} characters.")
    if type(value) is str:
        if len(value) > MAX_CHARS:
            raise TooLarge(f"A text may have {MAX_CHARS:,} characters; attach a part of it.")
        return {"kind": "variable", "name": name, "text": value, "source": SOURCE}
    item = variable_item(name, value)
    png = _picture(value)
    if png is None:
        return item
    if len(png) > MAX_BYTES:
        raise TooLarge(
            f"The picture of {name} has {len(png):,} bytes, and {MAX_BYTES:,} can be sent; "
            "make it smaller or simpler."
        )
    return {**item, "images": [f"data:image/png;base64,{base64.b64encode(png).decode()}"]}


def _variable_of(value: object, namespace: dict[object, object]) -> str:
    """Return the name of the first variable that holds just this object; "" if none does."""
    names = (key for key, held in items_of(namespace) if held is value and type(key) is str)
    return next((name for name in names if name.isidentifier() and not name.startswith("_")), "")


def _picture(value: object) -> bytes | None:
    """Draw a value of a known class as PNG; None for all others."""
    cls = type(value)
    module = class_name(cls).rpartition(".")[0]
    is_image = module.startswith("PIL.") and is_own_class(cls, module)
    is_figure = cls is loaded_class("matplotlib.figure", "Figure")
    if not is_image and not is_figure:
        return None
    try:
        if is_figure:
            return _drawn(cast("_Figure", value))
        return _saved(cast("_Image", value))
    except TooLarge:
        raise
    except Exception as error:  # whatever a library raises
        raise Unsupported(f"{class_name(cls)} could not be drawn: {error}") from error


def _drawn(figure: _Figure) -> bytes:
    longest = max(*figure.get_size_inches(), 0.01)
    target = BytesIO()
    figure.savefig(target, format="png", dpi=min(figure.get_dpi(), MAX_SIDE / longest))
    return target.getvalue()


def _saved(image: _Image) -> bytes:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise TooLarge(
            f"The image has {width} x {height} pixels, and {MAX_PIXELS:,} can be read; "
            "attach a smaller one."
        )
    small = image.copy()
    if small.mode not in _PNG_MODES:
        small = small.convert("RGB")
    small.thumbnail((MAX_SIDE, MAX_SIDE))
    target = BytesIO()
    small.save(target, "PNG")
    return target.getvalue()
