"""The last error of a kernel and the cell in which it was raised, as text for a question.

Nothing of the user's runs: the text is made of what `inspection` reports. Control sequences are
removed, and the text is limited in bytes. Secrets are still in it: the host masks them in the item
that it becomes.
"""

import linecache
import re
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.inspection.last_error import (
    CELL,
    LIBRARY,
    FrameRow,
    SessionErrorReport,
    error_frames,
    report_error,
    shown_error,
    syntax_place,
)
from jupyter_ac.inspection.raw_access import inherits, is_dict
from jupyter_ac.terminal import terminal_text

MAX_ERROR_BYTES: Final = 4096
"""Limit of the text about an error, in UTF-8."""

_MAX_MESSAGE_BYTES: Final = 1500
_MAX_LINE_BYTES: Final = 300
"""Of a place, a line of code, a note and a cause."""

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
class _NotedError:
    """An error, and the traceback that IPython had shown last when it was noted."""

    error: BaseException | None
    shown: object


def last_failed_cell(shell: InteractiveShell, root: Path) -> QuestionedCell | None:
    """Return the cell of the last error; None without one that is the user's.

    Args:
        shell: of the kernel or terminal.
        root: top of the repository; paths below it are given relative to it.
    """
    error = last_error(shell)
    if error is None:
        return None
    report = report_in(shell, error, root)
    source, number = _cell_of(shell, error)
    return QuestionedCell(source, number, "" if report is None else error_text(report))


def last_error(shell: InteractiveShell) -> BaseException | None:
    """Return the last error that is the user's, and note it; None when it isn't known.

    IPython forgets an error as soon as a magic refuses its arguments or is interrupted; so each
    magic of ours that may be calls this first.
    """
    error = shown_error()
    shown: object = getattr(shell.InteractiveTB, "tb", None)
    is_usage = error is not None and inherits(type(error), UsageError)
    if error is None or not (is_usage or _is_ours(_cell_of(shell, error)[0])):
        shell.meta[_NOTED] = _NotedError(error, shown)
        return error
    noted = shell.meta.get(_NOTED)
    frames = error_frames(error)
    is_own_shown = not is_usage and _begins_with(shown, frames[0][0] if frames else None)
    if isinstance(noted, _NotedError) and (noted.shown is shown or is_own_shown):
        return noted.error
    forget_error(shell)  # another error was shown since, which IPython has forgotten
    return None


def forget_error(shell: InteractiveShell) -> None:
    """Let go of the error that `last_error` has noted, and with it of its frames."""
    shell.meta.pop(_NOTED, None)


def previous_cell(shell: InteractiveShell) -> QuestionedCell | None:
    """Return the cell that ran last, other than our own magics; None when there is none."""
    history = shell.history_manager
    inputs: list[str] = [] if history is None else history.input_hist_raw
    for number in range(len(inputs) - 1, 0, -1):
        if inputs[number].strip() and not _OUR_MAGIC.match(inputs[number]):
            return QuestionedCell(inputs[number].rstrip("\n"), number)
    return None


def without_ansi(text: str) -> str:
    """Return a text without ANSI escape sequences and other control characters."""
    return terminal_text(_ANSI.sub("", text))


def report_in(
    shell: InteractiveShell, error: BaseException | None, repository: Path | None
) -> SessionErrorReport | None:
    """Describe an error of a session; None for none.

    Args:
        shell: of the kernel or terminal.
        error: with its traceback.
        repository: top of the repository whose files are the user's own; None: only cells are.
    """
    if error is None:
        return None
    # Where IPython keeps the numbers of the cells that its code names belong to.
    cells: object = getattr(shell.compile, "_filename_map", None)
    return report_error(error, repository, cells if is_dict(cells) else None)


