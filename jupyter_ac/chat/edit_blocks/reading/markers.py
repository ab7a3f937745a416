"""The lines that open, split and close an edit block, in both families; also to render a block."""

from dataclasses import dataclass

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edit_blocks.reading.path_line import path_of


@dataclass(frozen=True, slots=True)
class Family:
    """Markers that belong together; a block opens, splits and closes in one family.

    Lines are compared without the blanks around them.

    Attributes:
        openers: line → what a block that it opens asks for.
        middle: between old and new text.
        middle_start: any line that begins so is a middle too; "" for none.
        close: ends the block.
        is_freely_named: a heading, a comment or a sentence ahead of a block may name its file.
    """

    openers: dict[str, BlockKind]
    middle: str
    close: str
    middle_start: str = ""
    is_freely_named: bool = False

    def is_middle(self, line: str) -> bool:
        """Whether a trimmed line stands between old and new text."""
        return line == self.middle or bool(self.middle_start and line.startswith(self.middle_start))

    def opener(self, kind: BlockKind) -> str:
        """Return the line that opens a block of a kind."""
        return next(line for line, opened in self.openers.items() if opened is kind)


SQUARES = Family(
    openers={
        "🟧🟧🟧 EDIT": BlockKind.EDIT,
        "🟧🟧🟧 DELETE": BlockKind.DELETE,
        "🟧🟧🟧 RENAME": BlockKind.RENAME,
    },
    middle="🟨🟨🟨 REPL",
    close="🟩🟩🟩 END",
)
"""The family that models are taught."""

GUILLEMETS = Family(
    openers={"««« EDIT": BlockKind.EDIT},
    middle="═══════ REPL",
    close="»»» EDIT END",
    middle_start="═══════",
)
"""The family of older conversations."""

SEARCH_REPLACE = Family(
    openers={"<<<<<<< SEARCH": BlockKind.EDIT},
    middle="=======",
    close=">>>>>>> REPLACE",
    is_freely_named=True,
)
"""The family of other programs: its blocks are only suggestions."""

FAMILIES = (SQUARES, GUILLEMETS)


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
