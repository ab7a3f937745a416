"""Blocks and answers for property tests."""

from dataclasses import replace

from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock, Span
from jupyter_ac.chat.edit_blocks.reading.markers import FAMILIES, Family

_UGLY_LINES = [
    "",
    " ",
    "\t",
    "\r",
    "x\r",
    "\x0b",
    "a\u2028b",
    "a\x85b",
    "\x1c",
    "\ufeffx",
    "\ud800",
    "```",
    "```python",
    "~~~",
    "a.py",
    "src/b.py",
    "`my file`",
    "# x",
    "🟧🟧🟧",
    "🟧🟧🟧 EDITS",
    "🟩🟩🟩 ENDED",
    "══════ REPL",
    "«««",
]


def bare(block: EditBlock) -> EditBlock:
    """Return a block without its spans."""
    return replace(block, span=Span(), old_span=Span(), new_span=Span())


def lines(family: Family) -> st.SearchStrategy[tuple[str, ...]]:
    """Lines of text that are no marker of a family; those of the others are among them."""
    markers = [m for f in FAMILIES for m in (*f.openers, f.middle, f.close)]
    some = st.text(max_size=8) | st.sampled_from([*_UGLY_LINES, *markers, "  " + markers[0]])
    return st.lists(some.filter(lambda line: _is_content(line, family)), max_size=6).map(tuple)


def paths() -> st.SearchStrategy[str]:
    """Paths of one line, or none."""
    some = st.text(st.characters(exclude_characters="\n`"), min_size=1, max_size=12)
    plain = ["", "a.py", "src/b c.py", "LICENSE", "# x", "🟧🟧🟧 EDIT", "a`b.py", "x y", " a "]
    return st.sampled_from(plain) | some.filter(lambda path: bool(path.strip()))


def edits(family: Family) -> st.SearchStrategy[EditBlock]:
    """Blocks with old and new text."""
    some = lines(family)
    return st.builds(EditBlock, st.just(0), st.just(BlockKind.EDIT), paths(), old=some, new=some)


def orders() -> st.SearchStrategy[EditBlock]:
    """Blocks that remove or rename."""
    removals = st.builds(EditBlock, st.just(0), st.just(BlockKind.DELETE), paths())
    renames = st.builds(EditBlock, st.just(0), st.just(BlockKind.RENAME), paths(), new_path=paths())
    return removals | renames


def _is_content(line: str, family: Family) -> bool:
    trimmed = line.strip()
    is_marker = trimmed in {*family.openers, family.close} or family.is_middle(trimmed)
    return "\n" not in line and not is_marker
