"""Names for the plain strings that identify things."""

from typing import NewType

RequestId = NewType("RequestId", str)
"""One chat turn: `{epoch milliseconds}-{6 lower-case alphanumerics}`, made by the front end."""

SessionId = NewType("SessionId", str)
"""One conversation in the history: `sess_{epoch milliseconds}_{6 hex digits}`."""

ClientId = NewType("ClientId", str)
"""One page; survives a reload (kept in the page's session storage)."""

Identity = NewType("Identity", str)
"""One person: Jupyter's user name, or `local` where there is only one."""

RepoPath = NewType("RepoPath", str)
"""A path relative to the repository's root, `/` between segments, already checked."""
