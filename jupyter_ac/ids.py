"""Named types for string identifiers."""

import secrets
import string
import time
from typing import Final, NamedTuple, NewType

RequestId = NewType("RequestId", str)
"""A chat turn: `{epoch milliseconds}-{6 lower-case alphanumerics}`, created by the front end."""

SessionId = NewType("SessionId", str)
"""A conversation in the history: `sess_{epoch milliseconds}_{6 hex digits}`."""

ClientId = NewType("ClientId", str)
"""A page; survives a reload (stored in the page's session storage)."""

Identity = NewType("Identity", str)
"""A person: Jupyter's user name, or `local` if there is only one."""

RepoPath = NewType("RepoPath", str)
"""A path relative to the repository's root, `/` between segments, validated."""


OPENED: Final = "opened"
"""What stands in `aside` of a session that was used last in a conversation opened by its id."""


class ConversationKey(NamedTuple):
    """Identifies a conversation; connections with the same key share it and its selection.

    Attributes:
        identity: the person; the history contains the conversations of all the person's keys.
        aside: "" for the conversation that all the person's panels show; otherwise the name of a
            separate one, for example of a notebook's cells.
        opened: "" unless it is one that a page has opened beside that of all panels; then the
            session in which it began, and a number if another one has begun there, too. Such a
            conversation is used and kept as that of all panels.
    """

    identity: Identity
    aside: str = ""
    opened: str = ""

    @property
    def column(self) -> str:
        """What is stored with its sessions: "" where they are those of all panels."""
        return OPENED if self.opened else self.aside

    @property
    def holder(self) -> Identity:
        """The name under which a process notes that it shows the conversation's session."""
        return Identity(f"{self.identity}\nopened {self.opened}") if self.opened else self.identity

    @property
    def first_session(self) -> SessionId:
        """The session in which an opened conversation began."""
        return SessionId(self.opened.partition("/")[0])


def context_name(identity: Identity, session_id: SessionId) -> Identity:
    """Return the name under which the ticks and pages of an opened conversation are stored."""
    return Identity(f"{identity}\nsession {session_id}")


_LETTERS: Final = string.ascii_lowercase + string.digits


def new_request_id() -> RequestId:
    """Return an id for a turn that no front end has begun."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(6))
    return RequestId(f"{time.time_ns() // 1_000_000}-{letters}")
