"""Decides which files of a repository an edit may change only with the user's separate consent.

These are files that are executed because of their names (`autorun_files`), and files that are
executed because of the repository's or user's configuration: in git's hooks folder, in commands, in
folders on PATH and in those of the installation. docs/decisions/0020 gives the reasons.
"""

import asyncio
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_config_path, jupyter_path

from jupyter_ac.git.autorun_files import autorun_reason, autorun_reason_below
from jupyter_ac.git.configuration import read_configuration, settings_in
from jupyter_ac.git.configured_programs import HOOKS, INCLUDE, Program, hooks_folder, programs_in
from jupyter_ac.git.paths import comparable, is_git_segment
from jupyter_ac.git.repository import Repository

_OF_GIT: Final = "it is git's own"
_HOOK: Final = "git runs the files in its hooks folder, at a commit for example"
_ON_PATH: Final = "it lies in a folder of PATH, so that its name is a command"

_VARIABLES: Final = ("JUPYTER_AC_CONFIG_DIR", "IPYTHONDIR", "VIRTUAL_ENV", "CONDA_PREFIX")
_ALIAS: Final = "alias"
_MOST_SHOWN: Final = 80
_INSTALLED: Final = "it belongs to the Python environment or to Jupyter's settings in use here"
_OTHER_NAME: Final = "some file systems take it for the short name of another file"
_SHORT_NAME: Final = re.compile(r"[^~]{1,6}~\d{1,6}(?:\.[^.]{0,3})?")
_SEPARATORS: Final = re.compile(r"[/\\]")


@dataclass(frozen=True, slots=True)
class ProtectedPaths:
    """The protected paths of one repository at one moment; without arguments, by names alone.

    Attributes:
        configured: by `comparable` path of a file or a folder, why it or its content is executed;
            at "", the reason for all files directly in the top folder.
    """

    configured: Mapping[str, str] = field(default_factory=dict)

    def reason(self, path: str, *, is_folder: bool = False) -> str:
        """Return why a path is protected, as a sentence without its full stop; "" if it isn't.

        Args:
            path: relative to the root, in any form.
            is_folder: it is a link to a folder, which adds or removes everything below its name.
        """
        names = comparable_names(path)
        if any(map(is_git_segment, names)):
            return _OF_GIT
        wanted = "/".join(names)
        for length in range(len(names), 0, -1):
            reason = self.configured.get("/".join(names[:length]), "")
            if reason:
                return reason
        if any(map(_SHORT_NAME.fullmatch, names)):
            return _OTHER_NAME
        reason = (len(names) == 1 and self.configured.get("")) or autorun_reason(wanted)
        if reason or not is_folder:
            return reason
        inside = (why for path, why in self.configured.items() if path.startswith(f"{wanted}/"))
        return next(inside, "") or autorun_reason_below(wanted)


def comparable_names(path: str) -> list[str]:
    """Return the segments of a path, each normalized by `paths.comparable`."""
    return [comparable(name) for name in _SEPARATORS.split(path) if name not in {"", "."}]


async def protected_paths(repository: Repository) -> ProtectedPaths:
    """Determine the protected paths of a repository from its configuration and the disk.

    Raises:
        GitError: the configuration can't be read.
    """
    listing = await read_configuration(repository)
    reasons = await asyncio.to_thread(lambda: list(_reasons(repository, listing)))
    found: dict[str, str] = {}
    for path, reason in reasons:
        found.setdefault("/".join(comparable_names(path)), reason)
    return ProtectedPaths(found)


def _reasons(repository: Repository, listing: bytes) -> Iterator[tuple[str, str]]:
    settings = settings_in(repository, listing)
    programs = programs_in(repository, settings)
    for program in programs:
        for path in program.files:
            if _is_started(program) or not path.endswith("/"):
                yield path, _reason(program)
    for program in programs:
        for path in _beside(program):
            yield path, f"it lies beside what git runs as {_shown(program)}"
    hooks = Path(hooks_folder(repository, settings))
    for path in _inside(repository, _links_in(hooks)):
        yield path, _HOOK
    for path in _inside(repository, _search_path()):
        yield path, _ON_PATH
    for path in _inside(repository, _installed()):
        yield path, _INSTALLED


def _reason(program: Program) -> str:
    if program.kind == HOOKS:
        return _HOOK
    if program.kind == INCLUDE:
        return "git reads it as part of its configuration"
    return f"git runs it as {_shown(program)}"


def _shown(program: Program) -> str:
    return repr(program.name[:_MOST_SHOWN])


def _beside(program: Program) -> list[str]:
    """Return the folders from which a program may load more than the named files."""
    places = program.places if _is_started(program) and program.kind != INCLUDE else ()
    return [path for path in places if path not in program.files]


def _is_started(program: Program) -> bool:
    """Return whether git starts a program: most aliases are git's own commands."""
    return program.kind != _ALIAS or program.command.lstrip().startswith("!")


def _inside(repository: Repository, places: Iterable[Path]) -> Iterator[str]:
    """Yield the paths of files in the working tree, as named and with links resolved."""
    for place in places:
        for absolute in {os.path.normpath(place), os.path.realpath(place)}:
            path = os.path.relpath(absolute, repository.root)
            if Path(path).parts[:1] != ("..",):
                yield path


def _search_path() -> list[Path]:
    entries = os.environ.get("PATH", "").split(os.pathsep)
    return [place for entry in entries if (place := Path(entry)).is_absolute()]


def _installed() -> list[Path]:
    """Return the folders from which this program, Jupyter and IPython are run and configured."""
    named = [os.environ.get(variable, "").strip() for variable in _VARIABLES]
    places = [*named, *jupyter_config_path(), *jupyter_path(), sys.prefix]
    return [Path(place) for place in places if Path(place).is_absolute()]


def _links_in(folder: Path) -> list[Path]:
    """Return the links in a hooks folder: their targets run as hooks."""
    try:
        return [Path(row.path) for row in os.scandir(folder) if row.is_symlink()]
    except OSError:  # there is no such folder
        return []
