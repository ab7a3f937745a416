"""How a plugin's process is started."""

import sys
from dataclasses import dataclass
from pathlib import Path

from jupyter_ac.settings.panels import JSON_RPC


@dataclass(frozen=True, slots=True)
class PluginCommand:
    """How a plugin's process is started.

    Attributes:
        name: of the plugin, for messages.
        argv: the program and its arguments.
        protocol: `json-rpc` or `kkrpc`.
    """

    name: str
    argv: tuple[str, ...]
    protocol: str = JSON_RPC


def installed_command(name: str) -> PluginCommand:
    """Return the command that runs a panel of an installed package."""
    return PluginCommand(name, (*_panel(), "--entry-point", name))


def file_command(path: Path) -> PluginCommand:
    """Return the command that runs the panel in a file."""
    return PluginCommand(path.stem, (*_panel(), "--stdio", str(path)))


def file_panel_id(command: PluginCommand) -> str:
    """Return the id by which a server lists the panel of a file."""
    return f"file/{command.name}"


def _panel() -> tuple[str, ...]:
    # Not with the working directory on the path: a repository's modules could take the place of
    # others.
    return (sys.executable, "-P", "-m", "jupyter_ac", "panel")
