"""The last error of a session: frames of the user's own code first, with bounded local variables.

`str(error)` would run code of the error's class, so the message is made of the error's arguments.
"""

import inspect
import linecache
import os
import stat
import sys
import types
from pathlib import Path
from typing import Final, NamedTuple, TypedDict, cast

from jupyter_ac.inspection.known_types import KnownTypes
from jupyter_ac.inspection.raw_access import (
    attribute,
    class_name,
    exact_text,
    inherits,
    is_dict,
    items_of,
)
from jupyter_ac.inspection.value_text import LINE_CHARS, value_text

MOST_FRAMES: Final = 20
MOST_LOCALS: Final = 20
MESSAGE_CHARS: Final = 2000
CHAINED: Final = 3
"""Causes of an error that are told too."""

CELL: Final = "cell"
REPOSITORY: Final = "repository"
LIBRARY: Final = "library"

_LINE_CHARS: Final = 200
_CACHED: Final = 4
_ALL_FRAMES: Final = 5000
_AROUND: Final = 3
_FILE_BYTES: Final = 1 << 20
_FOREIGN: Final = frozenset({"site-packages", "dist-packages", "node_modules", ".venv", "venv"})
_ARGS = BaseException.__dict__["args"].__get__
_CAUSE = BaseException.__dict__["__cause__"].__get__
_CONTEXT = BaseException.__dict__["__context__"].__get__
_SUPPRESSES = BaseException.__dict__["__suppress_context__"].__get__
_TRACEBACK = BaseException.__dict__["__traceback__"].__get__
_SYNTAX_MESSAGE = SyntaxError.__dict__["msg"].__get__
_SYNTAX_FILE = SyntaxError.__dict__["filename"].__get__
_SYNTAX_LINE = SyntaxError.__dict__["lineno"].__get__
_ERRNO = OSError.__dict__["errno"].__get__
_REASON = OSError.__dict__["strerror"].__get__
_FILE = OSError.__dict__["filename"].__get__


class LocalRow(TypedDict):
    """A local variable of a frame: its class, and its value in a line if that is known."""

    name: str
    type: str
    line: str


class FrameRow(TypedDict):
    """A frame of a traceback.

    Attributes:
        kind: `cell`, `repository` or `library`.
        file: path in the repository, or of a library from its package on; "" for a cell.
        cell: number of the cell's run, as in `In [3]`; null for a file, and where it is not known.
        line: number of the line, from 1.
        function: name of the function; `<module>` outside of one.
        source: the lines around it, the line itself marked by `→`; "" for a library.
        locals: of frames of the user's own code only.
        locals_left_out: number of the others.
    """

    kind: str
    file: str
    cell: int | None
    line: int
    function: str
    source: str
    locals: list[LocalRow]
    locals_left_out: int


class SessionErrorReport(TypedDict):
    """An error.

    Attributes:
        type: name of its class.
        message: made of its arguments; `MESSAGE_CHARS` characters at most.
        notes: what was added by `add_note`.
        frames: those of cells and of the repository first, each part from the innermost out.
        frames_left_out: number of the others.
        causes: the errors before it, one line each, the nearest first.
    """

    type: str
    message: str
    notes: list[str]
    frames: list[FrameRow]
    frames_left_out: int
    causes: list[str]


def shown_error() -> BaseException | None:
    """Return the last error that the session has shown; None if there was none."""
    for name in ("last_value", "last_exc"):
        found: object = getattr(sys, name, None)
        if inherits(type(found), BaseException):
            return cast("BaseException", found)
    return None


def report_error(
    error: BaseException, repository: Path | None, cells: dict[object, object] | None = None
) -> SessionErrorReport:
    """Describe an error; nothing of its class and of its frames' values runs.

    Args:
        error: with its traceback.
        repository: top of the repository whose files are the user's own; None: only cells are.
        cells: numbers of the cells' runs by the names of their code.
    """
    reader = _FrameReader(repository, cells or {})
    frames = [
        reader.place(frame.f_code.co_filename, line, frame) for frame, line in error_frames(error)
    ]
    wrong = syntax_place(error)
    if wrong is not None:  # no frame of the traceback is there
        frames.append(reader.place(*wrong, None))
    kinds = [place.kind for place in frames]
    first = next((at for at, kind in enumerate(kinds) if kind != LIBRARY), 0)
    inner_first = frames[first:][::-1]  # what stands before it is IPython's own
    own = [place for place in inner_first if place.kind != LIBRARY]
    ordered = own + [place for place in inner_first if place.kind == LIBRARY]
    notes = attribute(error, "__notes__")
    return {
        "type": class_name(type(error)),
        "message": error_message(error),
        "notes": _exact_texts(notes) if type(notes) is list else [],
        "frames": [reader.row(place) for place in ordered[:MOST_FRAMES]],
        "frames_left_out": max(len(ordered) - MOST_FRAMES, 0),
        "causes": [f"{class_name(type(each))}: {error_message(each)}" for each in _causes(error)],
    }


def error_message(error: BaseException) -> str:
    """Write an error's message from its arguments, without asking its class."""
    if inherits(type(error), SyntaxError):
        said = _SYNTAX_MESSAGE(error)  # its arguments also have the whole path
        return exact_text(said, MESSAGE_CHARS) if inherits(type(said), str) else ""
    args = _ARGS(error)
    if inherits(type(error), OSError):
        number, reason, file = _ERRNO(error), _REASON(error), _FILE(error)
        if type(number) is int and type(reason) is str:  # the file isn't among the arguments
            name = f": {file!r}" if type(file) in {str, bytes, int} else ""
            return f"[Errno {number}] {reason}{name}"[:MESSAGE_CHARS]
    if type(args) is not tuple or not args:
        return ""
    if len(args) == 1 and inherits(type(args[0]), str):
        return exact_text(args[0], MESSAGE_CHARS)
    inner = value_text(args, MESSAGE_CHARS)[1:-1]
    return inner.removesuffix(",")


