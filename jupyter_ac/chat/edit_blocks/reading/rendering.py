"""Renders an edit block in the format that a model writes."""

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edit_blocks.reading.markers import SQUARES, Family
from jupyter_ac.chat.edit_blocks.reading.path_line import path_of


def render(block: EditBlock, family: Family = SQUARES) -> str:
    """Return the text of a block; `parse` gives it back, but for its number and spans.

    Lines that are markers of the family can't be written.
    """
    lines = [_path_line(block.path)] if block.path else []
    lines.append(family.opener(block.kind))
    if block.kind is BlockKind.EDIT:
        lines += [*block.old, family.middle, *block.new]
    elif block.new_path:
        lines.append(_path_line(block.new_path))
    lines.append(family.close)
    # A line that ends in CR keeps it only ahead of another.
    end = "\r\n" if any(line.endswith("\r") for line in lines) else "\n"
    return "".join(line + end for line in lines)


def _path_line(path: str) -> str:
    """Return a line that names a path whether or not the file is there."""
    if path_of(path, lambda _: False) == path:
        return path
    ticks = "``" if "`" in path else "`"
    return f"{ticks}{path}{ticks}"
