"""Applies edit blocks to files and to git's index."""
