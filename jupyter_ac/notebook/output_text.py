"""The outputs of a cell as text for a model."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.execution.outputs import CellOutput, OutputCapture, OutputKind

MAX_LINES: Final = 20
MAX_LINE_CHARS: Final = 2000

_SENT_TYPES: Final = frozenset(("image/png", "image/jpeg"))
_NAME_CHARS: Final = 12


@dataclass(frozen=True, slots=True)
class OutputImage:
    """An image of an output that a model can be sent.

    Attributes:
        name: the beginning of the SHA-256 of its bytes, in hexadecimal; the text of outputs has it.
        data: its bytes.
    """

    name: str
    data: bytes


def output_text(outputs: Sequence[Mapping[str, object]], *, names_images: bool = False) -> str:
    """Return the outputs of a cell as lines; "" if there are none that can be shown.

    Texts have 20 lines at most, errors are whole, and of images only type and size are said.

    Args:
        outputs: as in a notebook file, format 4; others are left out.
        names_images: whether the names of those that can be sent are said, too.
    """
    capture = _captured(outputs)
    lines = [line for one in capture.outputs for line in _lines(one, names_images=names_images)]
    if capture.left_out:
        lines.append(f"({capture.left_out} characters or images are left out)")
    return "\n".join(lines)


def output_images(outputs: Sequence[Mapping[str, object]]) -> list[OutputImage]:
    """Return the PNG and JPEG images of a cell's outputs, five at most.

    Args:
        outputs: as of `output_text`.
    """
    found = _captured(outputs).outputs
    return [OutputImage(_name(one), one.data) for one in found if one.mime_type in _SENT_TYPES]


def _captured(outputs: Sequence[Mapping[str, object]]) -> OutputCapture:
    capture = OutputCapture()
    for output in outputs:
        capture.add(output)
    return capture


def _name(output: CellOutput) -> str:
    return hashlib.sha256(output.data).hexdigest()[:_NAME_CHARS]


def _lines(output: CellOutput, *, names_images: bool) -> list[str]:
    if output.kind is OutputKind.IMAGE:
        is_named = names_images and output.mime_type in _SENT_TYPES
        name = f"image {_name(output)}: " if is_named else ""
        return [f"({name}{output.mime_type}, {len(output.data):,} bytes)"]
    lines = [line[:MAX_LINE_CHARS] for line in output.text.rstrip("\n").split("\n")]
    if output.kind is OutputKind.ERROR or len(lines) <= MAX_LINES:
        return lines
    left = len(lines) - MAX_LINES
    return [*lines[:MAX_LINES], f"({left} more line{'s' if left > 1 else ''})"]
