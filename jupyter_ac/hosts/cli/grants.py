"""`jupyter ac grants`: the commands that agents may run from now on, and taking them back."""

import asyncio
import os
import shlex
from argparse import Namespace
from collections.abc import Sequence

from jupyter_ac.agent.commands.command_line import split_command
from jupyter_ac.agent.grant_store import GrantStore
from jupyter_ac.errors import AcError, InvalidParams
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.command import WrongUsage
from jupyter_ac.hosts.cli.path_arguments import absolute
from jupyter_ac.hosts.cli.signals import INTERRUPTING, until_signal
from jupyter_ac.settings.paths import config_dir


def run(options: Namespace) -> int:
    """Take back what is named, or list what is allowed for the repository."""
    revoked = _commands(options.revoke)
    return asyncio.run(until_signal(_run(options, revoked), INTERRUPTING))


async def _run(options: Namespace, revoked: Sequence[Sequence[str]]) -> int:
    store = GrantStore(config_dir(os.environ), await discover(absolute(options.repo)))
    for words in revoked:
        await store.remove(words)
        print(f"Agents ask again before: {shlex.join(words)}")
    if not revoked:
        await _list(store)
    return exit_codes.DONE


async def _list(store: GrantStore) -> None:
    """Print a line for each permission.

    Raises:
        AcError: the file can't be used.
    """
    stored = await store.read()
    if stored.problem:
        raise AcError(stored.problem)
    if not stored.grants:
        print("No command is allowed from now on in this repository; agents ask for each.")
    for grant in stored.grants:
        print(f"{grant.granted_at or 'unknown date':25}  {shlex.join(grant.prefix)}")


def _commands(lines: Sequence[str]) -> list[Sequence[str]]:
    try:
        return [split_command(line) for line in lines]
    except InvalidParams as error:
        raise WrongUsage(f"--revoke: {error.message}") from error
