"""The prompt: blocks, the append-only log of them, and their cost."""
