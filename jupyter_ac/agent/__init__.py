"""Tools that a model calls in a turn: definitions, rights, approvals, limits, the sandbox."""