def error_text(report: SessionErrorReport) -> str:
    """Return frames and message within the limit: the user's frames first, innermost kept longest.

    Each part has its outermost frame first, as a traceback has. The message is at the end.
    """
    message = _message(report)
    left = MAX_ERROR_BYTES - len(message.encode()) - 200  # the headings
    parts: list[str] = []
    lacking = report["frames_left_out"]
    for heading, is_library in (
        ("Frames of cells and of the repository:", False),
        ("Frames of libraries:", True),
    ):
        kept: list[str] = []
        rows = [row for row in report["frames"] if (row["kind"] == LIBRARY) is is_library]
        for row in rows:
            text = _frame_text(row)
            left -= len(text.encode()) + 1
            if left < 0:
                break
            kept.append(text)
        lacking += len(rows) - len(kept)
        if kept:
            parts += [heading, *reversed(kept)]
    note = [f"({lacking} more frames left out)"] if lacking else []
    return "\n".join([*parts, *note, message])


def _begins_with(shown: object, frame: object) -> bool:
    """Return whether a traceback begins at a frame."""
    return isinstance(shown, TracebackType) and shown.tb_frame is frame


def _is_ours(source: str) -> bool:
    """Return whether a cell is one of our magics and nothing else."""
    if not _OUR_MAGIC.match(source):
        return False
    return source.lstrip().startswith("%%") or len(source.split("\n")) == 1


def _cell_of(shell: InteractiveShell, error: BaseException) -> tuple[str, int | None]:
    """Return the source and the number of the outermost cell in which an error was raised."""
    names = [frame.f_code.co_filename for frame, _ in error_frames(error)]
    wrong = syntax_place(error)
    if wrong is not None:
        names.append(wrong[0])
    failed = next((name for name in names if _cell_number(shell, name) is not None), "")
    number = _cell_number(shell, failed)
    return _source(shell, failed, number), number


def _cell_number(shell: InteractiveShell, filename: str) -> int | None:
    """Return the execution number of the cell that was compiled under a name."""
    described = shell.compile.format_code_name(filename) if filename else None
    number = _CELL.fullmatch(described[1]) if described else None
    return int(number[1]) if number else None


def _source(shell: InteractiveShell, filename: str, number: int | None) -> str:
    """Return a cell as it was written, or else as it was compiled."""
    compiled = "".join(linecache.getlines(filename)) if filename else ""
    history = shell.history_manager
    inputs: list[str] = [] if history is None else history.input_hist_raw
    if number is not None and 0 < number < len(inputs):
        written: str = inputs[number]
        # An execution that isn't counted has the number of another cell.
        if shell.transform_cell(written).split() == compiled.split():
            return written.rstrip("\n")
    return compiled.rstrip("\n")


def _frame_text(row: FrameRow) -> str:
    """Write a frame: where it is and, of the user's own code, its line."""
    where = row["file"]
    if row["kind"] == CELL:
        where = "a cell" if row["cell"] is None else f"cell [{row['cell']}]"
    place = _line(f"{where}, line {row['line']}, in {row['function']}")
    mark = f"→ {row['line']}"
    marked = [line for line in row["source"].split("\n") if line.startswith(mark)]
    code = _line(marked[0].removeprefix(mark).strip()) if marked else ""
    return f"  {place}\n    {code}" if code else f"  {place}"


def _message(report: SessionErrorReport) -> str:
    """Write class, message, notes and causes of an error."""
    name = _line(report["type"])
    said = without_ansi(report["message"])
    return "\n".join(
        [
            _clipped(f"{name}: {said}" if said else name, _MAX_MESSAGE_BYTES),
            *(_line(note) for note in report["notes"]),
            *(f"Raised while handling {_line(cause)}" for cause in report["causes"]),
        ]
    )


def _line(text: str) -> str:
    return _clipped(without_ansi(text), _MAX_LINE_BYTES)


def _clipped(text: str, limit_bytes: int) -> str:
    """Return the beginning of a text, with an ellipsis when it is longer."""
    encoded = text.encode(errors="replace")
    if len(encoded) <= limit_bytes:
        return encoded.decode()
    return encoded[: limit_bytes - 3].decode(errors="ignore") + "…"
