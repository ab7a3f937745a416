"""A notebook as the text that the model is shown of it, in a form that a parser reads.

The lines are those of `jupyter_ac.notebook.percent`, which takes a second to load what it writes
with; here only the lines matter. A test compares the two.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import orjson

_KERNELS: Final = {
    "ipython": "python",
    "python3": "python",
    "c++": "cpp",
    "c++11": "cpp",
    "c++14": "cpp",
    "c++17": "cpp",
    "c++20": "cpp",
    "shell": "bash",
    "sh": "bash",
    "node": "javascript",
    "js": "javascript",
}
_COMMENTS: Final = {
    **dict.fromkeys(("javascript", "typescript", "java", "go", "rust", "c", "cpp", "scala"), "//"),
    "sql": "--",
}
_OTHER_LANGUAGE: Final = re.compile(
    r"%%(?:R|bash|sh|script|perl|python[23]?|pypy|ruby|julia|html|javascript|js|latex|svg"
    r"|markdown|cython|csharp|fsharp|pwsh|q|sql|sos|coconut)\b"
)
_LEVELS: Final = range(1, 7)
_MAGIC: Final = re.compile(r"\s*%{1,3}[a-zA-Z]")
_PYTHON_MAGIC: Final = re.compile(
    r"\s*(?:%{1,3}[a-zA-Z]|[!?]\s*[A-Za-z.~$\\/{}]|[^\s#]*\?\s*$|\w+\s*=\s*(?:%{1,3}|!)[a-zA-Z])"
    r"|(?:cat|cd|cp|mv|rm|rmdir|mkdir|echo|ls)(?:$|\s[^=,])"
)


_Matcher: TypeAlias = Callable[[str], re.Match[str] | None]


class Cells(NamedTuple):
    """A notebook's cells.

    Attributes:
        language: of the kernel, as `language_of` names languages; "" when nothing tells.
        text: the cells as percent text, what isn't code as comments.
    """

    language: str
    text: str


def cells_of(data: bytes) -> Cells:
    """Read a notebook file.

    Raises:
        ValueError: it is none.
    """
    try:
        notebook = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"not a notebook: {error}") from error
    members = notebook if isinstance(notebook, dict) else {}
    sheets = _objects(members.get("worksheets")) or [members]
    if not any("cells" in sheet for sheet in sheets):
        raise ValueError("not a notebook")
    language = _language(members.get("metadata"))
    comment = _COMMENTS.get(language, "#")
    is_magic = _PYTHON_MAGIC.match if language == "python" else _MAGIC.match
    written = [
        "\n".join(_lines(cell, comment, is_magic))
        for sheet in sheets
        for cell in _objects(sheet.get("cells"))
    ]
    return Cells(language, "\n\n".join(written) + "\n" if written else "")


def _language(metadata: object) -> str:
    """Return the kernel's language; Python where nothing is said, as jupytext has it."""
    if not isinstance(metadata, dict):
        return "python"
    for part, key in (
        ("kernelspec", "language"),
        ("language_info", "name"),
        ("kernelspec", "name"),
    ):
        inner = metadata.get(part)
        found = inner.get(key) if isinstance(inner, dict) else None
        if isinstance(found, str) and found:
            name = found.lower()
            return _KERNELS.get(name, name)
    return "python"


def _lines(cell: Mapping[str, object], comment: str, is_magic: _Matcher) -> Iterator[str]:
    kind = cell.get("cell_type")
    lines = _text(cell.get("source", cell.get("input"))).split("\n")
    if kind == "code":
        yield from _code_lines(lines, comment, is_magic)
        return
    mark = "markdown" if kind in {"markdown", "heading"} else "raw"
    if kind == "heading":
        level = cell.get("level")
        known = level if isinstance(level, int) and level in _LEVELS else 1
        lines[0] = f"{'#' * known} {lines[0]}"
    yield f"{comment} %% [{mark}]"
    yield from (f"{comment} {line}" if line else comment for line in lines)


def _code_lines(lines: Sequence[str], comment: str, is_magic: _Matcher) -> Iterator[str]:
    yield f"{comment} %%"
    if not any(lines):
        lines = lines[1:]
    elif _OTHER_LANGUAGE.match(lines[0]):
        yield from (f"{comment} {line}" for line in lines[1:])
        return
    yield from (f"{comment} {line}" if is_magic(line) else line for line in lines)


def _objects(value: object) -> list[dict[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""
