"""The symmetric JSON-RPC 2.0 peer: both sides of a connection may call and be called.

Contains the codec, the messages, the state machine of a connection, the method table, the dispatch
and its exception boundary. Knows nothing of sockets, Jupyter or the methods' purpose. `peer` is the
only module that runs tasks and timers.
"""
