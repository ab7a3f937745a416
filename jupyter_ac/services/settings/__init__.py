"""The `Settings` namespace: RPC methods that read and change the configuration."""
