"""A caller that holds each answer against the published schema of the method's result.

Objects may have no member that the schema doesn't name: so what is missing in an annotation is
found, too.
"""

import json
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Final

import fastjsonschema

from jupyter_ac.rpc.json_schema import JsonSchema
from jupyter_ac.rpc.peer import Peer

SCHEMAS: Final = resources.files("jupyter_ac") / "schemas"


class CheckedPeer(Peer):
    """A peer whose calls fail when the answer isn't what is published; other names are free."""

    async def call(self, method: str, *args: object, timeout_s: float | None = None) -> object:
        answer = await super().call(method, *args, timeout_s=timeout_s)
        check_result(method, answer)
        return answer


def check_result(method: str, answer: object) -> None:
    """Raise if a decoded answer isn't as the method's schema says."""
    file = _names().get(method)
    if file is None:
        return
    try:
        _check_of(file)(answer)
    except fastjsonschema.JsonSchemaValueException as error:
        raise AssertionError(
            f"{method} answers what it shouldn't: {explained(file, answer)}"
        ) from error


def result_schema(name: str) -> JsonSchema:
    """Return the schema of a method's result, without room for further members."""
    schema: JsonSchema = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))["result"]
    definitions = schema.get("definitions", {})
    assert isinstance(definitions, dict)
    for definition in definitions.values():
        definition["additionalProperties"] = False
    return schema


def explained(file: str, answer: object) -> str:
    """Say where an answer differs; a choice is described by the nearest of its parts."""
    import jsonschema

    error = jsonschema.exceptions.best_match(
        jsonschema.Draft7Validator(result_schema(file)).iter_errors(answer)
    )
    return f"{error.json_path}: {error.message[:400]}" if error else "by fastjsonschema alone"


@cache
def _names() -> dict[str, str]:
    """Map each name on the wire, aliases too, to the name of its file."""
    names: dict[str, str] = {}
    for path in SCHEMAS.iterdir():
        found = json.loads(path.read_text("utf-8"))
        names |= dict.fromkeys((found["title"], *found.get("aliases", ())), found["title"])
    return {alias: name for alias, name in names.items() if not name.startswith("AcApp.")}


@cache
def _check_of(name: str) -> Callable[[object], object]:
    # Detailed exceptions quote the definitions, without end where one holds itself.
    check: Callable[[object], object] = fastjsonschema.compile(
        result_schema(name), use_default=False, detailed_exceptions=False
    )
    return check
