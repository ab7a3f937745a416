"""The configuration that keeps programs from running which may not, command by command.

Entries from the environment are stronger than every file of configuration, so what git starts is
decided here and nowhere else.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.git.configuration import Setting, last_value, read_configuration, settings_in
from jupyter_ac.git.configured_programs import FILTER, SIGNING
from jupyter_ac.git.environment import Level
from jupyter_ac.git.filter_commands import is_missing, prepared, switched_off
from jupyter_ac.git.rated_programs import RatedProgram, rated_programs
from jupyter_ac.git.repository import Repository

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
    """What may run in one repository, at one moment.

    Attributes:
        settings: git's configuration.
        programs: all that it names.
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
        """Return configuration under which a look runs only filters of the user's own.

        A look holds no lock, so that a file of a filter that is allowed here could change after it
        was compared and before git starts it. Without it files may look changed that aren't.
        """
        overrides: dict[str, str] = {}
        for program in self.programs:
            # git would say nothing about any file for one that isn't installed.
            if program.kind == FILTER and (program.state != "trusted" or is_missing(program)):
                overrides |= switched_off(program.name, is_required=False)
        # Where only that is configured, git would say nothing about any file either.
        return {**self._not_required(), **overrides}

    def _not_required(self) -> dict[str, str]:
        known = {each.name for each in self.programs if each.kind == FILTER}
        found = ((each.key, _REQUIRED.fullmatch(each.key)) for each in self.settings)
        return {key: "false" for key, match in found if match and match[1] not in known}

    def changing(self, level: Level, *, strict: bool) -> dict[str, str]:
        """Return configuration under which a change runs only what may run.

        Args:
            level: what the command may start otherwise.
            strict: git fails at a file whose filter may not run, rather than to take or make it
                without the filter.
        """
        overrides = self._filters(is_required=strict, level=level)
        return overrides | _transport(self.settings) | self._unconfigured_hooks(level)

    def credentials(self) -> list[tuple[str, str]]:
        """Return the entries that leave of the credential helpers only those of the user."""
        helpers = [each for each in self.settings if _HELPER.fullmatch(each.key)]
        if not any(each.is_of_repository for each in helpers):
            return []
        kept = [(each.key, each.value) for each in helpers if not each.is_of_repository]
        return [("credential.helper", ""), *kept]

    def _filters(self, level: Level, *, is_required: bool) -> dict[str, str]:
        overrides: dict[str, str] = {}
        for program in self.programs:
            if program.kind == FILTER and program.may_run:
                overrides |= prepared(program, level)
            elif program.kind == FILTER:
                overrides |= switched_off(program.name, is_required=is_required)
        return overrides

    def _unconfigured_hooks(self, level: Level) -> dict[str, str]:
        if level is Level.COMMITTING:
            return {}
        names = {
            each.name.removesuffix(".command") for each in self.programs if each.kind == "hook"
        }
        return {f"{name}.enabled": "false" for name in names}

    def signing(self) -> RatedProgram | None:
        """Return the program that would sign a commit and may not run; None when there is none."""
        return next((each for each in signing_programs(self) if not each.may_run), None)


def signing_programs(policy: ProgramPolicy) -> list[RatedProgram]:
    """Return the configured programs that would sign a commit; none for git's default one."""
    is_signed = last_value(policy.settings, "commit.gpgsign")
    if is_signed is None or not is_signed.is_on:
        return []
    wanted = _signing_keys(policy.settings)
    return [each for each in policy.programs if each.kind == SIGNING and each.name in wanted]


async def program_policy(repository: Repository) -> ProgramPolicy:
    """Return what may run in a repository now.

    Raises:
        GitError: git's configuration can't be read.
    """
    listing = await read_configuration(repository)
    return await asyncio.to_thread(policy_of, repository, listing)


def policy_of(repository: Repository, listing: bytes) -> ProgramPolicy:
    """Return what may run under a configuration; reads the user's permissions and named files."""
    settings = settings_in(repository, listing)
    return ProgramPolicy(settings, rated_programs(repository, settings))


def _transport(settings: Sequence[Setting]) -> dict[str, str]:
    """Return what keeps a fetch from the programs that the repository's configuration names."""
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
