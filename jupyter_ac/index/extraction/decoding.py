"""Decodes a file to text (a notebook to percent text), or gives the reason why it can't."""

from typing import Final, NamedTuple

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cells import read_notebook
from jupyter_ac.notebook.percent import model_text

_BOM: Final = b"\xef\xbb\xbf"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_HEAD: Final = 8_000


class Readable(NamedTuple):
    """A file's text.

    Attributes:
        data: valid UTF-8 without a byte order mark; empty when the file isn't read.
        note: what is wrong with the file; "" when all is well.
        is_read: whether it can be read at all.
    """

    data: bytes
    note: str
    is_read: bool


def readable(data: bytes) -> Readable:
    """Return a file's text; what isn't UTF-8 in it becomes U+FFFD, as the model is shown it."""
    if data.startswith(_UTF_16):
        return Readable(b"", "UTF-16, which isn't read", is_read=False)
    if b"\0" in data[:_HEAD]:
        return Readable(b"", "binary", is_read=False)
    data = data.removeprefix(_BOM)
    if data.isascii():
        return Readable(data, "", is_read=True)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        text = data.decode("utf-8", "replace").encode()
        return Readable(text, f"not UTF-8 in line {line}", is_read=True)
    return Readable(data, "", is_read=True)


class Cells(NamedTuple):
    """A notebook's cells.

    Attributes:
        language: of the kernel, as `language_of` names languages.
        text: the cells as percent text, what isn't code as comments.
    """

    language: str
    text: str


def cells_of(data: bytes) -> Cells:
    """Read a notebook file.

    Raises:
        ValueError: it is none.
    """
    try:
        notebook = read_notebook(data)
    except Unsupported as error:
        raise ValueError(f"not a notebook: {error}") from error
    return Cells(notebook.language, model_text(notebook))
