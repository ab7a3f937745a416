#!/usr/bin/env python3
"""Writes docs/rpc.md, types, JSON schemas and the record of the wire from a host's table.

    python tools/generate_api.py [--check]

With `--check` nothing is written; the exit status is 1 when a file is not as it should be.
"""

import argparse
import json
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from jupyter_ac.version import PROTOCOL
from tools.api import markdown, schema_files, typescript
from tools.api.shapes import shapes
from tools.api.structure import structure
from tools.api.surface import PAGE_REQUESTS, Entry, host_table, methods, pushed

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = Path("docs/rpc.md")
TYPES: Final = Path("js/packages/link/src/generated/api.ts")
NAMES: Final = Path("tests/meta/wire_surface.json")


def documents() -> dict[Path, str]:
    """Return what each generated file should hold, by its path in the repository."""
    called, told = methods(host_table()), pushed()
    hints = [found.hint for entry in (*called, *told) for found in entry.parameters]
    found = shapes([*hints, *(entry.result for entry in called), *PAGE_REQUESTS])
    return {
        PAGE: markdown.document(called, told, found, PROTOCOL),
        TYPES: typescript.document(called, told, found, PROTOCOL),
        NAMES: json.dumps(_surface(called, told), indent=1) + "\n",
        **schema_files.documents(called, told, found),
    }


def surplus(root: Path, names: Collection[Path]) -> list[Path]:
    """Return the schemas of methods that aren't there any more, by their paths in the repository.

    Args:
        root: of the repository.
        names: what `documents` has.
    """
    found = (root / schema_files.FOLDER).glob("*.json")
    return sorted(path.relative_to(root) for path in found if path.relative_to(root) not in names)


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Write the files, or say which differ; returns the exit status."""
    parser = argparse.ArgumentParser(description="Generates docs/rpc.md and the front end's types.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on a difference")
    is_check = bool(parser.parse_args(arguments).check)
    made = documents()
    stale = [path for path, text in made.items() if _read(root / path) != text]
    old = surplus(root, made)
    if is_check:
        for path in (*stale, *old):
            sys.stderr.write(f"{path} is not up to date; run: make docs\n")
        return 1 if stale or old else 0
    for path in old:
        (root / path).unlink()
    for path in stale:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(made[path], encoding="utf-8")
    return 0


def _surface(called: Sequence[Entry], told: Sequence[Entry]) -> dict[str, object]:
    """Put down every name on the wire, with its access level and the JSON that goes in and out."""
    aliases = {alias: entry.name for entry in called for alias in entry.aliases}
    return {
        "methods": {entry.name: _method(entry) for entry in sorted(called, key=_name)},
        "aliases": dict(sorted(aliases.items())),
        "events": {
            entry.name: {each.name: structure(each.hint) for each in entry.parameters}
            for entry in sorted(told, key=_name)
        },
    }


def _name(entry: Entry) -> str:
    return entry.name


def _method(entry: Entry) -> dict[str, object]:
    return {
        "access": entry.access.value,
        "parameters": [typescript.parameter(found) for found in entry.parameters],
        "result": structure(entry.result),
    }


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
