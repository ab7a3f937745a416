"""Builds the git configuration that prevents programs from running without permission.

Entries from the environment override every configuration file, so this module alone decides what
git starts.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.git.configuration import Setting, last_value, read_configuration, settings_in
from jupyter_ac.git.configured_programs import FILTER, SIGNING
from jupyter_ac.git.environment import Level
from jupyter_ac.git.filter_commands import disable_filter, is_missing, with_search_paths
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
