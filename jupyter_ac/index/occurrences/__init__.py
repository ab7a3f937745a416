"""Occurrences of names in the code of one file, parsed on demand and not cached."""
