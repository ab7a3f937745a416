"""The names of the tools that the MCP server offers; administrators may switch each off."""

from typing import Final

READING: Final = (
    "read_file",
    "list_files",
    "search",
    "find_symbol",
    "references",
    "outline",
    "git_diff",
    "git_log",
    "read_cell",
)
"""Of the agent."""

OWN: Final = (
    "map",
    "context_breakdown",
    "edit_files",
    "undo_edit",
    "create_plan",
    "get_plan",
    "list_plans",
)
"""That the agent lacks."""
