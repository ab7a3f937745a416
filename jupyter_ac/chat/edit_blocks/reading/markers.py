"""The lines that open, split and close an edit block, in both families."""

from dataclasses import dataclass

from jupyter_ac.chat.edit_blocks.blocks import BlockKind


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
