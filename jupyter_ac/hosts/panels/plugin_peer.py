"""The host's peer of a plugin: bounded, in the protocol that the plugin speaks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import RemoteError
from jupyter_ac.hosts.panels.plugin_calls import Grants, PluginMethods, PluginTable
from jupyter_ac.hosts.panels.plugin_transport import PluginTransport, QueueingTransport
from jupyter_ac.panels.kkrpc_transport import CALL_TIMEOUT_S, KkrpcTransport
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.dispatch import NO_GUARDS, CallGuards
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.settings.panels import JSON_RPC, KKRPC

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


@dataclass(frozen=True, slots=True)
class PluginWire:
    """How a plugin's messages come.

    Attributes:
        protocol: `json-rpc` or `kkrpc`.
        is_socket: in those of a WebSocket, not in lines of a pipe.
    """

    protocol: str = JSON_RPC
    is_socket: bool = False


PIPE: Final = PluginWire()
"""Of most plugins."""


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
    wire: PluginWire = PIPE,
) -> tuple[Peer, PluginTable]:
    """Make the peer of a plugin; returns it with the table in which methods are granted.

    Args:
        inner: carries its frames; owned by the peer.
        methods: that it calls.
        rights: of the plugin.
        on_text: is given what isn't a message.
        on_overflow: called when too much is left unread: ends the other side.
        wire: how its messages come.
    """
    table = PluginTable(methods, rights.grants)
    transport: KkrpcTransport | PluginTransport
    if wire.protocol == KKRPC:
        transport = KkrpcTransport(
            PluginTransport(inner, None, on_overflow),
            is_socket=wire.is_socket,
            on_text=lambda text: on_text(text.encode()),
        )
    else:
        transport = PluginTransport(inner, on_text, on_overflow)
    peer = Peer(
        transport,
        table,
        profile=JSONRPC2,
        remote=rights.remote,
        timeout_s=CALL_TIMEOUT_S if wire.protocol == KKRPC else CALL_S,
        guards=rights.guards,
    )
    return peer, table
