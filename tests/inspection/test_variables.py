"""Lists and descriptions of variables."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import NotFound
from jupyter_ac.inspection import variables
from jupyter_ac.inspection.explicit_repr import ReprRunner
from jupyter_ac.inspection.known_types import KnownTypes
from jupyter_ac.inspection.summaries.summary import Brief, Details, Summarizer
from jupyter_ac.inspection.variables import (
    DESCRIPTION_CHARS,
    MOST_VARIABLES,
    VariableRow,
    describe_variable,
    find_variable,
    list_variables,
)
from tests.inspection.hostile import RAN, LyingKey, hostile_values, nothing_may_run


def rows(namespace: dict[object, object]) -> dict[str, VariableRow]:
    return {row["name"]: row for row in list_variables(namespace)["variables"]}


def test_nothing_of_hostile_variables_runs() -> None:
    namespace: dict[object, object] = dict(hostile_values())
    namespace[LyingKey("plain")] = 1
    with nothing_may_run():
        listed = rows(namespace)
        for name in listed:
            found = describe_variable(namespace, name, None)
            assert found["repr"] is None
            assert len(json.dumps(found)) < 3 * DESCRIPTION_CHARS
    assert listed.keys() >= {"plain", "its_class", "spoofed_frame", "circular", "proxy"}
    assert listed["plain"]["line"] == ""
    assert listed["plain"]["size_bytes"] == object.__sizeof__(namespace["plain"])
    assert listed["proxy"]["type"] == "weakref.CallableProxyType"


def test_a_spoofed_name_makes_no_known_type() -> None:
    spoofed = rows(dict(hostile_values()))["spoofed_frame"]
    assert spoofed["type"] == "pandas.DataFrame"
    assert not spoofed["is_known"]
    assert (spoofed["shape"], spoofed["line"]) == (None, "")


def test_a_representation_runs_only_when_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "precious"
    file.touch()

    class Deletes:
        def __repr__(self) -> str:
            file.unlink()
            return "deleted"

    namespace: dict[object, object] = {"value": Deletes()}
    list_variables(namespace)
    describe_variable(namespace, "value", None)
    assert file.exists()
    found = describe_variable(namespace, "value", ReprRunner(wait_s=60).represent)
    assert found["repr"] == {"state": "done", "text": "deleted", "is_cut": False}
    assert not file.exists()


def test_kinds_and_lengths() -> None:
    listed = rows({"json": json, "f": rows, "c": Path, "x": "abc", "l": [1, 2], "n": 7})
    assert {name: row["kind"] for name, row in listed.items()} == {
        "json": "module",
        "f": "function",
        "c": "class",
        "x": "value",
        "l": "value",
        "n": "value",
    }
    assert [listed[name]["length"] for name in ("x", "l", "n")] == [3, 2, None]
    assert [listed[name]["is_known"] for name in ("x", "c")] == [True, False]
    assert listed["l"]["size_bytes"] == [].__sizeof__() + 2 * 8


def test_names_of_ipython_and_private_ones_are_hidden() -> None:
    before = object()
    namespace: dict[object, object] = {
        "In": [],
        "Out": {},
        "exit": 1,
        "quit": 1,
        "get_ipython": 1,
        "_": 1,
        "__": 2,
        "_i3": "",
        "before": before,
        "changed": 2,
        "mine": 3,
        "no name": 4,
        5: 6,
    }
    found = list_variables(namespace, {"before": before, "changed": 1})
    assert [row["name"] for row in found["variables"]] == ["changed", "mine"]
    assert describe_variable(namespace, "_", None)["line"] == "1"


def test_a_list_is_bounded() -> None:
    namespace: dict[object, object] = {f"v{at}": at for at in range(MOST_VARIABLES + 5)}
    found = list_variables(namespace)
    assert (len(found["variables"]), found["left_out"]) == (MOST_VARIABLES, 5)


def test_a_list_has_no_more_characters_than_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variables, "LIST_CHARS", 100)
    found = list_variables({f"{'x' * 20}{at}": at for at in range(10)})
    assert 0 < len(found["variables"]) < 10
    assert len(found["variables"]) + found["left_out"] == 10


def test_when_time_is_up_the_rest_has_names_and_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variables, "LISTING_S", -1.0)
    listed = rows({"n": 7, "o": {1}, "e": hostile_values()})
    assert listed["n"]["line"] == "7"
    assert listed["e"]["type"] == "generator"
    assert "not looked at" in listed["e"]["line"]


def test_a_library_that_fails_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        pass

    def fail(_value: object) -> Brief:
        raise RuntimeError

    def fail_too(_value: object) -> Details:
        raise RuntimeError

    monkeypatch.setattr(KnownTypes, "summarizer", lambda _self, _cls: Summarizer(fail, fail_too))
    found = describe_variable({"x": Broken()}, "x", None)
    assert found["line"] == found["note"] == "its library could not summarise it"


def test_a_missing_variable_is_named() -> None:
    with pytest.raises(NotFound, match="'missing'"):
        find_variable({}, "missing")


@given(st.dictionaries(st.text(min_size=1), st.integers() | st.text() | st.lists(st.binary())))
def test_any_namespace_can_be_listed(namespace: dict[object, object]) -> None:
    found = list_variables(namespace)
    assert json.loads(json.dumps(found)) == found
    for row in found["variables"]:
        assert row["name"].isidentifier()


def test_a_long_text_is_cut_in_a_description() -> None:
    found = describe_variable({"x": "y" * 10**8}, "x", None)
    assert len(found["text"]) < DESCRIPTION_CHARS
    assert found["length"] == 10**8
    assert found["size_bytes"] == sys.getsizeof("y" * 10**8)
    assert RAN == []
