"""Parses project manifests: `go.mod`, `tsconfig.json`, `package.json`, `Cargo.toml`.

Only a file's content is known here, so a file that looks like one of them is parsed as such; the
code that stores the rows checks the path. The rows are:

- `module` and its name; `replace`, a module, a folder (Go)
- `config`; `base`, a folder; `alias`, a pattern, its targets; `extends`, files; `reference`, files
- `name`; `entry` and files; `export`, a pattern, its targets; `needs`, names; `workspaces` (npm)
- `name`; `needs`, names; `library`, its name, its file; `renamed`, the name here, the crate (Cargo)
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

import orjson

from jupyter_ac.index.languages.registry import GO_MODULE
from jupyter_ac.index.records import Manifest

MAX_BYTES: Final = 64 << 10
MAX_ROWS: Final = 200
_MAX_TARGETS: Final = 20
_MAX_NEEDS: Final = 1_000
_MAX_CHARS: Final = 500
_MAX_DEPTH: Final = 8

_JSON_MARKS: Final = (b'"compilerOptions"', b'"name"', b'"extends"', b'"references"')
_PLAIN: Final = re.compile(r'("(?:[^"\\]|\\.)*+"?)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
"""Strings, which stay, and comments; each takes what is never closed up to the end at once."""
_TRAILING: Final = re.compile(r'("(?:[^"\\]|\\.)*+"?)|,(?=\s*+[\]}])', re.DOTALL)
_ENTRIES: Final = ("source", "types", "typings", "module", "main")
_DEPENDENCIES: Final = (
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
)
_SECTION: Final = re.compile(r"^\s*+\[([^\[\]]*+)\]")
_SETTING: Final = re.compile(r"""^\s*([\w.-]+)\s*=\s*["']([^"']*)["']""")
_RENAMED: Final = re.compile(r"""^\s*([\w-]+)\s*=\s*\{.*\bpackage\s*=\s*["']([^"']*)["']""")
_NEEDED: Final = re.compile(r"^\s*+([\w-]+)\s*+[.=]")
_CRATES: Final = ("dependencies", "dev-dependencies", "build-dependencies")


def manifest_of(language: str, data: bytes) -> Manifest:
    """Return what a file tells of the project; () for what isn't such a file. Never raises.

    Args:
        language: of the file.
        data: the file.
    """
    if len(data) > MAX_BYTES:
        return ()
    if language == GO_MODULE:
        rows = _of_go(data.decode("utf-8", "replace"))
    elif language == "json" and any(mark in data for mark in _JSON_MARKS):
        rows = _of_json(data)
    elif language == "toml" and b"[package]" in data:
        rows = _of_cargo(data.decode("utf-8", "replace"))
    else:
        return ()
    return tuple(islice((row for row in rows if _is_short(row)), MAX_ROWS))


def _is_short(row: tuple[str, ...]) -> bool:
    return all(len(value) <= _MAX_CHARS and "\0" not in value for value in row)


def _of_go(text: str) -> Iterator[tuple[str, ...]]:
    block = ""
    for line in text.splitlines():
        found = line.partition("//")[0].split()
        if found[:1] == [")"]:
            block = ""
        elif found[1:] == ["("]:
            block = found[0]
        elif found:
            verb, values = (block, found) if block else (found[0], found[1:])
            values = [value.strip('"`') for value in values]
            if verb == "module" and len(values) == 1:
                yield "module", values[0]
            elif verb == "replace" and "=>" in values[1:3]:
                folder = values[values.index("=>") + 1 :][:1]
                if folder and folder[0].startswith(("./", "../")):
                    yield "replace", values[0], folder[0]


def _of_json(data: bytes) -> Iterator[tuple[str, ...]]:
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


def _of_cargo(text: str) -> Iterator[tuple[str, ...]]:
    section, library, needs = "", {"name": "", "path": ""}, set[str]()
    for line in text.splitlines():
        if header := _SECTION.match(line):
            section = header[1].strip()
            around, _, inner = section.rpartition(".")
            needs.update([inner] if around.endswith(_CRATES) else [])
        elif section in {"package", "lib"} and (setting := _SETTING.match(line)):
            key, value = setting[1], setting[2]
            if section == "package" and key == "name":
                yield "name", value
            elif section == "lib" and key in library:
                library[key] = value
        elif section.endswith(_CRATES) and (needed := _NEEDED.match(line)):
            needs.add(needed[1])
            if renamed := _RENAMED.match(line):
                yield "renamed", renamed[1], renamed[2]
    yield "needs", *sorted(needs)[:_MAX_NEEDS]
    if any(library.values()):
        yield "library", library["name"], library["path"]


def _table(found: object) -> dict[str, object]:
    return found if isinstance(found, dict) else {}


def _texts(found: object) -> list[str]:
    rows = found if isinstance(found, list) else [found]
    return [row for row in rows[:_MAX_TARGETS] if isinstance(row, str)]
