"""Cell markers: `# %% [markdown] id="a1" tags=["x"]`.

A quoted name is always metadata; unquoted, `id`, `language` and `magic_args` are not metadata.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.notebook.cells import CellKind
from jupyter_ac.notebook.dialects import Dialect

_PLAIN_NAME: Final = re.compile(r"[a-zA-Z_][\w.\-]*", re.ASCII)
_OWN_NAMES: Final = frozenset({"id", "language", "magic_args"})
_NAME: Final = re.compile(
    r'\s*(?:(?P<plain>[a-zA-Z_][\w.\-]*)|(?P<quoted>"[^"\\]*+(?:\\.[^"\\]*+)*+"))=', re.ASCII
)
_WORD: Final = re.compile(r"\s*(?P<word>\S+)")
_KINDS: Final[Mapping[str, CellKind]] = {
    "[markdown]": "markdown",
    "[md]": "markdown",
    "[raw]": "raw",
}
_DECODER: Final = json.JSONDecoder()


@dataclass(slots=True)
class Marker:
    """A parsed marker.

    Attributes:
        kind: of the cell.
        cell_id: None if there is none.
        magic: the cell magic that sets the cell's language, with its arguments; "" without one.
        metadata: JSON values by name.
    """

    kind: CellKind = "code"
    cell_id: str | None = None
    magic: str = ""
    metadata: dict[str, object] = field(default_factory=dict)


def write_marker(marker: Marker, dialect: Dialect) -> str:
    """Serialize a marker to a line."""
    return dialect.comment(" ".join(("%%", *_written(marker))))


def read_marker(line: str, dialect: Dialect) -> Marker:
    """Parse the first line of a cell; words without a meaning become a title in the metadata."""
    marker = Marker()
    own: dict[str, str] = {}
    title: list[str] = []
    for name, is_plain, value in _read(dialect.uncomment(line).removeprefix("%%")):
        if name is None:
            title.append(str(value))
        elif is_plain and name in _OWN_NAMES and isinstance(value, str):
            own[name] = value
        else:
            marker.metadata[name] = value
    kinds = [word for word in title if word in _KINDS]
    if kinds:
        marker.kind = _KINDS[kinds[-1]]
    words = " ".join(word for word in title if word not in _KINDS)
    if words:
        marker.metadata["title"] = words
    marker.cell_id = own.get("id")
    if "language" in own:
        marker.magic = " ".join(("%%" + own["language"], *_present(own.get("magic_args"))))
    return marker


def _written(marker: Marker) -> Iterator[str]:
    if marker.kind != "code":
        yield f"[{marker.kind}]"
    if marker.cell_id is not None:
        yield f"id={_json(marker.cell_id)}"
    for name, value in marker.metadata.items():
        is_plain = _PLAIN_NAME.fullmatch(name) is not None and name not in _OWN_NAMES
        yield f"{name if is_plain else _json(name)}={_json(value)}"
    if marker.magic:
        language, space, arguments = marker.magic.removeprefix("%%").partition(" ")
        if space:
            yield f"magic_args={_json(arguments)}"
        yield f"language={_json(language)}"


def _read(text: str) -> Iterator[tuple[str | None, bool, object]]:
    """Yield names, whether each is unquoted, and values; other words without a name."""
    position = 0
    while True:
        named = _NAME.match(text, position)
        if named is not None:
            try:
                value, position = _DECODER.raw_decode(text, named.end())
            except (ValueError, RecursionError):
                pass
            else:
                plain = named["plain"]
                yield plain or _DECODER.decode(named["quoted"]), plain is not None, value
                continue
        word = _WORD.match(text, position)
        if word is None:
            return
        position = word.end()
        yield None, False, word["word"]


def _present(text: str | None) -> Iterator[str]:
    if text is not None:
        yield text


def _json(value: object) -> str:
    """Serialize a value to one line, even for readers with other line separators."""
    readable = json.dumps(value, ensure_ascii=False)
    return readable if readable.isprintable() else json.dumps(value)
