"""Parses the edit blocks of an answer."""
