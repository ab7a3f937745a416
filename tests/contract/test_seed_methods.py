"""The methods of seed 001: their names at each door, their parameters, the keys of their results.

`seed_methods.json` has for each its parameters (`?`: may be left out) and its result: a plain
type, or an object or a list of objects with these keys (`?`: may be absent).
"""

import inspect
import json
import types
import typing
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from jupyter_ac.rpc.methods import Method
from tests.contract.contract import contract
from tests.contract.doors import Door
from tools.api.shapes import is_object
from tools.api.surface import host_table, result_of

TABLE = host_table()
SEED: dict[str, list[str]] = json.loads(
    Path(__file__).with_name("seed_methods.json").read_text(encoding="utf-8")
)
PLAIN = {"string": str, "boolean": bool}
ALIASES = ("LLM", "LiteLLM")


def names() -> list[str]:
    """All names of the methods, with those that `LLMService` goes by, too."""
    further = [
        f"{alias}.{name.partition('.')[2]}"
        for name in SEED
        if name.startswith("LLMService.")
        for alias in ALIASES
    ]
    return [*SEED, *further]


def described(name: str) -> list[str]:
    namespace, _, function = name.partition(".")
    return SEED[f"LLMService.{function}" if namespace in ALIASES else name]


def members(hint: object) -> Iterator[object]:
    """Yield the types that a type is a choice of, behind names for them."""
    if isinstance(hint, typing.NewType):
        yield from members(hint.__supertype__)
    elif typing.get_origin(hint) in {typing.Union, types.UnionType}:
        for member in typing.get_args(hint):
            yield from members(member)
    else:
        yield hint


def has_keys(hint: object, keys: Sequence[str]) -> bool:
    if not is_object(hint):
        return False
    found = set(typing.get_type_hints(hint))
    optional: frozenset[str] = getattr(hint, "__optional_keys__", frozenset())
    return all(
        key.rstrip("?") in found and (key.endswith("?") or key not in optional) for key in keys
    )


def answers(method: Method, result: str) -> bool:
    kind, _, keys = result.partition(" of ")
    for hint in members(result_of(method)):
        if PLAIN.get(kind) is hint or (kind == "object" and has_keys(hint, keys.split())):
            return True
        if kind == "list" and typing.get_origin(hint) in {list, Sequence}:
            (item,) = typing.get_args(hint)
            if not keys or any(has_keys(each, keys.split()) for each in members(item)):
                return True
    return False


@pytest.mark.parametrize("name", names())
def test_a_method_of_the_seed(name: str) -> None:
    parameters, result = described(name)
    method = TABLE[name]
    ours = list(method.signature.parameters.values())
    for wanted, given in zip(parameters.split(), ours, strict=False):
        is_optional = given.default is not inspect.Parameter.empty
        assert is_optional or not wanted.endswith("?")
    assert len(ours) >= len(parameters.split())
    for further in ours[len(parameters.split()) :]:
        is_rest = further.kind is inspect.Parameter.VAR_POSITIONAL
        assert is_rest or further.default is not inspect.Parameter.empty
    assert answers(method, result), result_of(method)


@contract
async def test_every_door_lists_them(door: Door) -> None:
    async with door.open() as page:
        assert [name for name in names() if name not in page.peer.remote_methods] == []
