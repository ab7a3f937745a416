"""Hearing of what others change in the folders."""
