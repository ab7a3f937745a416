"""Loads our own prompts from their files."""

from functools import cache
from importlib import resources


@cache
def template(name: str) -> str:
    """Return the text of a file in `templates/`, without the blanks at its ends."""
    folder = resources.files("jupyter_ac.chat.prompt") / "templates"
    return (folder / name).read_text(encoding="utf-8").strip()
