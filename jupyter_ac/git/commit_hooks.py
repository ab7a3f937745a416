"""Finds the hooks and the signing program that a commit would run."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.git.configuration import Setting, last_value
from jupyter_ac.git.configured_programs import hooks_folder
from jupyter_ac.git.program_policy import ProgramPolicy, signing_programs
from jupyter_ac.git.repository import Repository

_HOOKS: Final = (
    *("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"),
    *("post-index-change", "reference-transaction", "pre-auto-gc"),
)
_COMMAND: Final = re.compile(r"hook\.(.+)\.command", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CommitHooks:
    """The programs that a commit runs.

    Attributes:
        hooks: names of the hooks that git would run.
        folder: their folder, for display; "" without hooks.
        commands: of hooks from the configuration, and of the signing program.
        refusal: why the commit would be refused; "" if it wouldn't.
    """

    hooks: list[str]
    folder: str
    commands: list[str]
    refusal: str = ""

    @property
    def is_any(self) -> bool:
        """Whether a hook would run."""
        return bool(self.hooks)


def commit_hooks(repository: Repository, policy: ProgramPolicy) -> CommitHooks:
    """Return what a commit would run at present; reads the hooks folder."""
    folder = Path(hooks_folder(repository, policy.settings))
    found = [name for name in _HOOKS if _is_program(folder / name)]
    configured = list(_configured(policy.settings))
    signing = signing_programs(policy)
    denied = policy.signing()
    return CommitHooks(
        hooks=[*found, *(name for name, _ in configured if name not in found)],
        folder=_shown(repository, folder) if found else "",
        commands=[*(command for _, command in configured), *(each.command for each in signing)],
        refusal="" if denied is None else denied.refusal,
    )


def _is_program(place: Path) -> bool:
    return place.is_file() and os.access(place, os.X_OK)


def _configured(settings: Sequence[Setting]) -> Iterator[tuple[str, str]]:
    """Yield the hooks that the configuration defines, for versions of git that support this."""
    for each in settings:
        match = _COMMAND.fullmatch(each.key)
        if match is None:
            continue
        enabled = last_value(settings, f"hook.{match[1]}.enabled")
        events = {one.value for one in settings if one.key == f"hook.{match[1]}.event"}
        if enabled is None or enabled.is_on:
            yield from ((event, each.value) for event in _HOOKS if event in events)


def _shown(repository: Repository, folder: Path) -> str:
    """Return a folder's path for display; paths outside the repository aren't disclosed."""
    for base, name in ((repository.root, ""), (repository.common_dir, ".git/")):
        if folder.is_relative_to(base):
            return f"{name}{folder.relative_to(base).as_posix()}"
    return "your own hooks folder (core.hooksPath)"
