"""The host's peer of a plugin: bounded, in the protocol that the plugin speaks."""

from collections.abc import Callable
from dataclasses import dataclass

from jupyter_ac.errors import RemoteError
from jupyter_ac.hosts.panels.plugin_calls import Grants, PluginMethods, PluginTable
from jupyter_ac.hosts.panels.plugin_transport import PluginTransport, QueueingTransport
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.dispatch import NO_GUARDS, CallGuards
from jupyter_ac.rpc.peer import Peer

CALL_S = 60.0
"""For a plugin's answer."""


@dataclass(frozen=True, slots=True)
class PluginRights:
    """For whom a plugin calls methods of the server, and which.

    Attributes:
        remote: the person.
        grants: what it can be granted.
        guards: the checks of its calls.
    """

    remote: Remote
    grants: Grants
    guards: CallGuards = NO_GUARDS


async def call_plugin(peer: Peer, method: str, *args: object) -> object:
    """Call a method of a plugin.

    Raises:
        RemoteError: it refused the call; with its sentence, also where the protocol has a fixed one
            in its place.
        AcError: it didn't answer, or has ended.
    """
    try:
        return await peer.call(method, *args)
    except RemoteError as error:
        reason = error.data.get("reason") if isinstance(error.data, dict) else None
        if not isinstance(reason, str):
            raise
        raise RemoteError(reason, error.remote_code, error.data) from error


def plugin_peer(
    inner: QueueingTransport,
    methods: PluginMethods,
    rights: PluginRights,
    on_text: Callable[[bytes], None],
    on_overflow: Callable[[], None] = lambda: None,
) -> tuple[Peer, PluginTable]:
    """Make the peer of a plugin; returns it with the table in which methods are granted.

    Args:
        inner: carries its frames; owned by the peer.
        methods: that it calls.
        rights: of the plugin.
        on_text: is given what isn't a message.
        on_overflow: called when too much is left unread: ends the other side.
    """
    table = PluginTable(methods, rights.grants)
    transport = PluginTransport(inner, on_text, on_overflow)
    peer = Peer(
        transport,
        table,
        profile=JSONRPC2,
        remote=rights.remote,
        timeout_s=CALL_S,
        guards=rights.guards,
    )
    return peer, table
