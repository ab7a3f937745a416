"""The `Repo` namespace: RPC methods for the repository."""
