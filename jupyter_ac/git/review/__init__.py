"""Reviewing a branch: start, end, and the journal for recovery."""
