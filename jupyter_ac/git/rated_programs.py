"""Decides for each program in git's configuration whether it may run.

A program is trusted if the user configured it for all repositories and none of its files is in the
working tree. Any other program runs only if the user has allowed it for this repository, in answer
to a question that named it, and if neither its command nor the files that it names have changed
since. Only filters and signing programs can be allowed: nothing else is ever run.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from jupyter_ac.errors import AcError
from jupyter_ac.git.allowed_programs import Grant, Grants, fingerprints, grant_name, read_grants
from jupyter_ac.git.configuration import Setting, key_parts, last_value
from jupyter_ac.git.configured_programs import FILTER, HOOKS, SIGNING, Program, programs_in
from jupyter_ac.git.repository import Repository

State = Literal["trusted", "allowed", "not_allowed", "changed", "never_run"]

RUNNABLE: Final = frozenset({FILTER, SIGNING})
"""The kinds that can be allowed."""

_LFS: Final = "lfs"
_HOOKS: Final = frozenset({HOOKS, "hook"})
_NEVER: Final = "jupyter_ac never runs it"
_AT_COMMITS: Final = "git runs it at a commit that you ask for"


@dataclass(frozen=True, slots=True)
class RatedProgram:
    """A program and its permission; all commands of one filter are one program.

    Attributes:
        kind: as in `Program`.
        name: a filter's own name; for others the key in git's configuration.
        commands: by their keys in git's configuration.
        scope: of the last command from the repository, otherwise of the last one.
        files: paths in the working tree that the commands name.
        state: whether it may run.
        reason: why it may or may not run; "" if that is obvious.
    """

    kind: str
    name: str
    commands: Mapping[str, str]
    scope: str
    files: tuple[str, ...]
    state: State
    reason: str = ""

    @property
    def may_run(self) -> bool:
        """Whether git may start it."""
        return self.state in {"trusted", "allowed"}

    @property
    def command(self) -> str:
        """The commands for display; several with their variable, one per line."""
        if len(set(self.commands.values())) == 1:
            return next(iter(self.commands.values()))
        named = {key.rpartition(".")[2]: value for key, value in self.commands.items()}
        if len(named) < len(self.commands):
            named = dict(self.commands)
        return "\n".join(f"{part}: {value}" for part, value in named.items())

    @property
    def refusal(self) -> str:
        """A clause saying that it may not run, for error messages."""
        one = self.command.replace("\n", "; ")
        kind = "filter" if self.kind == FILTER else "signing program"
        if self.state == "changed":
            return f"this repository's {kind} {self.name!r} ({one}) isn't allowed: {self.reason}"
        return f"this repository's {kind} {self.name!r} ({one}) isn't allowed"


def rated_programs(repository: Repository, settings: Sequence[Setting]) -> list[RatedProgram]:
    """Return the programs; reads the user's permissions and the files that the programs name."""
    named = [
        each
        for each in programs_in(repository, settings)
        if each.kind != FILTER or _is_in_force(settings, each)
    ]
    programs = list(_joined(named))
    needs_grant = any(
        each.kind in RUNNABLE and not _is_trusted(repository, each) for each in programs
    )
    grants = read_grants(repository) if needs_grant else Grants()
    return [_rated(repository, each, grants) for each in programs]


@dataclass(slots=True)
class _Joined:
    kind: str
    name: str
    commands: dict[str, str]
    scope: str
    files: dict[str, None]
    is_of_repository: bool


def _joined(programs: Sequence[Program]) -> Iterator[_Joined]:
    """Group commands into the units that are allowed or denied together.

    Of several commands for one key the last is effective, as for git, unless git runs all of them.
    """
    found: dict[tuple[str, str], _Joined] = {}
    for program in programs:
        filter_name = _filter_name(program)
        name = filter_name or program.name
        one = found.setdefault(
            (program.kind, name), _Joined(program.kind, name, {}, "", {}, is_of_repository=False)
        )
        key = program.name
        while (
            key in one.commands and program.kind != FILTER and one.commands[key] != program.command
        ):
            key += "'"
        one.commands[key] = program.command
        one.files.update(dict.fromkeys(program.files))
        if program.is_of_repository or not one.is_of_repository:
            one.scope = program.scope
        one.is_of_repository = one.is_of_repository or program.is_of_repository
    yield from found.values()


def _filter_name(program: Program) -> str:
    if program.kind != FILTER:
        return ""
    section, name, _ = key_parts(program.name)
    return _LFS if section == _LFS else name


def _is_in_force(settings: Sequence[Setting], program: Program) -> bool:
    """Return whether a command isn't disabled by a later, empty entry."""
    found = last_value(settings, program.name)
    return found is not None and found.value.strip() != ""


def _is_trusted(repository: Repository, program: _Joined) -> bool:
    """Return whether the user configured it for all repositories, with no file of this one."""
    return not program.is_of_repository and not any(
        os.path.lexists(repository.root / path) for path in program.files
    )


def _rated(repository: Repository, program: _Joined, grants: Grants) -> RatedProgram:
    state, reason = _state(repository, program, grants)
    return RatedProgram(
        program.kind,
        program.name,
        program.commands,
        program.scope,
        tuple(program.files),
        state,
        reason,
    )


def _state(repository: Repository, program: _Joined, grants: Grants) -> tuple[State, str]:
    if program.kind not in RUNNABLE:
        return "never_run", _AT_COMMITS if program.kind in _HOOKS else _NEVER
    if _is_trusted(repository, program):
        return "trusted", "you configured it for all your repositories"
    grant = grants.by_name.get(grant_name(program.kind, program.name))
    if grant is None:
        return "not_allowed", grants.problem or _origin(repository, program)
    reason = _change(repository, program, grant)
    return ("changed", reason) if reason else ("allowed", "")


def _origin(repository: Repository, program: _Joined) -> str:
    named = [path for path in program.files if os.path.lexists(repository.root / path)]
    return f"it runs {named[0]!r} of this repository" if named else "it comes with the repository"


def _change(repository: Repository, program: _Joined, grant: Grant) -> str:
    """Return a difference to the allowed program; "" if there is none."""
    if dict(grant.commands) != dict(program.commands):
        return "its command has changed since you allowed it"
    try:
        current = fingerprints(repository.root, fingerprinted_paths(tuple(program.files)))
    except (OSError, AcError):
        return "a file that it names can't be read"
    for path in current.keys() | grant.files.keys():
        if current.get(path) != grant.files.get(path):
            return f"{path!r} has changed since you allowed it"
    return ""


def fingerprinted_paths(files: Sequence[str]) -> list[str]:
    """Return the paths to fingerprint: the files' folders, from which a program may load."""
    found: dict[str, None] = {}
    for path in files:
        folder = path if path.endswith("/") else f"{path.rpartition('/')[0]}/"
        found[path if folder == "/" else folder] = None
    return list(found)
