"""Bidirectional JSON-RPC with objects: the public API of upstream's `jrpc_oo`, on our own peer.

    server = JRPCServer(18080)
    server.add_class(Repo())          # its public methods are on the wire as Repo.<method>
    await server.start()
    await server.call["AcApp.filesChanged"](["a.py"])   # every remote: {uuid: value}

    client = JRPCClient("ws://127.0.0.1:18080")
    running = asyncio.create_task(client.connect())     # runs until the connection ends
    tree = await client.server["Repo.get_file_tree"]()  # the bare value

docs/jrpc-oo.md has the rules and the differences to upstream.
"""

from jupyter_ac.jrpc_oo.client import JRPCClient
from jupyter_ac.jrpc_oo.server import JRPCServer

__all__ = ["JRPCClient", "JRPCServer"]
