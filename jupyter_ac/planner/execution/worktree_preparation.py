"""Brings into the worktree of a task what git doesn't have: links, and what a command makes."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from jupyter_ac.agent.commands.command import CommandRunner
from jupyter_ac.agent.commands.command_line import split_command
from jupyter_ac.agent.commands.sandbox import Sandbox
from jupyter_ac.errors import InvalidParams, NotReady
from jupyter_ac.git.repository import Repository
from jupyter_ac.os_errors import explained_os_error

SETUP_LIMIT_S: Final = 1800.0
MAX_SHOWN: Final = 2_000

_REFUSED: Final = frozenset({"", ".", "..", ".git"})


def link_paths(names: Sequence[str]) -> tuple[str, ...]:
    """Return the paths of the setting `plans.worktree_links`, each once.

    Raises:
        InvalidParams: one leads out of the repository, or is git's own.
    """
    found: dict[str, None] = {}
    for name in names:
        parts = name.strip("/").split("/")
        if name.startswith("/") or "\\" in name or not _REFUSED.isdisjoint(parts):
            raise InvalidParams(
                f"plans.worktree_links names {name[:100]!r}; name files and folders below the "
                "repository's top folder."
            )
        found["/".join(parts)] = None
    return tuple(found)


async def link(user: Repository, worktree: Repository, names: Sequence[str]) -> tuple[str, ...]:
    """Make links in a worktree to files and folders of the user's, those that exist there.

    What the worktree has itself, since git has it, stays.

    Args:
        user: the repository as the user has it.
        worktree: of a task.
        names: as of `link_paths`.

    Returns:
        the paths of the links.

    Raises:
        AcError: the disk refuses.
    """
    try:
        return await asyncio.to_thread(_link, user.root, worktree.root, names)
    except OSError as error:
        raise explained_os_error(error, "The worktree of a task") from error


def _link(user: Path, worktree: Path, names: Sequence[str]) -> tuple[str, ...]:
    made: list[str] = []
    for name in names:
        target, place = user / name, worktree / name
        if not os.path.lexists(target) or os.path.lexists(place):
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(os.path.realpath(target))
        made.append(name)
    return tuple(made)


async def set_up(worktree: Repository, command: str, environ: Mapping[str, str]) -> None:
    """Run the command that the user has allowed for worktrees, in one of them.

    It runs outside of the sandbox, with an environment without keys: it usually installs packages.

    Args:
        worktree: of a task.
        command: program and arguments, without a shell.
        environ: of this process.

    Raises:
        NotReady: it didn't succeed; the message has the end of its output.
        AcError: it can't be started.
    """
    runner = CommandRunner(worktree.root, Sandbox(worktree, environ), environ)
    outcome = await runner.run(split_command(command), sandboxed=False, limit_s=SETUP_LIMIT_S)
    if outcome.exit_code != 0:
        said = outcome.output.strip()[-MAX_SHOWN:]
        raise NotReady(f"The command of plans.worktree_setup has failed ({command}): {said}")
