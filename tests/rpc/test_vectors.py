"""The conformance cases of JSON-RPC 2.0, through a whole peer."""

import json
from pathlib import Path

import pytest

from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.peer import Peer
from tests.rpc.pairs import Wire, running, table

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))


def subtract(minuend: int, subtrahend: int) -> int:
    return minuend - subtrahend


def total(a: int = 0, b: int = 0, c: int = 0) -> int:
    return a + b + c


def update(*_values: int) -> None:
    return None


def notify_hello(_a: int = 0) -> None:
    return None


def notify_sum(_a: int, _b: int, _c: int) -> None:
    return None


async def get_data() -> list[object]:
    return ["hello", 5]


METHODS = {
    name.removeprefix("T."): method
    for name, method in table(
        subtract=subtract,
        sum=total,
        update=update,
        notify_hello=notify_hello,
        notify_sum=notify_sum,
        get_data=get_data,
    ).items()
}


def comparable(message: object) -> object:
    """What the vectors compare: all but an error's data; a batch's answers in any order."""
    if isinstance(message, list):
        return sorted(json.dumps(comparable(item), sort_keys=True) for item in message)
    assert isinstance(message, dict)
    if "error" in message:
        error = {key: message["error"][key] for key in ("code", "message")}
        return {**message, "error": error}
    return message


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
async def test_vector(vector: dict[str, object]) -> None:
    ours, theirs = direct_pair()
    wire = Wire(theirs)
    async with running(Peer(ours, METHODS, profile=JSONRPC2)):
        if vector["expect"] is None:
            wire.send(str(vector["send"]))
            assert await wire.is_silent()
        else:
            answer = await wire.ask(str(vector["send"]))
            assert comparable(answer) == comparable(vector["expect"])


def test_all_vectors_are_here() -> None:
    assert len(VECTORS) == 23
