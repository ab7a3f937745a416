"""The bracket notation, without a connection."""

import pytest

from jupyter_ac.errors import MethodNotFound
from jupyter_ac.jrpc_oo.calls import Answers, Functions


async def run(name: str, *args: object) -> object:
    return [name, *args]


def functions(*names: str) -> Functions[object]:
    return Functions(lambda: names, run)


async def test_a_name_gives_a_function() -> None:
    assert await functions("C.m")["C.m"](1, "x") == ["C.m", 1, "x"]


async def test_a_name_that_nobody_offers_gives_one_too_but_is_not_found() -> None:
    found = functions("C.m")
    assert await found["C.later"]() == ["C.later"]
    assert "C.later" not in found
    assert found.get("C.later") is None
    assert found.get("C.later", 5) == 5
    assert found.get("C.m") is not None


def test_the_names_are_those_of_now() -> None:
    names = ["C.m"]
    found: Functions[object] = Functions(lambda: names, run)
    assert (list(found), len(found), bool(found)) == (["C.m"], 1, True)
    assert "C.m" in found
    names.clear()
    assert (list(found), len(found), bool(found)) == ([], 0, False)


def test_the_handshakes_own_call_is_refused() -> None:
    with pytest.raises(MethodNotFound, match=r"system\.listComponents"):
        functions()["system.listComponents"]


def test_answers_are_a_dictionary_and_know_who_failed() -> None:
    answers = Answers()
    answers["uuid"] = 1
    assert answers == {"uuid": 1}
    assert answers.errors == {}
