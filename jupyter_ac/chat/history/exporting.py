"""Exports a session as a file: Markdown, a notebook, or JSON.

In a document, a message is rendered so that it can't break the text around it. JSON has the
messages as they are stored, as `history_get_session` gives them, with their images.
"""

import base64
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypedDict

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edit_blocks.reading.parser import parse
from jupyter_ac.chat.images import QuestionImage
from jupyter_ac.chat.shapes import KeptMessage
from jupyter_ac.errors import AcError, InvalidParams, TooLarge
from jupyter_ac.ids import SessionId
from jupyter_ac.notebook.cells import TextCell, text_notebook
from jupyter_ac.tool_rows import RunRow

_FENCE: Final = re.compile(r"( {0,3})(`{3,}|~{3,})(.*)")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_TICKS: Final = re.compile("`+")
_SWALLOWING: Final = re.compile(
    r"^( {0,3})<(?=!--|\?|![a-z]|!\[CDATA\[|(?:script|pre|style|textarea)\b)", re.IGNORECASE
)
"""Begins HTML that ends at a mark of its own only, and would swallow all that follows."""

_ROLES: Final[Mapping[str, str]] = {"user": "Question", "assistant": "Answer", "system": "Note"}
_NOT_DONE: Final[Mapping[str, str]] = {"cancelled": "stopped", "error": "failed"}


def heading(message: KeptMessage) -> str:
    """Say whose message it is, from which model, when, and what it cost."""
    usage = message.get("usage")
    cost = usage["cost_usd"] if usage is not None else None
    parts = [
        _ROLES[message["role"]],
        message.get("model", ""),
        f"{message['timestamp'][:19].replace('T', ' ')} UTC",
        f"${cost:.4f}" if cost is not None else "",
        _NOT_DONE.get(message["state"], ""),
    ]
    return "## " + " · ".join(_plain(part) for part in parts if part)


def body(message: KeptMessage) -> str:
    """Give what the message says; an answer's edits as differences in fences, then its run."""
    content = message["content"]
    if message["role"] == "user":
        return quoted(content)
    if message["role"] == "system":
        return _plain(content)
    parts = list(_pieces(content, _statuses(message)))
    parts += [_run(message["run"])] if "run" in message else []
    error = message.get("error")
    parts += [f"*{_plain(error['message'])}*"] if error is not None else []
    return "\n\n".join(part for part in parts if part.strip())


def _run(run: RunRow) -> str:
    """List the tool calls of a run, and what it has changed; not what the tools returned."""
    used = f"{run['used']['steps']} steps, {run['used']['tokens']:,} tokens"
    title = f"**Run of the agent** (mode {run['mode']}, {run['state']}, {used})"
    calls = [
        f"- {_plain(call['tool'])}: {_plain(call['title'])} ({call['status']})"
        for call in run["calls"]
    ]
    changed = ", ".join(map(_code, run["files_changed"]))
    parts = [
        title,
        "\n".join(calls),
        f"Changed: {changed}" if changed else "",
        _plain(run["reason"]),
    ]
    return "\n\n".join(filter(None, parts))


def quoted(text: str) -> str:
    """Put a text into a block quotation, out of which nothing leads."""
    return "\n".join(f"> {line}".rstrip() for line in _LINE_END.split(text))


def fenced(text: str, language: str = "") -> str:
    """Put a text into a fence that is longer than any in it."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    line_end = "" if not text or text.endswith("\n") else "\n"
    return f"{fence}{language}\n{text}{line_end}{fence}"


def closed(text: str) -> str:
    """Close a fence that a text leaves open, and disarm HTML that would not end with it."""
    lines: list[str] = []
    fence = ""
    for line in _LINE_END.split(text):
        mark = _FENCE.fullmatch(line)
        if fence:
            lines.append(line)
            if mark and mark[2].startswith(fence) and not mark[3].strip():
                fence = ""
            continue
        lines.append(_SWALLOWING.sub(r"\1&lt;", line))
        if mark and not (mark[2][0] == "`" and "`" in mark[3]):
            fence = mark[2]
    return "\n".join([*lines, fence] if fence else lines)


def _pieces(content: str, statuses: Sequence[str]) -> Iterator[str]:
    """Give an answer's prose and edits in order."""
    at = 0
    for block in parse(content, exists=lambda _: True):
        yield closed(content[at : block.span.start].strip("\n"))
        status = statuses[block.index] if block.index < len(statuses) else ""
        yield _edit(block, status)
        at = block.span.end
    yield closed(content[at:].strip("\n"))


def _edit(block: EditBlock, status: str) -> str:
    what = {BlockKind.DELETE: "deleted", BlockKind.RENAME: f"renamed to {_code(block.new_path)}"}
    about = [what.get(block.kind, ""), status.replace("_", " ")]
    if not block.is_complete:
        about.append("not complete")
    line = ", ".join(filter(None, about))
    title = f"**Edit of {_code(block.path)}**" + (f" ({line})" if line else "")
    changed = [*(f"-{old}" for old in block.old), *(f"+{new}" for new in block.new)]
    return f"{title}\n\n{fenced(chr(10).join(changed), 'diff')}" if changed else title


def _statuses(message: KeptMessage) -> list[str]:
    return [result["status"] for result in message.get("edit_results", [])]


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`" if text else "a file without a name"


def _plain(text: str) -> str:
    """Keep a text from being read as Markdown or HTML."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", " ".join(text.split()))


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
        form: `markdown`, `ipynb` or `json`.
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
        case "json":
            images = await pictures.uris(messages)
            whole = {"session_id": session_id, "messages": messages, "images": images}
            file = {"filename": f"{name}.json", "content": f"{json.dumps(whole, indent=1)}\n"}
        case _:
            raise InvalidParams(f"format must be 'markdown', 'ipynb' or 'json', not {form[:40]!r}.")
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

    async def uris(self, messages: Sequence[KeptMessage]) -> dict[str, str]:
        """Give the images of all messages as data URIs, by name, as far as there is room."""
        names = dict.fromkeys(row["id"] for each in messages for row in each.get("images", []))
        found = {name: await self._read(name) for name in names}
        return {name: image.data_uri for name, image in found.items() if image is not None}

    async def _read(self, name: str) -> QuestionImage | None:
        """Return an image; None when there is no room left for it, or when it isn't kept."""
        try:
            found = await self._image(name)
        except AcError:
            return None
        self._room -= len(found.data)
        return found if self._room >= 0 else None

    async def _line(self, name: str) -> str:
        found = await self._read(name)
        if found is None and self._room >= 0:
            return "\n\n*An image that is not kept any more.*"
        if found is None:
            return "\n\n*An image that is left out, since there are too many.*"
        if self._way == "data":
            return f"\n\n![image]({found.data_uri})"
        self._attached[name] = {found.mime: base64.b64encode(found.data).decode()}
        return f"\n\n![image](attachment:{name})"
