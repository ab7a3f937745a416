"""The graph in memory: resolved names and references between files, updated incrementally."""
