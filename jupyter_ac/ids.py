"""Names for the plain strings that identify things."""

from typing import NamedTuple, NewType

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


class ConversationKey(NamedTuple):
    """Where somebody talks: all connections at one seat share a conversation and a selection.

    Attributes:
        identity: the person; the history of all seats is theirs.
        aside: "" for the conversation that all the person's panels show; else a name for one
            beside it, such as a notebook's cells have.
    """

    identity: Identity
    aside: str = ""
