"""Conversations on disk: sessions, turns, messages and the exact blocks that were sent."""
