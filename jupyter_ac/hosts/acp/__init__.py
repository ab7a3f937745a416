"""The engine as an agent of editors, by the Agent Client Protocol, over standard streams."""
