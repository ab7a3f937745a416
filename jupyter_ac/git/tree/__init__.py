"""The file tree of a repository: scan, cache and serialization."""
