"""Errors of a panel's code as hosts show them: without the frames of this package."""

import traceback
from pathlib import Path
from types import TracebackType
from typing import Final, NotRequired, TypedDict

from jupyter_ac.errors import AcError
from jupyter_ac.panels.guard import Guarded

MAX_FRAMES: Final = 20
MAX_MESSAGE_CHARS: Final = 2_000
MAX_LINE_CHARS: Final = 200

_OURS: Final = str(Path(__file__).parent)


class ErrorReport(TypedDict):
    """An error.

    Attributes:
        message: its type and its text.
        stack: the frames of the panel's code, the last one last; absent if there are none.
    """

    message: str
    stack: NotRequired[str]


def error_report(error: BaseException) -> ErrorReport:
    """Return an error for hosts; files below the working directory are named relative to it."""
    report: ErrorReport = {"message": _message(error)[:MAX_MESSAGE_CHARS]}
    frames = _frames(error.__traceback__)
    if frames:
        report["stack"] = "\n".join(frames)
    return report


def _message(error: BaseException) -> str:
    if isinstance(error, AcError):
        return error.message
    text = "its text can't be read"
    with Guarded(lambda _error: None):
        text = str(error)
    name = type(error).__name__
    return f"{name}: {text}" if text else name


def _frames(trace: TracebackType | None) -> list[str]:
    lines = []
    for frame in traceback.extract_tb(trace):
        if frame.filename.startswith(_OURS):
            continue
        source = f"\n    {frame.line[:MAX_LINE_CHARS]}" if frame.line else ""
        lines.append(f"  {_place(frame.filename)}:{frame.lineno}, in {frame.name}{source}")
    return lines[-MAX_FRAMES:]


def _place(filename: str) -> str:
    path = Path(filename)
    folder = Path.cwd()
    if path.is_relative_to(folder):
        return str(path.relative_to(folder))
    return path.name
