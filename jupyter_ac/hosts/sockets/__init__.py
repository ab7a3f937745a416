"""The parts that all our WebSocket servers share, in any tornado application."""
