"""The MCP server: a repository's tools for other agents, over standard input and output."""
