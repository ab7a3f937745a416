"""The outputs of a cell as text for a model."""

from collections.abc import Mapping, Sequence
from typing import Final

from jupyter_ac.execution.outputs import CellOutput, OutputCapture, OutputKind

MAX_LINES: Final = 20
MAX_LINE_CHARS: Final = 2000


def output_text(outputs: Sequence[Mapping[str, object]]) -> str:
    """Return the outputs of a cell as lines; "" if there are none that can be shown.

    Texts have 20 lines at most, errors are whole, and of images only type and size are said.

    Args:
        outputs: as in a notebook file, format 4; others are left out.
    """
    capture = OutputCapture()
    for output in outputs:
        capture.add(output)
    lines = [line for one in capture.outputs for line in _lines(one)]
    if capture.left_out:
        lines.append(f"({capture.left_out} characters or images are left out)")
    return "\n".join(lines)


def _lines(output: CellOutput) -> list[str]:
    if output.kind is OutputKind.IMAGE:
        return [f"({output.mime_type}, {len(output.data):,} bytes)"]
    lines = [line[:MAX_LINE_CHARS] for line in output.text.rstrip("\n").split("\n")]
    if output.kind is OutputKind.ERROR or len(lines) <= MAX_LINES:
        return lines
    left = len(lines) - MAX_LINES
    return [*lines[:MAX_LINES], f"({left} more line{'s' if left > 1 else ''})"]
