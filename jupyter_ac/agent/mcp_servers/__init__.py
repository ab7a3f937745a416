"""MCP servers of the user, whose tools a run may call."""
