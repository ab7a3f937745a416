"""RPC methods for the tests of a repository."""
