import contextlib
from itertools import count

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.browser.field_selection import (
    MAX_FIELDS,
    MINIMAL,
    asks_for,
    check_fields,
    evaluate,
    select,
)
from jupyter_ac.errors import InvalidParams, TooLarge

ENTRY: dict[str, object] = {
    "time": None,
    "state": "complete",
    "request": {
        "method": "GET",
        "url": "http://h/",
        "headers": [
            {"name": "X.Dotted", "value": "1"},
            {"name": "Set-Cookie", "value": "a"},
            {"name": "Set-Cookie", "value": "b"},
        ],
    },
    "response": {"status": 200, "content": {"size": 5, "text": "hello"}},
}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            MINIMAL,
            {
                "request": {"method": "GET", "url": "http://h/"},
                "response": {"status": 200},
                "time": None,
                "state": "complete",
            },
        ),
        (["*"], ENTRY),
        (["request.*"], {"request": ENTRY["request"]}),
        (["REQUEST.METHOD"], {"request": {"method": "GET"}}),
        (["request.headers.set-cookie"], {"request": {"headers": {"Set-Cookie": ["a", "b"]}}}),
        (
            ["request.headers.x.dotted", "request.headers.SET-cookie"],
            {"request": {"headers": {"X.Dotted": "1", "Set-Cookie": ["a", "b"]}}},
        ),
        (["request.headers.x.dotted", "request"], {"request": ENTRY["request"]}),
        (["request", "request.method"], {"request": ENTRY["request"]}),
        (["request.nothing", "nothing.at.all", "state.deeper", "request.headers.no"], {}),
        (["response.content.text"], {"response": {"content": {"text": "hello"}}}),
        ([], {}),
        ([".", "..", ".*"], {}),
    ],
)
def test_fields_choose_parts(fields: list[str], expected: object) -> None:
    before = orjson.dumps(ENTRY)
    assert select(ENTRY, fields) == expected
    assert orjson.dumps(ENTRY) == before


def encode(expression: str, value: object) -> None:
    with contextlib.suppress(TooLarge, InvalidParams):
        orjson.dumps(evaluate(expression, value))


PATHS = st.lists(
    st.lists(
        st.sampled_from(["request", "headers", "Set-Cookie", "response", "*", "content", ""]),
        min_size=1,
        max_size=4,
    ).map(".".join),
    max_size=5,
)


@given(PATHS)
def test_what_is_chosen_is_of_the_entry_and_in_any_order(fields: list[str]) -> None:
    before = orjson.dumps(ENTRY)
    chosen = select(ENTRY, fields)
    assert chosen == select(ENTRY, fields[::-1])
    assert chosen.keys() <= ENTRY.keys()
    assert orjson.dumps(ENTRY) == before


def test_fields_are_checked() -> None:
    assert check_fields(None) == MINIMAL
    for bad in (["a"] * (MAX_FIELDS + 1), [""], ["x" * 1000]):
        with pytest.raises(InvalidParams):
            check_fields(bad)


def test_a_body_is_asked_for_by_its_name_only() -> None:
    assert asks_for(["Response.Content"], "response.content")
    assert asks_for(["response.content.text"], "response.content")
    assert not asks_for(["*", "response.*", "response", "response.contents"], "response.content")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("request.method", "GET"),
        ("request.headers[?name=='Set-Cookie'].value | [0]", "a"),
        ("length(request.headers)", 3),
        ("join(',', request.headers[].value)", "1,a,b"),
        ("nothing", None),
        ("sort_by(request.headers, &value)[-1].value", "b"),
    ],
)
def test_expressions_ask_questions(expression: str, value: object) -> None:
    assert evaluate(expression, ENTRY) == value


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "a[",
        "__import__('os')",
        "&a",
        "[&a]",
        "to_number('99999999999999999999999')",
        "length(`5`)",
        "nofunction(@)",
        "x" * 2000,
        "[" * 60 + "]" * 60,
        "(" * 900,
        "!" * 990 + "@",
        "join(@, @)",
        "sort_by(request.headers, &nothing)",
        "`[1",
        "'",
    ],
)
def test_expressions_that_are_wrong_are_refused(expression: str) -> None:
    with pytest.raises(InvalidParams):
        evaluate(expression, ENTRY)


@pytest.mark.parametrize(
    "expression",
    [
        "|".join(["[@,@]"] * 150),
        "|".join(["[@,@][]"] * 100),
        "to_string(" + "|".join(["[@,@]"] * 100) + ")",
        "|".join(["join('', [@,@])"] * 60).replace("@", "to_string(@)", 1),
        "|".join(["{a:@,b:@}"] * 100),
        "map(&map(&map(&map(&length(to_string(@)), $), $), $), $)".replace("$", "request.headers"),
    ],
)
def test_bombs_end(expression: str) -> None:
    value = ENTRY | {"request": {"headers": [{"name": "n", "value": "v"}] * 100}}
    encode(expression, value)


def test_an_expression_has_a_time() -> None:
    ticks = count()
    with pytest.raises(TooLarge):
        evaluate("request.method", ENTRY, lambda: float(next(ticks)))


def test_a_join_may_not_make_more_than_there_is_room_for() -> None:
    with pytest.raises(TooLarge):
        evaluate("join(big, list)", {"big": "x" * 1_000_000, "list": ["a"] * 100_000})


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("@[]{}()|&!.,:*?'`\"a0-=<>"), max_size=60))
def test_whatever_is_asked_gives_a_value_or_is_refused(expression: str) -> None:
    encode(expression, ENTRY)
