"""Carrying edit blocks out on disk and in the index, and taking them back."""
