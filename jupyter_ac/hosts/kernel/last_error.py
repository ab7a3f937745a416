"""The last error of a kernel and the cell in which it was raised, as text for a question.

Nothing of the user's is called but the `__str__` of the exception, which IPython has called
already. Control sequences are removed, and the text is limited in bytes. Secrets are still in it:
the host masks them in the item that it becomes.
"""

import contextlib
import linecache
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.terminal import terminal_text

MAX_ERROR_BYTES: Final = 4096
"""Limit of the text about an error, in UTF-8."""

_MAX_MESSAGE_BYTES: Final = 1500
_LIBRARY_PARTS: Final = 3
"""So many parts at the end of a library's path are named: the beginning is of this machine."""

_NOTED: Final = "jupyter_ac_last_error"

_ANSI: Final = re.compile(
    r"\x1b(?:\[[0-9;:?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,512}(?:\x07|\x1b\\))"
)
_CELL: Final = re.compile(r"In\[(\d{1,9})\]")
_OUR_MAGIC: Final = re.compile(r"\s*(?:%%?ac(?:_\w+)?\b|%(?:re)?load_ext\s+jupyter_ac\b)")


@dataclass(frozen=True, slots=True)
class QuestionedCell:
    """A cell about which the model is asked.

    Attributes:
        source: as the user wrote it; "" when it isn't known.
        number: of its execution; None when it isn't known.
        error: the exception with its frames; "" without one.
    """

    source: str
    number: int | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class _Frame:
    """One frame, of a cell, of the repository or of a library."""

    place: str
    line: str
    is_own: bool

    def __str__(self) -> str:
        return f"  {self.place}\n    {self.line}" if self.line else f"  {self.place}"


def last_failed_cell(shell: InteractiveShell, root: Path) -> QuestionedCell | None:
    """Return the cell of the last error; None without one that is the user's.

    Args:
        shell: of the kernel or terminal.
        root: top of the repository; paths below it are given relative to it.
    """
    error = last_error(shell)
    if error is None:
        return None
    walked = list(traceback.walk_tb(_from_first_cell(shell, error)))
    names = [frame.f_code.co_filename for frame, _ in walked]
    if isinstance(error, SyntaxError) and error.filename:
        names.append(error.filename)
    failed = next((name for name in names if _cell_number(shell, name) is not None), "")
    number = _cell_number(shell, failed)
    source = _source(shell, failed, number)
    frames = [
        _frame(shell, root, frame.f_code.co_filename, line or 0, frame.f_code.co_name)
        for frame, line in walked
    ]
    return QuestionedCell(source, number, error_text(frames, _message(shell, root, error)))


def last_error(shell: InteractiveShell) -> BaseException | None:
    """Return the last error that is not about the usage of a magic, and note it.

    IPython forgets an error as soon as a magic refuses its arguments; so each magic of ours that
    may do so calls this first.
    """
    error = getattr(sys, "last_value", None)
    if isinstance(error, UsageError):
        noted = shell.meta.get(_NOTED)
        return noted if isinstance(noted, BaseException) else None
    found = error if isinstance(error, BaseException) else None
    shell.meta[_NOTED] = found
    return found


def forget_error(shell: InteractiveShell) -> None:
    """Let go of the error that `last_error` has noted, and with it of its frames."""
    shell.meta.pop(_NOTED, None)


def previous_cell(shell: InteractiveShell) -> QuestionedCell | None:
    """Return the cell that ran last, other than our own magics; None when there is none."""
    history = shell.history_manager
    inputs: Sequence[str] = [] if history is None else history.input_hist_raw
    for number in range(len(inputs) - 1, 0, -1):
        if inputs[number].strip() and not _OUR_MAGIC.match(inputs[number]):
            return QuestionedCell(inputs[number].rstrip("\n"), number)
    return None


def without_ansi(text: str) -> str:
    """Return a text without ANSI escape sequences and other control characters."""
    return terminal_text(_ANSI.sub("", text))


