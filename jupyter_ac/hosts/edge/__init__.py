"""What both servers offer over plain HTTP beside the WebSocket."""
