"""Finds a block's old text in a file, and diagnoses why it is missing."""
