"""Settings for the panels that the user starts by commands of their own."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.settings.schema import SettingsText, described

JSON_RPC: Final = "json-rpc"
KKRPC: Final = "kkrpc"

MAX_COMMANDS: Final = 50

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._ -]{0,63}")


@dataclass(frozen=True, slots=True)
class PanelCommand:
    """A program that is a plugin."""

    command: tuple[str, ...] = field(
        metadata=described("Command", "The program and its arguments; no shell.", most=50)
    )
    protocol: str = field(
        default=JSON_RPC,
        metadata=described(
            "Protocol",
            "What it speaks on its standard input and output.",
            words=(JSON_RPC, KKRPC),
        ),
    )


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """Settings for panels."""

    commands: Mapping[str, PanelCommand] = field(
        default_factory=dict,
        metadata=described(
            "Commands of panels", "Programs that are panels, by the names that you see."
        ),
    )


def check_panels(panels: PanelSettings, source: SettingsText) -> None:
    """Check what the types can't say.

    Raises:
        BrokenSettings: a name can't be typed, a command has no program, or there are too many.
    """
    if len(panels.commands) > MAX_COMMANDS:
        raise source.error_at(("panels", "commands"), f"is too long; {MAX_COMMANDS} are allowed.")
    for name, one in panels.commands.items():
        keys = ("panels", "commands", name)
        if _NAME.fullmatch(name) is None:
            raise source.error_at(
                keys, "must be named by letters, digits, spaces, `.`, `_` and `-`, at most 64."
            )
        if not (one.command and one.command[0].strip()):
            raise source.error_at((*keys, "command"), 'must name a program: ["node", "/…/p.mjs"].')
        if any("\0" in part for part in one.command):
            raise source.error_at((*keys, "command"), "must be texts without a NUL character.")
