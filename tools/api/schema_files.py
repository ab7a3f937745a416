"""The JSON schemas of methods and events, as files for clients.

A method has one file with two schemas, because a client that calls it needs both. Each is complete
in itself, with its own `$schema` and `definitions`: a validator is given the member, not the file.
"""

import json
import typing
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from jupyter_ac.rpc.json_schema import JsonSchema, type_schema
from tools.api.shapes import Shape
from tools.api.surface import Entry

FOLDER: Final = Path("jupyter_ac/schemas")


def documents(
    methods: Iterable[Entry], events: Iterable[Entry], shapes: Iterable[Shape]
) -> dict[Path, str]:
    """Return the text of each file, by its path in the repository."""
    known = {shape.name: shape for shape in shapes}
    found = {entry.name: _method(entry, known) for entry in methods}
    found |= {event_name(entry.name): _event(entry, known) for entry in events}
    return {
        FOLDER / f"{name}.json": json.dumps(file, indent=1, ensure_ascii=False) + "\n"
        for name, file in found.items()
    }


def event_name(name: str) -> str:
    """Return the full name of an event."""
    return f"AcApp.{name}"


def _method(entry: Entry, shapes: Mapping[str, Shape]) -> JsonSchema:
    return {
        "title": entry.name,
        "description": _description(entry),
        "access": entry.access.value,
        **({"aliases": list(entry.aliases)} if entry.aliases else {}),
        "params": described(entry.schema, shapes),
        "result": described(type_schema(entry.result), shapes),
    }


def _event(entry: Entry, shapes: Mapping[str, Shape]) -> JsonSchema:
    return {
        "title": event_name(entry.name),
        "description": _description(entry),
        "params": described(entry.schema, shapes),
    }


def _description(entry: Entry) -> str:
    return "\n\n".join(part for part in (entry.summary, entry.details) if part)


def described(schema: JsonSchema, shapes: Mapping[str, Shape]) -> JsonSchema:
    """Add to each definition, and to each of its members, what its docstring says."""
    if "definitions" not in schema:
        return schema
    definitions = typing.cast("Mapping[str, JsonSchema]", schema["definitions"])
    meant = {name: _definition(one, shapes[name]) for name, one in sorted(definitions.items())}
    return {**schema, "definitions": meant}


def _definition(schema: JsonSchema, shape: Shape) -> JsonSchema:
    properties = typing.cast("Mapping[str, JsonSchema]", schema["properties"])
    members = dict(_members(properties, shape))
    return {**_with_text({}, shape.doc), **schema, "properties": members}


def _members(
    properties: Mapping[str, JsonSchema], shape: Shape
) -> Iterator[tuple[str, JsonSchema]]:
    meanings = {member.name: member.meaning for member in shape.members}
    for name, schema in properties.items():
        yield name, _with_text(schema, meanings.get(name, ""))


def _with_text(schema: JsonSchema, text: str) -> JsonSchema:
    """Describe a schema; validators ignore what stands beside a `$ref`."""
    return {**schema, "description": text} if text else schema