def error_text(frames: Sequence[_Frame], message: str) -> str:
    """Return frames and message within the limit: the user's frames first, innermost kept longest.

    Args:
        frames: outermost first.
        message: class and text of the exception; is kept whole.
    """
    left = MAX_ERROR_BYTES - len(message.encode()) - 200  # the headings
    kept: list[set[int]] = []
    for is_own in (True, False):
        chosen: set[int] = set()
        for index in range(len(frames) - 1, -1, -1):
            if frames[index].is_own is not is_own:
                continue
            size = len(str(frames[index]).encode()) + 1
            if size > left:
                break
            left -= size
            chosen.add(index)
        kept.append(chosen)
    parts = []
    headings = ("Frames of cells and of the repository:", "Frames of libraries:")
    for heading, chosen, is_own in zip(headings, kept, (True, False), strict=True):
        lacking = sum(frame.is_own is is_own for frame in frames) - len(chosen)
        if chosen or lacking:
            note = [f"  … {lacking} outer frames left out"] if lacking else []
            parts += [heading, *note, *(str(frames[index]) for index in sorted(chosen))]
    return "\n".join([*parts, message])


def _from_first_cell(shell: InteractiveShell, error: BaseException) -> TracebackType | None:
    """Skip IPython's own frames, which are around those of a cell and of its compilation."""
    at = error.__traceback__
    while at is not None and _cell_number(shell, at.tb_frame.f_code.co_filename) is None:
        at = at.tb_next
    return at if at is not None or isinstance(error, SyntaxError) else error.__traceback__


def _cell_number(shell: InteractiveShell, filename: str) -> int | None:
    """Return the execution number of the cell that was compiled under a name."""
    described = shell.compile.format_code_name(filename) if filename else None
    number = _CELL.fullmatch(described[1]) if described else None
    return int(number[1]) if number else None


def _source(shell: InteractiveShell, filename: str, number: int | None) -> str:
    """Return a cell as it was written, or else as it was compiled."""
    compiled = "".join(linecache.getlines(filename)) if filename else ""
    history = shell.history_manager
    inputs: Sequence[str] = [] if history is None else history.input_hist_raw
    if number is not None and 0 < number < len(inputs):
        written: str = inputs[number]
        # An execution that isn't counted has the number of another cell.
        if shell.transform_cell(written).split() == compiled.split():
            return written.rstrip("\n")
    return compiled.rstrip("\n")


def _frame(shell: InteractiveShell, root: Path, filename: str, line: int, name: str) -> _Frame:
    number = _cell_number(shell, filename)
    where = f"cell [{number}]" if number is not None else _path(root, filename)
    is_own = number is not None or _is_below(root, filename)
    text = without_ansi(linecache.getline(filename, line).strip())
    place = f"{without_ansi(where)}, line {line}, in {without_ansi(name)}"
    return _Frame(_clipped(place, 300), _clipped(text, 300), is_own)


def _is_below(root: Path, filename: str) -> bool:
    path = Path(filename)
    return path.is_relative_to(root) and "site-packages" not in path.parts


def _path(root: Path, filename: str) -> str:
    path = Path(filename)
    if path.is_relative_to(root):
        return path.relative_to(root).as_posix()
    return "/".join(path.parts[-_LIBRARY_PARTS:])


def _message(shell: InteractiveShell, root: Path, error: BaseException) -> str:
    lines = [*_syntax(shell, root, error), _described(error)]
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        lines.append(f"Raised while handling {_clipped(_described(cause), 500)}")
    return "\n".join(lines)


def _syntax(shell: InteractiveShell, root: Path, error: BaseException) -> Iterator[str]:
    """Yield where a syntax error is; no frame says so."""
    if isinstance(error, SyntaxError) and error.filename:
        frame = _frame(shell, root, error.filename, error.lineno or 0, "the text")
        text = frame.line or _clipped(without_ansi((error.text or "").strip()), 300)
        yield str(_Frame(frame.place, text, is_own=True))


def _described(error: BaseException) -> str:
    text = "(its message could not be made)"
    with contextlib.suppress(Exception):  # of the user's own class
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    name = type(error).__name__
    said = without_ansi(text[:_MAX_MESSAGE_BYTES])
    return _clipped(f"{name}: {said}" if said else name, _MAX_MESSAGE_BYTES)


def _clipped(text: str, limit_bytes: int) -> str:
    """Return the beginning of a text, with an ellipsis when it is longer."""
    encoded = text.encode(errors="replace")
    if len(encoded) <= limit_bytes:
        return encoded.decode()
    return encoded[: limit_bytes - 3].decode(errors="ignore") + "…"
