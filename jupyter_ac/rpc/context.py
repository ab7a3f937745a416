"""Who is calling: known to every method while it runs, without being an argument."""

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
    """Who sits at the other end of a connection.

    Attributes:
        identity: the person; `local` where there is only one.
        client: the page; "" when it gave no name.
        aside: which conversation of that person's; see `ConversationKey`.
    """

    identity: Identity = _LOCAL
    client: ClientId = _UNNAMED
    aside: str = ""

    @property
    def seat(self) -> ConversationKey:
        """The conversation that the connection takes part in."""
        return ConversationKey(self.identity, self.aside)


@dataclass(frozen=True, slots=True)
class Caller:
    """The person, the page and the connection from which a call came."""

    identity: Identity
    client: ClientId
    peer: "Peer"
    aside: str = ""

    @property
    def seat(self) -> ConversationKey:
        """The conversation that the call is about."""
        return ConversationKey(self.identity, self.aside)


CALLER: Final[ContextVar[Caller]] = ContextVar("jupyter_ac_caller")
"""Set by the dispatch for each call, tasks of the call included."""


def is_called() -> bool:
    """Say whether this runs inside a remote call."""
    return CALLER.get(None) is not None


def current_caller() -> Caller:
    """Give the caller of the method that is running.

    Raises:
        NotReady: no call is being served here.
    """
    caller = CALLER.get(None)
    if caller is None:
        raise NotReady("there is no caller: this does not run inside a remote call")
    return caller
