"""Agents of others that carry out tasks, by the Agent Client Protocol (ACP)."""
