"""What the files of build tools say: the scripts in a `package.json`, the words of a makefile."""

import json
import os
import re
import stat
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

_MAX_BYTES: Final = 256 * 1024
_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
_BETWEEN: Final = re.compile(r"[^\w./~+@%-]+")
_LIFE: Final = ("pre", "", "post")


def scripts_of(manifest: Path, words: Collection[str], *, is_any: bool) -> Iterator[str]:
    """Give the commands of a `package.json` that a call of npm or the like may run.

    Args:
        manifest: the file; without one there are none.
        words: of the call.
        is_any: any script is meant where these name none.
    """
    try:
        found = json.loads(_text(manifest))
        scripts = found["scripts"].items()
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return
    commands = {name: text for name, text in scripts if isinstance(text, str)}
    named = [f"{when}{word}" for word in words for when in _LIFE if word in commands]
    if not named and is_any:
        named = list(commands)
    yield from (commands[name] for name in named if name in commands)


def words_in(recipes: Path) -> set[str]:
    """Return the words of a file of recipes, which may be paths; without one there are none."""
    try:
        words = _BETWEEN.split(_text(recipes))
    except OSError:
        return set()
    # `@` and its like before a command are for make.
    return {word.lstrip("@+-") for word in words} - {"", ".", ".."}


def _text(place: Path) -> str:
    """Return the beginning of a plain file.

    Raises:
        OSError: there is none.
    """
    with os.fdopen(os.open(place, _FLAGS), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FileNotFoundError(os.fspath(place))
        return file.read(_MAX_BYTES).decode("utf-8", "replace")
