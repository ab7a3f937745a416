"""Extracts a file's record from its bytes, with tree-sitter."""
