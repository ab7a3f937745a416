"""The names of the tools that only the MCP server has; administrators may switch them off, too."""

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
"""The agent's tools that the server offers."""

OWN: Final = (
    "map",
    "context_breakdown",
    "edit_files",
    "undo_edit",
    "create_plan",
    "get_plan",
    "list_plans",
)
