"""The wire's benchmark: the peer under test, the bare echo beside it, the client in node."""
