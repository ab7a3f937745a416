"""Keeps the index of one working tree up to date: lists, reads, parses and caches files.

Records are cached on the machine by content hash, so that each content is parsed only once.
"""
