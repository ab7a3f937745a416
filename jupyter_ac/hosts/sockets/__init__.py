"""What all of our WebSocket servers have in common, whoever runs the tornado application."""
