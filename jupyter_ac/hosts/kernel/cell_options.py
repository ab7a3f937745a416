"""The options in the first line of an `%%ac` cell, and the files that they name."""

import argparse
import contextlib
import difflib
import keyword
import os
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, NoReturn

from IPython.core.error import UsageError

from jupyter_ac.tool_rows import AgentMode

USAGE: Final = "%%ac [--model M] [-f FILE]... [-o VAR] [--cell] [--agent | --plan]"

_NEAR: Final = 3
_MOST_COMPARED: Final = 2000


@dataclass(frozen=True, slots=True)
class CellOptions:
    """The options in the first line of a cell.

    Attributes:
        model: "" for the user's choice.
        files: as they are written.
        variable: gets the text; "" for none.
        is_cell: the answer's code goes into a new cell.
        mode: how an agent may act; `ask` without one.
    """

    model: str = ""
    files: tuple[str, ...] = ()
    variable: str = ""
    is_cell: bool = False
    mode: AgentMode = "ask"


def current_folder(magic: str) -> Path:
    """Return the kernel's folder, absolute and without links.

    Raises:
        UsageError: it is gone; the sentence begins with the magic's name.
    """
    try:
        return Path.cwd().resolve()
    except FileNotFoundError as error:
        raise UsageError(f"{magic}: the kernel's folder is gone; os.chdir to another.") from error


def read_options(line: str) -> CellOptions:
    """Read the first line of a cell, without the magic's name.

    Raises:
        UsageError: it can't be read.
    """
    parser = _Parser(prog="%%ac", add_help=False, allow_abbrev=False)
    parser.add_argument("--model", default="")
    parser.add_argument("-f", dest="files", action="append", default=[])
    parser.add_argument("-o", dest="variable", default="")
    parser.add_argument("--cell", dest="is_cell", action="store_true")
    modes = parser.add_mutually_exclusive_group()
    for name in ("agent", "plan"):
        modes.add_argument(f"--{name}", dest="mode", action="store_const", const=name)
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"%%ac: {error}; use it as {USAGE}") from error
    found = parser.parse_args(words)
    variable: str = found.variable
    if variable and (not variable.isidentifier() or keyword.iskeyword(variable)):
        raise UsageError(f"%%ac: {variable!r} can't be the name of a variable.")
    mode: AgentMode = found.mode or "ask"
    return CellOptions(found.model, tuple(found.files), variable, found.is_cell, mode)


def in_repository(name: str, folder: Path, root: Path) -> str:
    """Give a file's path in the repository.

    Args:
        name: relative to the kernel's folder or else to the repository.
        folder: the kernel's.
        root: top of the repository.

    Raises:
        UsageError: there is no such file, or it lies elsewhere.
    """
    try:
        named = Path(name).expanduser()
    except RuntimeError:  # `~name` of an unknown user
        named = Path(name)
    for base in (folder, root):
        path = Path(os.path.normpath(base / named))
        if path.is_file():
            if not path.is_relative_to(root):
                raise UsageError(f"%%ac: {name!r} lies outside the repository.")
            return path.relative_to(root).as_posix()
        if path.is_dir():
            raise UsageError(f"%%ac: {name!r} is a folder; name its files, each with -f.")
    raise UsageError(
        f"%%ac: there is no file {name!r} in the kernel's folder or the repository"
        f"{suggestion(named.name, _beside(named, (folder, root)))}."
    )


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return `; did you mean …` with the names that are nearly the same; "" without any."""
    near = difflib.get_close_matches(name, list(islice(names, _MOST_COMPARED)), _NEAR)
    return f"; did you mean {' or '.join(near)}" if near else ""


def _beside(path: Path, bases: Iterable[Path]) -> list[str]:
    """Return the names of what lies where a file was looked for."""
    names: set[str] = set()
    for base in bases:
        with contextlib.suppress(OSError), os.scandir(base / path.parent) as entries:
            names.update(entry.name for entry in islice(entries, _MOST_COMPARED))
    return sorted(names)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"%%ac: {message}; use it as {USAGE}")