def syntax_place(error: BaseException) -> tuple[str, int] | None:
    """Return the file and the line of a syntax error; None when it is another or has no place."""
    if not inherits(type(error), SyntaxError):
        return None
    name, line = _SYNTAX_FILE(error), _SYNTAX_LINE(error)
    if type(name) is not str or not name:
        return None
    return name, line if type(line) is int else 0


def _exact_texts(notes: list[object]) -> list[str]:
    return [note[:MESSAGE_CHARS] for note in notes[:CHAINED] if type(note) is str]


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    while len(found) < CHAINED:
        cause = _CAUSE(error)
        if cause is None and not _SUPPRESSES(error):
            cause = _CONTEXT(error)
        if cause is None or any(cause is each for each in found):
            break
        found.append(cause)
        error = cause
    return found


def error_frames(error: BaseException) -> list[tuple[types.FrameType, int]]:
    """Return the frames from the outermost in, with the numbers of their lines."""
    found: list[tuple[types.FrameType, int]] = []
    traceback = _TRACEBACK(error)
    while traceback is not None and len(found) < _ALL_FRAMES:
        found.append((traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    return found


class _Place(NamedTuple):
    frame: types.FrameType | None
    name: str
    line: int
    kind: str
    file: str
    cell: int | None


class _FrameReader:
    """Finds out where frames belong, and reads them."""

    def __init__(self, repository: Path | None, cells: dict[object, object]) -> None:
        self._root = None if repository is None else f"{repository}{os.sep}"
        self._cells = {key: each for key, each in items_of(cells) if type(key) is str}
        self._scalars = KnownTypes().scalars

    def place(self, name: str, line: int, frame: types.FrameType | None) -> _Place:
        number = self._cells.get(name)
        parts = Path(name).parts
        is_cell = name in self._cells or name.startswith("<ipython-input-")
        if is_cell or (len(parts) > 1 and parts[-2].startswith("ipykernel_")):
            known = number if type(number) is int else None
            return _Place(frame, name, line, CELL, "", known)
        is_foreign = any(part in _FOREIGN for part in parts)
        if self._root is not None and name.startswith(self._root) and not is_foreign:
            file = name.removeprefix(self._root)
            return _Place(frame, name, line, REPOSITORY, file, None)
        return _Place(frame, name, line, LIBRARY, _library_path(parts), None)

    def row(self, place: _Place) -> FrameRow:
        is_own = place.kind != LIBRARY
        frame = place.frame
        local_items = [] if frame is None or not is_own else _local_items(frame)
        return {
            "kind": place.kind,
            "file": place.file,
            "cell": place.cell,
            "line": place.line,
            "function": "<module>" if frame is None else frame.f_code.co_name[:_LINE_CHARS],
            "source": _source(place) if is_own else "",
            "locals": [self._local(name, value) for name, value in local_items[:MOST_LOCALS]],
            "locals_left_out": max(len(local_items) - MOST_LOCALS, 0),
        }

    def _local(self, name: str, value: object) -> LocalRow:
        kind = class_name(type(value))
        line = value_text(value, LINE_CHARS, self._scalars)
        return {
            "name": name[:_LINE_CHARS],
            "type": kind,
            "line": "" if line == f"<{kind}>" else line,
        }


def _library_path(parts: tuple[str, ...]) -> str:
    """Shorten the path of a library's file to its package; of others only the name is told."""
    for marker in ("site-packages", "dist-packages"):
        if marker in parts:
            return "/".join(parts[parts.index(marker) + 1 :])
    return parts[-1] if parts else ""


def _local_items(frame: types.FrameType) -> list[tuple[str, object]]:
    """Return a function's local variables; those of a module or a cell are the session's own."""
    if frame.f_code.co_name == "<module>":
        return []
    held: object = frame.f_locals
    if type(held) is not dict and type(held) is not _LOCALS_PROXY:
        return []  # the body of a class, whose metaclass brought a mapping of its own
    items = items_of(held) if is_dict(held) else list(cast("dict[object, object]", held).items())
    return [(key, value) for key, value in items if type(key) is str]


def _source(place: _Place) -> str:
    """Return the lines around a frame's own; "" where they can't be read."""
    lines = _lines_of(place.name, place.kind)
    start = max(place.line - 1 - _AROUND, 0)
    return "\n".join(
        f"{'→' if at == place.line else ' '} {at} {line[:_LINE_CHARS]}".rstrip()
        for at, line in enumerate(lines[start : place.line + _AROUND], start + 1)
    )


def _lines_of(name: str, kind: str) -> list[str]:
    """Read a cell from the line cache, and a file from the disk: no module's loader is asked."""
    if kind == CELL:
        entry: object = linecache.cache.get(name)
        lines = entry[2] if type(entry) is tuple and len(entry) == _CACHED else []
        return [line.rstrip("\n") for line in lines if type(line) is str]
    try:
        with Path(name).open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return []
            return file.read(_FILE_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return []


def _own_locals() -> object:
    """Return the local variables of this function: since Python 3.13 a proxy of unnamed class."""
    frame = inspect.currentframe()
    return None if frame is None else frame.f_locals


_LOCALS_PROXY: Final = type(_own_locals())
