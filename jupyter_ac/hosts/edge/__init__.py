"""HTTP doors beside the WebSocket, shared by both servers: POST and server-sent events."""
