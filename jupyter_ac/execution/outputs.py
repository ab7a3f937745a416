"""Captures the outputs of a cell within limits: text, errors, images.

An output is an untrusted mapping as in a notebook file (nbformat 4), which a kernel's message also
is with its type as `output_type`.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from jupyter_ac.cell_run_rows import CellOutputRow
from jupyter_ac.terminal import without_sequences

MAX_CHARS: Final = 100_000
"""Text of all outputs of a cell together, except errors."""

MAX_ERROR_CHARS: Final = 20_000
"""Text of an error; its end is kept, which says what happened."""

MAX_ERRORS: Final = 5
MAX_IMAGES: Final = 5
MAX_IMAGE_BYTES: Final = 5 * 1024 * 1024

_BEGINNINGS: Final[Mapping[str, tuple[bytes, ...]]] = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
}
"""The types of images that are captured, with the bytes that they begin with."""

_TEXTS: Final = ("text/plain", "text/markdown", "text/latex")


class OutputKind(StrEnum):
    """The kind of an output."""

    TEXT = "text"
    ERROR = "error"
    IMAGE = "image"


@dataclass(frozen=True, slots=True)
class CellOutput:
    """One captured output.

    Attributes:
        text: of text and errors, without escape sequences.
        mime_type: of an image.
        data: the bytes of an image.
    """

    kind: OutputKind
    text: str = ""
    mime_type: str = ""
    data: bytes = b""

    def row(self) -> CellOutputRow:
        """Return it for the wire; an image without its data."""
        row = CellOutputRow(kind=self.kind.value, text=self.text)
        if self.kind is OutputKind.IMAGE:
            row["mime_type"], row["bytes"] = self.mime_type, len(self.data)
        return row


class OutputCapture:
    """Collects the outputs of one cell, in order. What is over a limit is counted, not kept."""

    def __init__(self) -> None:
        self._outputs: list[CellOutput] = []
        self._parts: list[str] = []
        self._chars = self._images = self._errors = 0
        self._left_out = 0
        self._clears_next = False

    @property
    def outputs(self) -> tuple[CellOutput, ...]:
        """The outputs so far; texts that follow each other are one."""
        self._flush()
        return tuple(self._outputs)

    @property
    def left_out(self) -> int:
        """Number of characters and images that were over a limit."""
        return self._left_out

    def add(self, output: Mapping[str, object]) -> None:
        """Add an output; one that is none, or of an unknown kind, is ignored."""
        kind = output.get("output_type")
        if kind == "clear_output":
            self._clears_next = True
            if output.get("wait") is not True:
                self._clear()
            return
        if kind not in {"stream", "display_data", "execute_result", "error"}:
            return
        if self._clears_next:
            self._clear()
        if kind == "stream":
            self._add_text(_text(output.get("text")))
        elif kind == "error":
            self._add_error(output)
        else:
            self._add_bundle(output.get("data"))

    def _add_bundle(self, data: object) -> None:
        if not isinstance(data, Mapping):
            return
        for mime_type, beginnings in _BEGINNINGS.items():
            if mime_type in data:
                self._add_image(mime_type, beginnings, _text(data[mime_type]))
                return
        for mime_type in _TEXTS:
            if text := _text(data.get(mime_type)):
                self._add_text(f"{text}\n")
                return

    def _add_image(self, mime_type: str, beginnings: tuple[bytes, ...], encoded: str) -> None:
        image = _decoded(encoded)
        if self._images >= MAX_IMAGES or image is None or not image.startswith(beginnings):
            self._left_out += 1
            return
        self._flush()
        self._images += 1
        self._outputs.append(CellOutput(OutputKind.IMAGE, mime_type=mime_type, data=image))

    def _add_error(self, output: Mapping[str, object]) -> None:
        if self._errors >= MAX_ERRORS:
            self._left_out += 1
            return
        frames = output.get("traceback")
        lines: list[object] = frames if isinstance(frames, list) else []
        text = "\n".join(line for line in lines if isinstance(line, str))
        text = text or f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
        text = without_sequences(text)
        self._left_out += max(0, len(text) - MAX_ERROR_CHARS)
        self._flush()
        self._errors += 1
        self._outputs.append(CellOutput(OutputKind.ERROR, text[-MAX_ERROR_CHARS:]))

    def _add_text(self, text: str) -> None:
        kept = text[: MAX_CHARS - self._chars]
        self._left_out += len(text) - len(kept)
        self._chars += len(kept)
        if kept:
            self._parts.append(kept)

    def _flush(self) -> None:
        if text := "".join(self._parts):
            shown = _overwritten(without_sequences(text))
            before = self._outputs[-1] if self._outputs else None
            if before is not None and before.kind is OutputKind.TEXT:
                shown = before.text + shown
                self._outputs.pop()
            self._outputs.append(CellOutput(OutputKind.TEXT, shown))
        self._parts.clear()

    def _clear(self) -> None:
        self._clears_next = False
        self._outputs.clear()
        self._parts.clear()
        self._chars = self._images = self._errors = self._left_out = 0


def _text(value: object) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _decoded(encoded: str) -> bytes | None:
    """Return the bytes of an image; None if they are too many or not base64."""
    if len(encoded) > MAX_IMAGE_BYTES * 3 // 2:
        return None
    try:
        image = base64.b64decode("".join(encoded.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    return image if len(image) <= MAX_IMAGE_BYTES else None


def _overwritten(text: str) -> str:
    """Drop what carriage returns overwrite, such as the earlier states of a progress bar."""
    if "\r" not in text:
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)
