"""The caller of the running method, in a context variable."""

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jupyter_ac.errors import NotReady
from jupyter_ac.ids import ClientId, ConversationKey, Identity

if TYPE_CHECKING:
    from jupyter_ac.rpc.peer import Peer


_LOCAL: Final = Identity("local")
_UNNAMED: Final = ClientId("")


@dataclass(slots=True)
class Opened:
    """Which conversation a client has opened; all connections of the client share this object.

    Attributes:
        name: as in `ConversationKey.opened`; "" for that of all the person's panels.
    """

    name: str = ""


@dataclass(frozen=True, slots=True)
class Remote:
    """The other end of a connection.

    Attributes:
        identity: the person; `local` if there is only one.
        client: the page; "" if it gave no name.
        aside: selects one of the person's conversations; see `ConversationKey`.
        has_login: False where the host asks for no token, so that anybody may be there.
        signs: whether its messages are signed where the host asks for that; a panel can't.
        opened: the conversation that it has opened.
    """

    identity: Identity = _LOCAL
    client: ClientId = _UNNAMED
    aside: str = ""
    has_login: bool = True
    signs: bool = True
    opened: Opened = field(default_factory=Opened)

    @property
    def conversation_key(self) -> ConversationKey:
        """The key of the connection's conversation at this moment."""
        return ConversationKey(self.identity, self.aside, self.opened.name)

    def caller(self, peer: "Peer") -> "Caller":
        """Return the caller of the calls that come over its connection."""
        return Caller(
            self.identity,
            self.client,
            peer,
            self.aside,
            has_login=self.has_login,
            signs=self.signs,
            opened=self.opened,
        )


@dataclass(frozen=True, slots=True)
class Caller:
    """The person, the page and the connection of a call."""

    identity: Identity
    client: ClientId
    peer: "Peer"
    aside: str = ""
    has_login: bool = True
    signs: bool = True
    opened: Opened = field(default_factory=Opened)

    @property
    def conversation_key(self) -> ConversationKey:
        """The key of the conversation that the call belongs to."""
        return ConversationKey(self.identity, self.aside, self.opened.name)


CALLER: Final[ContextVar[Caller]] = ContextVar("jupyter_ac_caller")
"""Set by the dispatch for each call, including its tasks."""


def is_called() -> bool:
    """Return whether this code runs inside a remote call."""
    return CALLER.get(None) is not None


def current_caller() -> Caller:
    """Return the caller of the running method.

    Raises:
        NotReady: this code doesn't run inside a remote call.
    """
    caller = CALLER.get(None)
    if caller is None:
        raise NotReady("there is no caller: this does not run inside a remote call")
    return caller
