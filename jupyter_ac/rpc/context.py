"""The caller of the running method, in a context variable."""

from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jupyter_ac.errors import NotReady
from jupyter_ac.ids import ClientId, ConversationKey, Identity

if TYPE_CHECKING:
    from jupyter_ac.rpc.peer import Peer


_LOCAL: Final = Identity("local")
_UNNAMED: Final = ClientId("")


@dataclass(frozen=True, slots=True)
class Remote:
    """The other end of a connection.

    Attributes:
        identity: the person; `local` if there is only one.
        client: the page; "" if it gave no name.
        aside: selects one of the person's conversations; see `ConversationKey`.
        has_login: False where the host asks for no token, so that anybody may be there.
        signs: whether its messages are signed where the host asks for that; a panel can't.
    """

    identity: Identity = _LOCAL
    client: ClientId = _UNNAMED
    aside: str = ""
    has_login: bool = True
    signs: bool = True

    @property
    def conversation_key(self) -> ConversationKey:
        """The key of the connection's conversation."""
        return ConversationKey(self.identity, self.aside)


@dataclass(frozen=True, slots=True)
class Caller:
    """The person, the page and the connection of a call."""

    identity: Identity
    client: ClientId
    peer: "Peer"
    aside: str = ""
    has_login: bool = True
    signs: bool = True

    @property
    def conversation_key(self) -> ConversationKey:
        """The key of the conversation that the call belongs to."""
        return ConversationKey(self.identity, self.aside)


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
