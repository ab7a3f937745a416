"""Settings for what carries out tasks of plans, beside this program's own agent."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.settings.schema import SettingsText, described

OWN_AGENT: Final = "agent"
"""The executor that is this program's own agent; there is always this one."""

ACP: Final = "acp"
DASK: Final = "dask"

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(=[^\0]*)?")
_SHOWN: Final = {"most": 50}


@dataclass(frozen=True, slots=True)
class ExecutorSettings:
    """An executor of tasks; all but name and kind are of `acp` only."""

    name: str = field(metadata=described("Name", "By which plans name it.", most=40))
    kind: str = field(
        metadata=described(
            "Kind",
            "`acp`: an agent that speaks the Agent Client Protocol; `dask`: this program's own "
            "agent on the machines of a Dask cluster.",
            words=(ACP, DASK),
        )
    )
    command: tuple[str, ...] = field(
        default=(),
        metadata=described("Command", "The agent's program and its arguments; no shell.", **_SHOWN),
    )
    env: tuple[str, ...] = field(
        default=(),
        metadata=described(
            "Variables", "`NAME` passes the server's variable on, `NAME=value` sets it.", **_SHOWN
        ),
    )
    shows: tuple[str, ...] = field(
        default=(),
        metadata=described(
            "Shown files", "Files and folders that the agent sees, read-only.", **_SHOWN
        ),
    )
    network: bool = field(default=True, metadata=described("Network", "It may use the network."))
    sandbox: bool = field(
        default=True,
        metadata=described(
            "Sandbox", "Off: it runs outside of the sandbox, also where there is one."
        ),
    )


def check_executors(executors: Sequence[ExecutorSettings], source: SettingsText) -> None:
    """Check what the types can't say.

    Raises:
        BrokenSettings: a name is taken or can't be typed, an agent has no command, or a variable no
            name.
    """
    taken = {OWN_AGENT}
    for at, one in enumerate(executors):
        keys = ("executors", at)
        if _NAME.fullmatch(one.name) is None:
            raise source.error_at(
                (*keys, "name"),
                "must be letters, digits, `.`, `_` and `-`, a letter or digit first.",
            )
        if one.name in taken:
            raise source.error_at((*keys, "name"), f"{one.name!r} is taken; choose another one.")
        taken.add(one.name)
        if one.kind == ACP and not (one.command and one.command[0].strip()):
            raise source.error_at((*keys, "command"), 'must name a program: ["claude-code-acp"].')
        for entry, text in enumerate(one.env):
            if _VARIABLE.fullmatch(text) is None:
                raise source.error_at((*keys, "env", entry), "must be NAME or NAME=value.")
