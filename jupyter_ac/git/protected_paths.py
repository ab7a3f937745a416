"""Which files of a repository an answer may change only after an acceptance of their own.

Those that run by themselves by their names (`autorun_files`), and those that this repository's or
this user's configuration makes run: what lies in git's hooks folder, the files that configured
commands name, folders on PATH and those of the installation. docs/decisions/0020 has the reasons.
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
_HOOK: Final = "git runs what lies in its hooks folder, at a commit for example"
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
    """What is protected in one repository at one moment; without arguments, by names alone.

    Attributes:
        configured: by the `comparable` path of a file or a folder, why it or what is in it runs;
            by "", why what lies directly in the top folder does.
    """

    configured: Mapping[str, str] = field(default_factory=dict)

    def reason(self, path: str, *, is_folder: bool = False) -> str:
        """Return why a path is protected, as a sentence without its full stop; "" when it isn't.

        Args:
            path: relative to the root, in any spelling.
            is_folder: it is a link to a folder, which brings or takes everything below its name.
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
    """Return the names in a path, each as `paths.comparable` makes it."""
    return [comparable(name) for name in _SEPARATORS.split(path) if name not in {"", "."}]


async def protected_paths(repository: Repository) -> ProtectedPaths:
    """Find out what is protected in a repository, as configuration and disk stand.

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
    """Return the folders from which a program may load more than the files that are named."""
    places = program.places if _is_started(program) and program.kind != INCLUDE else ()
    return [path for path in places if path not in program.files]


def _is_started(program: Program) -> bool:
    """Tell whether git starts a program: most aliases are git's own commands."""
    return program.kind != _ALIAS or program.command.lstrip().startswith("!")


def _inside(repository: Repository, places: Iterable[Path]) -> Iterator[str]:
    """Give the paths of what lies in the working tree, by its name and where that leads."""
    for place in places:
        for spelling in {os.path.normpath(place), os.path.realpath(place)}:
            path = os.path.relpath(spelling, repository.root)
            if Path(path).parts[:1] != ("..",):
                yield path


def _search_path() -> list[Path]:
    entries = os.environ.get("PATH", "").split(os.pathsep)
    return [place for entry in entries if (place := Path(entry)).is_absolute()]


def _installed() -> list[Path]:
    """Return the folders from which this program, Jupyter and IPython were started and set up."""
    named = [os.environ.get(variable, "").strip() for variable in _VARIABLES]
    places = [*named, *jupyter_config_path(), *jupyter_path(), sys.prefix]
    return [Path(place) for place in places if Path(place).is_absolute()]


def _links_in(folder: Path) -> list[Path]:
    """Return the links in a hooks folder: what they lead to runs as a hook."""
    try:
        return [Path(row.path) for row in os.scandir(folder) if row.is_symlink()]
    except OSError:  # there is no such folder
        return []
