"""Exports a session as a document: Markdown, or a notebook."""

import base64
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Literal, TypedDict

from jupyter_ac.chat.history.markdown import body, heading
from jupyter_ac.chat.images import QuestionImage
from jupyter_ac.chat.shapes import KeptMessage
from jupyter_ac.errors import AcError, InvalidParams, TooLarge
from jupyter_ac.ids import SessionId
from jupyter_ac.notebook.document import TextCell, text_notebook

MOST_CHARS: Final = 12_000_000
"""A longer document would not pass through a connection."""

MOST_IMAGE_BYTES: Final = 6_000_000
"""Of all images together; those behind are only named."""

_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_-]+")

GetImage = Callable[[str], Awaitable[QuestionImage]]


class ExportedSession(TypedDict):
    """A session as a file.

    Attributes:
        filename: a name for it, without a folder.
        content: all of it.
    """

    filename: str
    content: str


async def export(
    session_id: SessionId, messages: Sequence[KeptMessage], form: str, image: GetImage
) -> ExportedSession:
    """Write a session as a file.

    Args:
        session_id: its name.
        messages: all of it, in order.
        form: `markdown` or `ipynb`.
        image: gives an image by its name; raises `AcError` if it is missing.

    Raises:
        InvalidParams: there is no such form.
        TooLarge: the file would be too long.
    """
    name = f"jupyter-ac-{_NOT_IN_NAMES.sub('-', session_id)[:80]}"
    pictures = _Pictures(image, "attachment" if form == "ipynb" else "data")
    match form:
        case "markdown":
            parts = [f"{_text(message)}{await pictures.of(message)}" for message in messages]
            file: ExportedSession = {
                "filename": f"{name}.md",
                "content": "\n\n".join([f"# Conversation {name}", *parts]) + "\n",
            }
        case "ipynb":
            cells = [
                TextCell(
                    f"{_text(message)}{await pictures.of(message)}",
                    (message["role"],),
                    pictures.take(),
                )
                for message in messages
            ]
            title = TextCell(f"# Conversation {name}")
            content = text_notebook([title, *cells], {"session_id": session_id})
            file = {"filename": f"{name}.ipynb", "content": content}
        case _:
            raise InvalidParams(f"format must be 'markdown' or 'ipynb', not {form[:40]!r}.")
    if len(file["content"]) > MOST_CHARS:
        raise TooLarge("The session is too long to be exported in one file.")
    return file


def _text(message: KeptMessage) -> str:
    return f"{heading(message)}\n\n{body(message)}"


class _Pictures:
    """The images of the messages, as far as there is room for them."""

    def __init__(self, image: GetImage, way: Literal["attachment", "data"]) -> None:
        self._image = image
        self._way = way
        self._room = MOST_IMAGE_BYTES
        self._attached: dict[str, dict[str, str]] = {}

    async def of(self, message: KeptMessage) -> str:
        """Give the lines that show a message's images."""
        return "".join([await self._line(row["id"]) for row in message.get("images", [])])

    def take(self) -> dict[str, dict[str, str]]:
        """Give the attachments of the lines since the last time."""
        taken, self._attached = self._attached, {}
        return taken

    async def _line(self, name: str) -> str:
        try:
            found = await self._image(name)
        except AcError:
            return "\n\n*An image that is not kept any more.*"
        self._room -= len(found.data)
        if self._room < 0:
            return "\n\n*An image that is left out, since there are too many.*"
        if self._way == "data":
            return f"\n\n![image]({found.data_uri})"
        self._attached[name] = {found.mime: base64.b64encode(found.data).decode()}
        return f"\n\n![image](attachment:{name})"
