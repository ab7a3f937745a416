"""The commands of a filter as git is given them: with where they may look for programs."""

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


def switched_off(name: str, *, is_required: bool) -> dict[str, str]:
    """Return configuration under which a filter runs no program.

    Args:
        name: the filter's.
        is_required: git fails at its files, rather than to take them as they are.
    """
    overrides = {f"filter.{name}.{part}": "" for part in _PARTS}
    return overrides | {f"filter.{name}.required": "true" if is_required else "false"}


def prepared(program: RatedProgram, level: Level) -> dict[str, str]:
    """Return the commands of a filter, with where its language may look for modules.

    A script in a folder may load what lies beside it, all of which is watched. Everything else must
    not: the top folder takes any new file.
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
    """Give the folders of programs that PATH finds in the working tree: the user allowed them."""
    for command in program.commands.values():
        word = next(iter(words_of(command)), "")
        found = shutil.which(word) if word and "/" not in word else None
        if found is not None and any(found.endswith(f"/{path}") for path in program.files):
            yield str(Path(found).parent)


def is_missing(program: RatedProgram) -> bool:
    """Tell whether a filter's program is surely not there; a shell might know what we don't."""
    for key, command in program.commands.items():
        word = _PROGRAM.match(command)
        is_used = key.endswith((".clean", ".process")) and word is not None
        if is_used and word is not None and shutil.which(word[1], path=_places()) is None:
            return True
    return False


def _places() -> str:
    """Return where git finds programs: on PATH, and beside its own."""
    path = os.environ.get("PATH", os.defpath)
    git = shutil.which("git", path=path)
    above = Path(git).resolve().parent.parent if git else Path("/usr")
    return os.pathsep.join((path, f"{above}/libexec/git-core", f"{above}/lib/git-core"))
