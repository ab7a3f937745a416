"""Compaction: what is taken out of the prompt log of a long conversation, when, and by whom."""
