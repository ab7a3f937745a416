"""Counts the tokens of a file by symbol, for the drawing of the context.

Each line belongs to the innermost symbol around it, so the rows add up to the whole text, apart
from what a tokenizer joins across the ends of symbols.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from jupyter_ac.chat.files import FileText
from jupyter_ac.chat.prompt.blocks import Block, Category, body_of
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.context_rows import FileSymbolTokens, SymbolTokens
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.rows import OutlineRow
from jupyter_ac.index.records import NOBODY
from jupyter_ac.notebook.editing import is_notebook

MAX_SYMBOLS: Final = 400
"""Of one file; a file with more is generated, or nobody can read their names in a drawing."""

OutlineOf = Callable[[str], Awaitable[Sequence[OutlineRow]]]


def owners(outline: Sequence[OutlineRow], lines: int) -> list[int]:
    """Return for each line of a text the innermost row around it, `NOBODY` where there is none.

    Args:
        outline: parents before children.
        lines: of the text; rows beyond them are cut.
    """
    owner = [NOBODY] * lines
    for at, row in enumerate(outline):
        first, end = max(row["line"], 1) - 1, min(row["last_line"], lines)
        owner[first:end] = [at] * max(0, end - first)
    return owner


async def symbol_tokens(file: FileText, outline_of: OutlineOf, scale: Scale) -> FileSymbolTokens:
    """Count one file by symbol; a notebook has none, since its outputs are no lines of it.

    Args:
        file: as it would be sent whole.
        outline_of: lists the symbols of a file.
        scale: of the model.
    """
    outline = () if is_notebook(file.path) else (await outline_of(file.path))[:MAX_SYMBOLS]
    lines = body_of(file.block).splitlines(keepends=True) if outline else []
    texts: dict[int, list[str]] = {}
    for line, owner in zip(lines, owners(outline, len(lines)), strict=True):
        texts.setdefault(owner, []).append(line)
    rest = "".join(texts.pop(NOBODY, []))
    (whole,) = await scale.each([file.block])
    counts = await scale.each([_text("".join(found)) for found in texts.values()])
    inside = dict(zip(texts, counts, strict=True))
    rows = [
        SymbolTokens(
            name=row["name"],
            kind=row["kind"],
            line=row["line"],
            last_line=row["last_line"],
            parent=row["parent"],
            tokens=inside.get(at, 0),
        )
        for at, row in enumerate(outline)
    ]
    least = await scale.total([_text(rest)]) if rest else 0
    outside = max(least, whole - sum(inside.values()))
    return {"path": file.path, "symbols": rows, "rest": outside}


def _text(text: str) -> Block:
    return Block(Category.FILE, text, RepoPath(""))
