"""Undoes edits: all of a turn, those of a file, or single ones."""
