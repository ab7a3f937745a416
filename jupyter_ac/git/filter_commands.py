"""Adapts the commands of a filter for git: search paths for modules and programs."""

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from jupyter_ac.git.command_files import runs_module, words_of
from jupyter_ac.git.configuration import key_parts
from jupyter_ac.git.configured_programs import FILTER
from jupyter_ac.git.environment import Level
from jupyter_ac.git.rated_programs import RatedProgram

_PARTS: Final = ("clean", "smudge", "process")
_PROGRAM: Final = re.compile(r"\s*([\w.+-]+)(?:\s|$)")


def disable_filter(name: str, *, is_required: bool) -> dict[str, str]:
    """Return configuration that disables a filter.

    Args:
        name: of the filter.
        is_required: git fails for its files, instead of using them unfiltered.
    """
    overrides = {f"filter.{name}.{part}": "" for part in _PARTS}
    return overrides | {f"filter.{name}.required": "true" if is_required else "false"}


def with_search_paths(program: RatedProgram, level: Level) -> dict[str, str]:
    """Return the commands of a filter, prefixed with its search paths for modules and programs.

    A script in a folder may load files beside it, which are all fingerprinted. Other programs may
    not: anybody can add a file to the top folder.
    """
    prefix = "".join(f"{line}; " for line in _preparation(program, level))
    if not prefix:
        return {}
    return {
        key: prefix + value
        for key, value in program.commands.items()
        if key_parts(key)[0] == FILTER
    }


def _preparation(program: RatedProgram, level: Level) -> Iterator[str]:
    has_own_modules = any("/" in path.strip("/") for path in program.files)
    is_alone = any(map(runs_module, program.commands.values())) or not has_own_modules
    if is_alone and level is Level.COMMITTING:
        yield "PYTHONSAFEPATH=1"
        yield "export PYTHONSAFEPATH"
    elif not is_alone and level is not Level.COMMITTING:
        yield "unset PYTHONSAFEPATH"
    if level is not Level.COMMITTING:
        for folder in _folders_on_path(program):
            yield f"PATH={shlex.quote(folder)}:$PATH"
            yield "export PATH"


def _folders_on_path(program: RatedProgram) -> Iterator[str]:
    """Yield the folders of allowed programs that PATH finds in the working tree."""
    for command in program.commands.values():
        word = next(iter(words_of(command)), "")
        found = shutil.which(word) if word and "/" not in word else None
        if found is not None and any(found.endswith(f"/{path}") for path in program.files):
            yield str(Path(found).parent)


def is_missing(program: RatedProgram) -> bool:
    """Return whether a filter's program is certainly missing; shell syntax counts as found."""
    for key, command in program.commands.items():
        word = _PROGRAM.match(command)
        is_used = key.endswith((".clean", ".process")) and word is not None
        if is_used and word is not None and shutil.which(word[1], path=_search_path()) is None:
            return True
    return False


def _search_path() -> str:
    """Return the folders in which git finds programs: PATH and its own."""
    path = os.environ.get("PATH", os.defpath)
    git = shutil.which("git", path=path)
    above = Path(git).resolve().parent.parent if git else Path("/usr")
    return os.pathsep.join((path, f"{above}/libexec/git-core", f"{above}/lib/git-core"))
