"""Keeps the index of one working tree up to date: lists, reads, has parsed, remembers.

What was parsed is kept on the machine by the hash of its content, so that only what is new
anywhere is parsed.
"""
