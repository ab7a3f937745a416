"""The tree of a repository's files: looked at, kept, and spelt for the wire."""
