"""`jupyter ac grants`: the commands and servers that agents may start, and taking them back."""

import asyncio
import os
import shlex
from argparse import Namespace
from collections.abc import Sequence

from jupyter_ac.agent.commands.command_line import split_command
from jupyter_ac.agent.grant_store import GrantStore
from jupyter_ac.agent.mcp_servers.pin_store import PinStore
from jupyter_ac.errors import AcError, InvalidParams
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.command import WrongUsage
from jupyter_ac.hosts.cli.path_arguments import absolute
from jupyter_ac.hosts.cli.signals import INTERRUPTING, until_signal
from jupyter_ac.hosts.tool_questions import visible
from jupyter_ac.settings.paths import config_dir
from jupyter_ac.terminal import terminal_text


def run(options: Namespace) -> int:
    """Take back what is named, or list what is allowed for the repository."""
    return asyncio.run(until_signal(_run(options), INTERRUPTING))


async def _run(options: Namespace) -> int:
    folder, repository = config_dir(os.environ), await discover(absolute(options.repo))
    store, servers = GrantStore(folder, repository), PinStore(folder, repository)
    if not options.revoke and not options.revoke_server:
        await _list(store)
        await _list_servers(servers)
        return exit_codes.DONE
    for name in options.revoke_server:
        await servers.revoke(name)
        print(f"Agents ask again before the MCP server: {visible(name)}")
    stored = await store.read()
    by_line = {_listed(grant.prefix): grant.prefix for grant in stored.grants}
    for words in [by_line.get(line.strip()) or _command(line) for line in options.revoke]:
        await store.remove(words)
        print(f"Agents ask again before: {_listed(words)}")
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
        print(f"{grant.granted_at or 'unknown date':25}  {_listed(grant.prefix)}")


async def _list_servers(servers: PinStore) -> None:
    """Print a line for each MCP server of the repository that may be started."""
    for name, pin in sorted((await servers.of_repository()).items()):
        print(f"{f'MCP server {visible(name)}':25}  {visible(pin.line)}")


def _listed(words: Sequence[str]) -> str:
    r"""Write a command as it is listed: a word that can't be shown as it is as `$'\x1b'`."""
    return " ".join(
        shlex.quote(word) if terminal_text(word) == word and "\n" not in word else _escaped(word)
        for word in words
    )


def _escaped(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{visible(escaped)}'"


def _command(line: str) -> Sequence[str]:
    try:
        return split_command(line)
    except InvalidParams as error:
        raise WrongUsage(f"--revoke: {error.message}") from error
