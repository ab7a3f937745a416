from collections.abc import Sequence

from jupyter_ac.chat.files import FileText
from jupyter_ac.chat.prompt.blocks import file_block
from jupyter_ac.chat.prompt.counts import BlockCounts, Scale
from jupyter_ac.chat.symbol_tokens import MAX_SYMBOLS, owners, symbol_tokens
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.rows import OutlineRow
from tests.chat.memory import QuarterCounter

TEXT = "import os\n\nclass A:\n    x = 1\n    def f(self):\n        return 1\n\nprint(A)\n"


def row(name: str, line: int, last_line: int, parent: int = -1) -> OutlineRow:
    return {
        "name": name,
        "kind": "function",
        "line": line,
        "last_line": last_line,
        "parent": parent,
    }


OUTLINE = [row("A", 3, 6), row("f", 5, 6, 0)]


async def counted(
    path: str, text: str, outline: Sequence[OutlineRow]
) -> tuple[list[tuple[str, int]], int, int]:
    async def outline_of(asked: str) -> Sequence[OutlineRow]:
        assert asked == path
        return outline

    block = file_block(RepoPath(path), text)
    scale = Scale(BlockCounts(QuarterCounter()), "cl100k_base")
    found = await symbol_tokens(FileText(RepoPath(path), block), outline_of, scale)
    rows = [(symbol["name"], symbol["tokens"]) for symbol in found["symbols"]]
    return rows, found["rest"], await scale.total([block])


def test_a_line_belongs_to_the_innermost_symbol_around_it() -> None:
    assert owners(OUTLINE, 8) == [-1, -1, 0, 0, 1, 1, -1, -1]
    assert owners([row("long", 2, 99), row("odd", 0, 1)], 3) == [1, 0, 0]
    assert owners([row("behind", 9, 12)], 3) == [-1, -1, -1]


async def test_symbols_and_the_rest_add_up_to_the_file() -> None:
    rows, rest, whole = await counted("a.py", TEXT, OUTLINE)
    assert rows == [
        ("A", (len("class A:\n    x = 1\n") + 3) // 4),
        ("f", (len("    def f(self):\n        return 1\n") + 3) // 4),
    ]
    assert rest + sum(tokens for _, tokens in rows) == whole


async def test_a_file_without_symbols_is_all_rest_and_so_is_a_notebook() -> None:
    assert await counted("a.txt", TEXT, []) == (
        [],
        *[(len(TEXT) + len("a.txt\n```\n```\n") + 3) // 4] * 2,
    )
    rows, rest, whole = await counted("a.ipynb", TEXT, OUTLINE)
    assert (rows, rest) == ([], whole)
    assert await counted("empty.py", "", OUTLINE) == ([("A", 0), ("f", 0)], 5, 5)


async def test_symbols_beyond_the_limit_count_to_what_is_around_them() -> None:
    lines = [f"x{number} = {number}\n" for number in range(MAX_SYMBOLS + 20)]
    outline = [row(line[:4], number, number) for number, line in enumerate(lines, 1)]
    rows, rest, whole = await counted("a.py", "".join(lines), outline)
    assert len(rows) == MAX_SYMBOLS
    assert rest >= sum(map(len, lines[MAX_SYMBOLS:])) // 4
    assert rest + sum(tokens for _, tokens in rows) >= whole
