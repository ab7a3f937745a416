"""Builds the git configuration that prevents programs from running without permission.

Entries from the environment override every configuration file, so this module alone decides what
git starts. The user can grant the permission for a program of the repository, and revoke it.
"""

import asyncio
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError, Conflict, NotFound, Unsupported
from jupyter_ac.git.allowed_programs import Grant, fingerprints, grant_name, write_grant
from jupyter_ac.git.command_files import runs_module, words_of
from jupyter_ac.git.configuration import (
    Setting,
    key_parts,
    last_value,
    read_configuration,
    settings_in,
)
from jupyter_ac.git.configured_programs import FILTER, SIGNING
from jupyter_ac.git.environment import Level
from jupyter_ac.git.rated_programs import (
    RUNNABLE,
    RatedProgram,
    fingerprinted_paths,
    rated_programs,
)
from jupyter_ac.git.repository import Repository

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


REMEDY: Final = "choose “Allow …” in the commit form or on the edit's card"

_REQUIRED: Final = re.compile(r"filter\.(.+)\.required", re.DOTALL)
_HELPER: Final = re.compile(r"credential\.(?:.+\.)?helper", re.DOTALL)
_REMOTE_PROGRAM: Final = re.compile(r"remote\..+\.(uploadpack|receivepack)", re.DOTALL)
_PLAIN_PROGRAM: Final[Mapping[str, str]] = {
    "uploadpack": "git-upload-pack",
    "receivepack": "git-receive-pack",
}


@dataclass(frozen=True, slots=True)
class ProgramPolicy:
    """The programs that may run in one repository, at one moment.

    Attributes:
        settings: git's configuration.
        programs: all programs in it.
    """

    settings: Sequence[Setting]
    programs: Sequence[RatedProgram]

    @property
    def denied_filters(self) -> dict[str, RatedProgram]:
        """The filters that may not run, by name."""
        return {
            each.name: each for each in self.programs if each.kind == FILTER and not each.may_run
        }

    def reading(self) -> dict[str, str]:
        """Return configuration for read commands: only the user's own filters run.

        A read command holds no lock, so a file of an allowed filter could change after it was
        checked and before git starts it. Without the filter unchanged files may be reported as
        changed.
        """
        overrides: dict[str, str] = {}
        for program in self.programs:
            # If a filter's program isn't installed git reports nothing about any file.
            if program.kind == FILTER and (program.state != "trusted" or is_missing(program)):
                overrides |= disable_filter(program.name, is_required=False)
        # With only `required` configured, git also reports nothing about any file.
        return {**self._not_required(), **overrides}

    def _not_required(self) -> dict[str, str]:
        known = {each.name for each in self.programs if each.kind == FILTER}
        found = ((each.key, _REQUIRED.fullmatch(each.key)) for each in self.settings)
        return {key: "false" for key, match in found if match and match[1] not in known}

    def changing(self, level: Level, *, strict: bool) -> dict[str, str]:
        """Return configuration for a command that changes files: only allowed programs run.

        Args:
            level: what the command may start otherwise.
            strict: git fails for a file whose filter may not run, instead of omitting the filter.
        """
        overrides = self._filters(is_required=strict, level=level)
        return overrides | _transport(self.settings) | self._unconfigured_hooks(level)

    def credentials(self) -> list[tuple[str, str]]:
        """Return entries that disable all credential helpers except the user's own."""
        helpers = [each for each in self.settings if _HELPER.fullmatch(each.key)]
        if not any(each.is_of_repository for each in helpers):
            return []
        users = [(each.key, each.value) for each in helpers if not each.is_of_repository]
        return [("credential.helper", ""), *users]

    def _filters(self, level: Level, *, is_required: bool) -> dict[str, str]:
        overrides: dict[str, str] = {}
        for program in self.programs:
            if program.kind == FILTER and program.may_run:
                overrides |= with_search_paths(program, level)
            elif program.kind == FILTER:
                overrides |= disable_filter(program.name, is_required=is_required)
        return overrides

    def _unconfigured_hooks(self, level: Level) -> dict[str, str]:
        if level is Level.COMMITTING:
            return {}
        names = {
            each.name.removesuffix(".command") for each in self.programs if each.kind == "hook"
        }
        return {f"{name}.enabled": "false" for name in names}

    def signing(self) -> RatedProgram | None:
        """Return the program that would sign a commit and may not run; None if there is none."""
        return next((each for each in signing_programs(self) if not each.may_run), None)


