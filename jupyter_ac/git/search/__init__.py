"""Searching the text of the files."""
