"""Parses npm's manifests: `package.json` and `tsconfig.json`.

The rows of a `package.json`: `name`; `entry` and files; `export`, a pattern, its targets; `needs`,
names; `workspaces`. Those of a configuration: `config`; `base`, a folder; `alias`, a pattern, its
targets; `extends`, files; `reference`, files.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

import orjson

_MAX_TARGETS: Final = 20
_MAX_NEEDS: Final = 1_000
_MAX_DEPTH: Final = 8

_MARKS: Final = (b'"compilerOptions"', b'"name"', b'"extends"', b'"references"')
_PLAIN: Final = re.compile(r'("[^"\\]*+(?:\\.[^"\\]*+)*+"?)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
"""Strings, which stay, and comments; each takes what is never closed up to the end at once."""
_TRAILING: Final = re.compile(r'("[^"\\]*+(?:\\.[^"\\]*+)*+"?)|,(?=\s*+[\]}])', re.DOTALL)
_ENTRIES: Final = ("source", "types", "typings", "module", "main")
_DEPENDENCIES: Final = (
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
)


def rows_of(data: bytes) -> Iterator[tuple[str, ...]]:
    """Yield what a JSON file tells of the project; nothing for other files."""
    if not any(mark in data for mark in _MARKS):
        return
    try:
        found: object = orjson.loads(data)
    except orjson.JSONDecodeError:
        text = _PLAIN.sub(lambda match: match[1] or " ", data.decode("utf-8", "replace"))
        text = _TRAILING.sub(lambda match: match[1] or "", text)
        try:
            found = orjson.loads(text)
        except orjson.JSONDecodeError:
            return
    if isinstance(found, dict):
        yield from _of_config(found)
        yield from _of_package(found)


def _of_config(found: dict[str, object]) -> Iterator[tuple[str, ...]]:
    options = _table(found.get("compilerOptions"))
    extended, references = _texts(found.get("extends")), found.get("references")
    if options or extended or references:
        yield ("config",)
    if extended:
        yield "extends", *extended
    if isinstance(references, list):
        paths = [_table(row).get("path") for row in references[:_MAX_TARGETS]]
        yield "reference", *(path for path in paths if isinstance(path, str))
    base = options.get("baseUrl")
    if isinstance(base, str):
        yield "base", base
    for pattern, targets in _table(options.get("paths")).items():
        yield "alias", pattern, *_texts(targets)


def _of_package(found: dict[str, object]) -> Iterator[tuple[str, ...]]:
    name = found.get("name")
    if not isinstance(name, str) or not name:
        return
    yield "name", name
    if found.get("workspaces"):
        yield ("workspaces",)
    needs = {need for key in _DEPENDENCIES for need in _table(found.get(key))}
    yield "needs", *sorted(needs)[:_MAX_NEEDS]
    entries = [found.get(key) for key in _ENTRIES]
    yield "entry", *(entry for entry in entries if isinstance(entry, str))
    exported = found.get("exports")
    table = _table(exported)
    if exported and not any(key.startswith(".") for key in table):
        table = {".": exported}
    for pattern, targets in (table | _table(found.get("imports"))).items():
        yield "export", pattern, *islice(_targets(targets, _MAX_DEPTH), _MAX_TARGETS)


def _targets(found: object, depth: int) -> Iterator[str]:
    """Yield all files of an export, whatever the condition under which it is that one."""
    if isinstance(found, str):
        yield found
    elif depth and isinstance(found, dict | list):
        for inner in found.values() if isinstance(found, dict) else found:
            yield from _targets(inner, depth - 1)


def _table(found: object) -> dict[str, object]:
    return found if isinstance(found, dict) else {}


def _texts(found: object) -> list[str]:
    rows = found if isinstance(found, list) else [found]
    return [row for row in rows[:_MAX_TARGETS] if isinstance(row, str)]
