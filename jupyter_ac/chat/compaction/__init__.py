"""Compaction: removes old talk and file copies from the prompt log of a long conversation."""
