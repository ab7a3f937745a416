"""The host's peer of a plugin."""

import pytest

from jupyter_ac.errors import ConnectionClosed, InvalidParams, RemoteError
from jupyter_ac.hosts.panels.plugin_calls import PluginMethods
from jupyter_ac.hosts.panels.plugin_peer import call_plugin, plugin_peer
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.direct import DirectTransport
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.rpc.peer import Peer
from tests.hosts.panels.plugin_programs import rights
from tests.rpc.pairs import running


class CountingTransport(DirectTransport):
    queued_bytes = 0


def refuse() -> None:
    raise InvalidParams("colorScheme must be light or dark.")


async def test_what_a_plugin_says_of_a_refusal_is_kept() -> None:
    ours, theirs = CountingTransport(), DirectTransport()
    ours.join(theirs)
    theirs.join(ours)
    texts: list[bytes] = []
    host, _table = plugin_peer(ours, PluginMethods(lambda *_: None), rights(), texts.append)
    methods = {"refuse": Method.of("refuse", refuse, Access.READ)}
    plugin = Peer(theirs, methods, profile=JSONRPC2)
    async with running(host, plugin):
        theirs.send("printed")
        with pytest.raises(RemoteError, match="colorScheme must be"):
            await call_plugin(host, "refuse")
        with pytest.raises(RemoteError, match="no method missing"):
            await call_plugin(host, "missing")
        assert texts == [b"printed"]
    with pytest.raises(ConnectionClosed):
        await call_plugin(host, "refuse")
