"""The Jupyter server as host: the extension, its WebSocket, and its few HTTP routes."""
