"""What the model is sent: blocks, the append-only log of them, and their cost."""
