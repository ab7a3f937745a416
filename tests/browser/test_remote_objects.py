import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.browser.remote_objects import MAX_TEXT, rendered, shown


def text(value: object) -> dict[str, object]:
    return {"type": "string", "value": value}


@pytest.mark.parametrize(
    ("remote", "expected"),
    [
        (text("a"), "a"),
        ({"type": "number", "value": 42, "description": "42"}, "42"),
        ({"type": "number", "value": float("nan")}, "NaN"),
        ({"type": "number", "unserializableValue": "-0"}, "-0"),
        ({"type": "bigint", "unserializableValue": "10n"}, "10n"),
        ({"type": "undefined"}, "undefined"),
        ({"type": "boolean", "value": True}, "true"),
        ({"type": "object", "subtype": "null", "value": None}, "null"),
        ({"type": "symbol", "description": "Symbol(s)"}, "Symbol(s)"),
        (
            {"type": "function", "description": "function f(a) {\n  return a\n}"},
            "function f(a) {…}",
        ),
        ({"type": "function"}, "function"),
        ({"type": "object", "className": "Odd"}, "Odd"),
        ({"type": "object", "preview": {"type": "object", "properties": None}}, "{}"),
        ({"type": "object", "subtype": "error", "description": "E: x\n at y"}, "E: x\n at y"),
        ({}, ""),
        (None, ""),
    ],
)
def test_values_are_shown_as_a_console_does(remote: object, expected: str) -> None:
    assert shown(remote) == expected


def test_placeholders_are_filled() -> None:
    number = {"type": "number", "value": 42.7, "description": "42.7"}
    arguments = [text("%c%s is %d%% of %o and %s"), text("css"), text("n"), number, text("o")]
    assert rendered(arguments) == "n is 42% of o and %s"
    assert rendered([text("100%"), text("x")]) == "100% x"
    assert rendered([number, text("%s")]) == "42.7 %s"


def test_long_things_are_cut() -> None:
    assert len(rendered([text("x" * 10_000_000)])) < MAX_TEXT + 50
    assert rendered([text("x")] * 100_000).endswith("… (99,950 more arguments)")
    assert len(rendered([text("x" * 9000)] * 50)) < MAX_TEXT + 50


def test_previews_are_bounded_in_depth_and_width() -> None:
    preview: dict[str, object] = {"type": "object", "description": "Object", "properties": []}
    for _ in range(500):
        member = {"name": "a", "type": "object", "value": "Object", "valuePreview": preview}
        preview = {"type": "object", "description": "Object", "properties": [member]}
    assert shown({"type": "object", "preview": preview}) == "{a: {a: {a: {a: Object}}}}"
    wide = {"type": "object", "description": "Object", "overflow": True}
    member = {"name": "x" * 500, "type": "string", "value": "y" * 100_000}
    shown({"type": "object", "preview": wide | {"properties": [member] * 100_000}})


KINDS = st.sampled_from(["object", "string", "number", "function", "array", "map", "", None])
JUNK = st.recursive(
    st.none() | st.floats() | st.booleans() | st.text(st.characters(), max_size=3) | KINDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "subtype",
                    "value",
                    "preview",
                    "properties",
                    "entries",
                    "key",
                    "name",
                    "description",
                    "valuePreview",
                    "overflow",
                    "unserializableValue",
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(st.lists(JUNK, max_size=4))
def test_whatever_comes_is_text(arguments: list[object]) -> None:
    orjson.dumps(rendered(arguments))
