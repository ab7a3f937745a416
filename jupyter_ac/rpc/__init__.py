"""The symmetric JSON-RPC 2.0 peer: both sides of a connection may call and be called.

Owns the codec, the messages, the state machine of a connection, the table of methods that are on
the wire, the one dispatch and its one exception boundary. Knows nothing of sockets, Jupyter or what
the methods do. `peer` is the only module that drives tasks and timers.
"""
