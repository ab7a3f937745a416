"""Builds the environment in which git runs.

git reads configuration from the machine, the user and the repository. The first two may change the
formats that the parsers read, the third may name programs to run; entries from the environment
override all of them.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Final

from jupyter_ac.git.plain_folder import own_git_dir


class Level(Enum):
    """What a command may start beside git.

    `READING`: nothing; it opens no connection and takes no optional lock. `CHANGING`: changes the
    repository: a partial clone may fetch missing objects, and the filters that the given
    configuration leaves on may run, but no hooks. `COMMITTING`: a commit that the user asked for:
    hooks run as well.
    """

    READING = auto()
    CHANGING = auto()
    COMMITTING = auto()


_NEUTRAL_CONFIG: Final[Mapping[str, str]] = {
    # Programs that a repository's own configuration could name.
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.askPass": "",
    "core.editor": ":",
    "core.pager": "cat",
    "credential.helper": "",
    "log.showSignature": "false",
    "safe.bareRepository": "explicit",
    "submodule.recurse": "false",
    # `git diff` would write the index in spite of GIT_OPTIONAL_LOCKS.
    "diff.autoRefreshIndex": "false",
    # Messages are passed and read as UTF-8, and must be marked as such.
    "i18n.commitEncoding": "UTF-8",
    "i18n.logOutputEncoding": "UTF-8",
    # Formats that a user's configuration could change under the parsers.
    "color.ui": "never",
    "column.ui": "never",
    "core.quotePath": "false",
    "diff.ignoreSubmodules": "dirty",
    "diff.orderFile": os.devnull,
    "diff.renames": "true",
    "diff.submodule": "short",
    "diff.suppressBlankEmpty": "false",
    "grep.column": "false",
    "grep.fallbackToNoIndex": "false",
    "grep.fullName": "false",
    "grep.patternType": "default",
    "grep.extendedRegexp": "false",
    "status.renames": "true",
    "status.relativePaths": "false",
    "status.showStash": "false",
    "status.submoduleSummary": "false",
}


# For commands that change the repository: no background maintenance and no signatures.
_OF_CHANGES: Final[Mapping[str, str]] = {
    "gc.auto": "0",
    "maintenance.auto": "false",
    "commit.gpgSign": "false",
    "tag.gpgSign": "false",
}
_FETCHING: Final = frozenset({"GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL"})
# git's built-in protocols; others are programs that a repository's configuration names.
_PROTOCOLS: Final = "file:git:http:https:ssh"

# Paths of the user's configuration; containers set these instead of HOME.
_CONFIGURATION: Final = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"})
# Identity of the committer.
_IDENTITY: Final = frozenset(
    f"GIT_{role}_{what}" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
)
# Language and interactive programs, and the terminal in which gpg asks for a passphrase.
_ASKING: Final = frozenset({"LC_ALL", "LANGUAGE", "PAGER", "EDITOR", "VISUAL", "GPG_TTY"})
# Search paths of interpreters for modules, and files that they load at their start.
_SEARCH_PATHS: Final = frozenset(
    {"PYTHONPATH", "NODE_PATH", "PERL5LIB", "PERLLIB", "RUBYLIB", "LUA_PATH", "CLASSPATH"}
    | {"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"}
)
_START_FILES: Final = frozenset({"BASH_ENV", "ENV", "PYTHONSTARTUP", "LD_PRELOAD"})
_MAX_ENTRIES: Final = 1000


def environment(
    directory: Path,
    further: Iterable[tuple[str, str]],
    *,
    ceiling: bool,
    level: Level = Level.READING,
    bytewise: bool = False,
) -> dict[str, str]:
    """Return the environment for a git process: without `GIT_*`, with neutral settings.

    Of `GIT_*` only the variables for the user's configuration are passed on, and the user's
    identity for commits; those for another repository, index or program are not. Programs are not
    searched in the repository, except by the hooks of a commit.

    Args:
        directory: working directory of git.
        further: configuration entries in addition to those of every command.
        ceiling: True keeps git from searching for a repository above the directory, and has it
            use our git directory of a folder without a repository.
        level: what git may start.
        bytewise: True makes each byte a character.
    """
    wanted = _CONFIGURATION if level is Level.READING else _CONFIGURATION | _IDENTITY
    variables = {
        name: value
        for name, value in os.environ.items()
        if name in wanted or not (name.startswith("GIT_") or name in _ASKING)
    }
    # Of two entries for a key the later one is effective.
    config = [*own_entries(), *_neutral(level).items(), *further]
    for index, (name, value) in enumerate(config):
        variables[f"GIT_CONFIG_KEY_{index}"] = name
        variables[f"GIT_CONFIG_VALUE_{index}"] = value
    if ceiling and os.pathsep not in str(directory.parent):
        variables["GIT_CEILING_DIRECTORIES"] = str(directory.parent)
    own = own_git_dir(directory) if ceiling else None
    if own is not None:
        variables |= {"GIT_DIR": str(own), "GIT_WORK_TREE": str(directory)}
    return _without_search_paths(variables, directory, level) | _quiet(
        len(config), level, bytewise=bytewise
    )


def git_program(directory: Path, variables: Mapping[str, str], level: Level) -> str:
    """Return git's path; it is taken from the repository only if there is no other.

    Args:
        directory: working directory of git.
        variables: result of `environment`.
        level: its level.
    """
    path = variables["PATH"]
    outside = _outside(directory, path) if level is Level.COMMITTING else path
    found = shutil.which("git", path=outside)
    return found or shutil.which("git", path=_absolute_only(_search_path())) or "git"


def _search_path() -> str:
    return os.environ.get("PATH", os.defpath)


def _neutral(level: Level) -> dict[str, str]:
    if level is Level.READING:
        return dict(_NEUTRAL_CONFIG)
    left_alone = {"credential.helper"}
    if level is Level.COMMITTING:
        left_alone.add("core.hooksPath")
    neutral = {key: value for key, value in _NEUTRAL_CONFIG.items() if key not in left_alone}
    return neutral if level is Level.COMMITTING else neutral | dict(_OF_CHANGES)


def _quiet(entries: int, level: Level, *, bytewise: bool) -> dict[str, str]:
    quiet = {
        "GIT_CONFIG_COUNT": str(entries),
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "SSH_ASKPASS_REQUIRE": "never",
        "GIT_PAGER": "cat",
        "GIT_EDITOR": ":",
        "GIT_SEQUENCE_EDITOR": ":",
        # Otherwise the configuration could name a program for the git protocol.
        "GIT_PROXY_COMMAND": "",
        # A partial clone would fetch missing objects with a program that its configuration names.
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "LANG": "C",
        "LC_MESSAGES": "C",
        "LC_CTYPE": "C" if bytewise else "C.UTF-8",  # `-i` and `-w` need the letters beyond ASCII
        "TERM": "dumb",
    }
    if level is Level.READING:
        return quiet
    del quiet["GIT_NO_LAZY_FETCH"]
    return quiet | {"GIT_ALLOW_PROTOCOL": _PROTOCOLS}


def _without_search_paths(
    variables: dict[str, str], directory: Path, level: Level
) -> dict[str, str]:
    """Remove search paths that lead into the repository from the environment."""
    path = _search_path()
    if level is Level.COMMITTING:  # hooks find their programs where the user does
        return variables | {"PATH": _absolute_only(path)}
    safe = variables | {"PATH": _outside(directory, path), "PYTHONSAFEPATH": "1"}
    for name in _SEARCH_PATHS & safe.keys():
        safe[name] = _outside(directory, safe[name])
    for name in _START_FILES & safe.keys():
        if not _outside(directory, safe[name]):
            del safe[name]
    return safe


def own_entries() -> Iterator[tuple[str, str]]:
    """Yield the configuration entries in this process's own environment."""
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    for index in range(min(int(count), _MAX_ENTRIES) if count.isdecimal() else 0):
        name = os.environ.get(f"GIT_CONFIG_KEY_{index}")
        if name:
            yield name, os.environ.get(f"GIT_CONFIG_VALUE_{index}", "")


def _absolute_only(search_path: str) -> str:
    """Remove relative entries: git runs in the repository."""
    return os.pathsep.join(_absolute(search_path))


def _absolute(search_path: str) -> list[str]:
    return [entry for entry in search_path.split(os.pathsep) if entry.startswith(os.sep)]


def _outside(directory: Path, search_path: str) -> str:
    """Remove relative entries and those that lead into a folder."""
    if directory == directory.parent:  # the whole disk
        return _absolute_only(search_path)
    inside = f"{directory}{os.sep}"
    return os.pathsep.join(
        entry
        for entry in _absolute(search_path)
        if not f"{os.path.realpath(entry)}{os.sep}".startswith(inside)
    )
