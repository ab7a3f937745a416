"""What shortening a log needs from outside."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.errors import Unsupported
from jupyter_ac.ids import SessionId
from jupyter_ac.settings.app import AppSettings


class Removals(Protocol):
    """Where it is kept what was taken out of the logs; raises `AcError` when the disk fails."""

    async def keep(self, session_id: SessionId, removal: Removal, revision: int | None) -> None:
        """Keep one more removal; raises the session's revision by one.

        Raises:
            NotFound: there is no such session.
            Conflict: the session is no longer at `revision`.
        """


class NoRemovals:
    """For workspaces without a history."""

    async def keep(self, session_id: SessionId, removal: Removal, revision: int | None) -> None:
        """Refuse.

        Raises:
            Unsupported: always.
        """
        raise Unsupported(f"{removal.case} of {session_id} at {revision} can't be kept here.")


def _ours() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class LogPorts:
    """What decides on the length of the logs.

    Attributes:
        removals: where it is kept what was taken out.
        settings: the user's, as they are in force.
        instructions: the user's prompt for compaction, "" for ours.
    """

    removals: Removals = field(default_factory=NoRemovals)
    settings: Callable[[], AppSettings] = AppSettings
    instructions: Callable[[], str] = _ours