def signing_programs(policy: ProgramPolicy) -> list[RatedProgram]:
    """Return the configured signing programs for a commit; none for git's default one."""
    is_signed = last_value(policy.settings, "commit.gpgsign")
    if is_signed is None or not is_signed.is_on:
        return []
    wanted = _signing_keys(policy.settings)
    return [each for each in policy.programs if each.kind == SIGNING and each.name in wanted]


async def program_policy(repository: Repository) -> ProgramPolicy:
    """Return the current policy of a repository.

    Raises:
        GitError: git's configuration can't be read.
    """
    listing = await read_configuration(repository)
    return await asyncio.to_thread(policy_of, repository, listing)


def policy_of(repository: Repository, listing: bytes) -> ProgramPolicy:
    """Compute the policy for a configuration; reads the user's permissions and named files."""
    settings = settings_in(repository, listing)
    return ProgramPolicy(settings, rated_programs(repository, settings))


def _transport(settings: Sequence[Setting]) -> dict[str, str]:
    """Return configuration that disables the repository's own programs for a fetch."""
    overrides: dict[str, str] = {}
    own = [each for each in settings if each.is_of_repository]
    users = [each for each in settings if not each.is_of_repository]
    for each in own:
        remote = _REMOTE_PROGRAM.fullmatch(each.key)
        if remote is not None:
            overrides[each.key] = _PLAIN_PROGRAM[remote[1]]
        elif each.key == "core.sshcommand":
            known = last_value(users, each.key)
            overrides[each.key] = known.value if known else "ssh"
        elif each.key == "core.alternaterefscommand":
            overrides[each.key] = "false"
    return overrides


def _signing_keys(settings: Sequence[Setting]) -> set[str]:
    chosen = last_value(settings, "gpg.format")
    form = chosen.value if chosen else "openpgp"
    keys = {f"gpg.{form}.program"}
    if form == "openpgp":
        keys.add("gpg.program")
    if form == "ssh" and last_value(settings, "user.signingkey") is None:
        keys.add("gpg.ssh.defaultkeycommand")
    return keys


async def allow(repository: Repository, kind: str, name: str, command: str) -> RatedProgram:
    """Allow a program to run in this repository as long as neither it nor its files change.

    Args:
        repository: the repository.
        kind: as listed.
        name: as listed.
        command: as shown to the user.

    Raises:
        NotFound: there is no such program.
        Conflict: its command has changed.
        Unsupported: it is never run, or its files can't be fingerprinted.
        AcError: the permission can't be stored.
    """
    program = await _find(repository, kind, name)
    if program.command != command:
        raise Conflict(
            f"The {kind} {name!r} has changed to the command {program.command!r}; check it again."
        )
    if program.kind not in RUNNABLE:
        raise Unsupported(f"The {kind} {name!r} is never run here; there is nothing to allow.")
    try:
        files = fingerprints(repository.root, fingerprinted_paths(program.files))
    except AcError as error:
        raise Unsupported(
            f"{error.message} So the {kind} {name!r} can't be allowed; let it name a file in a "
            "smaller folder, or configure it for all your repositories (`git config --global`)."
        ) from error
    except OSError as error:
        raise Unsupported(
            f"A file that the {kind} {name!r} names can't be read: {error.strerror}."
        ) from error
    await write_grant(repository, grant_name(kind, name), Grant(dict(program.commands), files))
    return await _find(repository, kind, name)


async def forbid(repository: Repository, kind: str, name: str) -> None:
    """Revoke a permission; idempotent.

    Raises:
        AcError: the file of permissions can't be written.
    """
    await write_grant(repository, grant_name(kind, name), None)


async def _find(repository: Repository, kind: str, name: str) -> RatedProgram:
    for program in (await program_policy(repository)).programs:
        if (program.kind, program.name) == (kind, name):
            return program
    raise NotFound(f"git's configuration names no {kind} {name!r} here; list the programs again.")
