"""Completes mentions in `%%ac` cells: names of variables, paths, numbers of cells and outputs.

No code of values runs, and at most `MOST_ENTRIES` entries of a folder are read.
"""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.child.pool import repository_around
from jupyter_ac.hosts.kernel.mentions.resolving import hidden_names, inputs_of, outputs_of
from jupyter_ac.hosts.kernel.mentions.syntax import WORDS
from jupyter_ac.inspection.variables import variable_names

MOST_ENTRIES: Final = 5000
"""Entries of a folder that are looked at."""

MOST_MATCHES: Final = 200

_BEGUN: Final = re.compile(
    r"(?<![\w`@./:-])@(?:file:\"?[^\s\"@]{0,1000}|\w{0,300}(?::\w{0,300})?)\Z"
)
_NUMBERS: Final = 20


def begun_mention(text: str) -> str:
    """Return the mention that a text ends with, complete or not; "" without one."""
    found = _BEGUN.search(text[-1100:])
    return found[0] if found else ""


def completions(shell: InteractiveShell, begun: str) -> list[str]:
    """Return the mentions that begin with a text, the likeliest first.

    Args:
        shell: of the kernel or terminal.
        begun: as `begun_mention` returns it.
    """
    kind, colon, rest = begun.partition(":")
    if not colon:
        return [word for word in WORDS if word.startswith(begun)]
    if kind == "@var":
        names: Iterator[str] = iter(variable_names(shell.user_ns, hidden_names(shell)))
    elif kind == "@cell":
        names = _newest(list(inputs_of(shell)))
    elif kind == "@output":
        names = _newest(list(outputs_of(shell)))
    elif kind == "@file":
        names = iter(_paths(rest.removeprefix('"')))
        rest = rest.removeprefix('"')
    else:
        return []
    found = (name for name in names if name.startswith(rest))
    quote = '"' if kind == "@file" else ""
    return [
        f"{kind}:{quote}{name}{quote}" if quote and " " in name else f"{kind}:{name}"
        for name in islice(found, MOST_MATCHES)
    ]


def _newest(numbers: list[int]) -> Iterator[str]:
    return map(str, numbers[: -_NUMBERS - 1 : -1])


def _paths(begun: str) -> list[str]:
    """Return paths that begin so, in the kernel's folder and then in the repository."""
    folder, _, name = begun.rpartition("/")
    start = f"{folder}/" if folder or begun.startswith("/") else ""
    found: dict[str, None] = {}
    try:
        here = Path.cwd()
    except FileNotFoundError:
        return []
    for base in dict.fromkeys((here, repository_around(here))):
        found.update(dict.fromkeys(f"{start}{entry}" for entry in _entries(base / start, name)))
    return list(found)


def _entries(folder: Path, begun: str) -> list[str]:
    """List what begins so in a folder; folders end with a slash, hidden entries come on request."""
    try:
        with os.scandir(folder) as entries:
            return sorted(
                f"{entry.name}/" if entry.is_dir() else entry.name
                for entry in islice(entries, MOST_ENTRIES)
                if entry.name.startswith(begun)
                if begun.startswith(".") or not entry.name.startswith(".")
            )
    except OSError:
        return []
