"""Rules of the interception: which forms are taken, and which rule holds."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.browser.interception_rules import (
    MAX_BODY_BYTES,
    MAX_RULES,
    Mock,
    Rule,
    RuleSet,
    answer_headers,
    parse_body,
    parse_headers,
    parse_rules,
    parse_status,
)
from jupyter_ac.errors import InvalidParams, TooLarge


@pytest.mark.parametrize(
    ("url", "action"),
    [
        ("https://x.org/all", "mock"),
        ("https://x.org/block", "block"),
        ("https://x.org/delay", "delay"),
        ("https://x.org/pause", "pause"),
        ("https://x.org/ALL", "pause"),
        ("http://x.org/ALL", "continue"),
    ],
)
def test_the_first_kind_wins_where_rules_overlap(url: str, action: str) -> None:
    rules = parse_rules(
        {
            "pause": ["https://*"],
            "delay": {"*/all": 1, "*/block": 2, "*/delay": 3},
            "block": ["https*/all", "https*/block"],
            "mock": {"https*/all": ""},
        }
    )
    assert rules.decide(url).action == action


def test_of_one_kind_the_first_rule_wins() -> None:
    rules = parse_rules({"mock": {"*a*": "1", "*": "2"}, "block": ["*"]})
    assert rules.decide("xax").mock.body == b"1"
    assert rules.decide("x").mock.body == b"2"
    assert len(rules) == 3
    assert rules.counts() == {"mock": 2, "block": 1, "delay": 0, "pause": 0}


def test_without_rules_all_goes_on() -> None:
    rules = parse_rules({})
    assert rules.decide("x").action == "continue"
    assert rules.patterns() == []
    assert rules.source == {}


def test_patterns_are_for_the_browser_and_named_once() -> None:
    rules = parse_rules({"block": ["*.[jt]s", "*/a"], "pause": ["*/a"]})
    assert rules.patterns() == ["*.?s", "*/a"]


def test_a_mock_has_all_parts() -> None:
    body = base64.b64encode(b"\0\1").decode()
    rules = parse_rules(
        {"mock": {"*": {"body": body, "base64": True, "status": 404, "headers": {"X-A": "b"}}}}
    )
    assert rules.decide("x") == Rule("mock", "*", Mock(404, (("X-A", "b"),), b"\0\1"))


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"mocks": {}},
        {"mock": []},
        {"mock": {"*": 1}},
        {"mock": {"*": {"text": ""}}},
        {"mock": {"*": {"body": {"a": 1}}}},
        {"mock": {"*": {"body": "\ud800"}}},
        {"mock": {"*": {"body": "?", "base64": True}}},
        {"mock": {"*": {"base64": 1}}},
        {"mock": {"*": {"status": True}}},
        {"mock": {"*": {"status": 101}}},
        {"mock": {"*": {"status": "200"}}},
        {"mock": {"*": {"headers": {"a b": "c"}}}},
        {"mock": {"*": {"headers": {"a": "b\r\nc: d"}}}},
        {"mock": {"*": {"headers": {"a": 1}}}},
        {"mock": {"": ""}},
        {"block": "x"},
        {"block": [1]},
        {"block": [""]},
        {"block": ["a\nb"]},
        {"block": ["a" * 501]},
        {"delay": ["x"]},
        {"delay": {"x": -1}},
        {"delay": {"x": 60_001}},
        {"delay": {"x": True}},
        {"delay": {"x": "1"}},
        {"pause": {"x": 1}},
    ],
)
def test_wrong_rules_are_refused(value: object) -> None:
    with pytest.raises(InvalidParams):
        parse_rules(value)


def test_there_are_limits() -> None:
    parse_rules({"block": ["*"] * MAX_RULES})
    for value in (
        {"block": ["*"] * MAX_RULES, "pause": ["*"]},
        {"mock": {"a": "a" * (MAX_BODY_BYTES + 1)}},
        {"mock": {"a": "a" * MAX_BODY_BYTES, "b": "b"}},
    ):
        with pytest.raises(TooLarge):
            parse_rules(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 700) | st.text("ab*\n", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["mock", "block", "delay", "pause", "body", "status", "headers", "base64", "*"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=10,
)


@given(JSON)
def test_any_rules_are_taken_or_refused(value: object) -> None:
    try:
        rules = parse_rules(value)
    except InvalidParams:
        return
    assert isinstance(rules, RuleSet)
    assert rules.source == value
    assert sum(rules.counts().values()) == len(rules)


@given(st.text(max_size=20), st.text(max_size=20))
def test_no_header_has_a_line_of_its_own(name: str, value: str) -> None:
    for headers in ({name: value}, [{"name": name, "value": value}]):
        try:
            ((parsed_name, parsed_value),) = parse_headers(headers)
        except InvalidParams:
            continue
        assert (parsed_name, parsed_value) == (name, value)
        line = f"{name}: {value}"
        assert line.isascii()
        assert len(line.splitlines()) == 1
        assert ":" not in name
        assert " " not in name


MANY = {f"a{number}": "" for number in range(51)}


@pytest.mark.parametrize("value", [None, "a: b", [1], [{"name": "a"}], {"a": "b" * 9000}, MANY])
def test_wrong_headers_are_refused(value: object) -> None:
    with pytest.raises(InvalidParams):
        parse_headers(value)


def test_statuses_and_bodies() -> None:
    assert parse_status(599) == 599
    assert parse_body("ä", is_base64=False) == "ä".encode()
    with pytest.raises(InvalidParams):
        parse_status(600)
    with pytest.raises(InvalidParams):
        parse_body(b"x", is_base64=False)
    with pytest.raises(InvalidParams):
        parse_body("ä", is_base64=True)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"a": 1}', "application/json"),
        (b" <!DOCTYPE html><p>", "text/html; charset=utf-8"),
        (b"text", "text/plain; charset=utf-8"),
        (b"[" * 100_000, "text/plain; charset=utf-8"),
        (b"\xff\xfe", "text/plain; charset=utf-8"),
    ],
)
def test_an_answer_says_what_it_is(body: bytes, kind: str) -> None:
    assert answer_headers((), body, {}) == [{"name": "Content-Type", "value": kind}]
    own = (("content-TYPE", "x"),)
    assert answer_headers(own, body, {}) == [{"name": "content-TYPE", "value": "x"}]
    assert answer_headers((), b"", {}) == []


def test_an_answer_allows_the_origin_that_asks() -> None:
    headers = answer_headers((), b"", {"origin": "http://a"})
    assert {each["name"]: each["value"] for each in headers} == {
        "Access-Control-Allow-Origin": "http://a",
        "Access-Control-Allow-Credentials": "true",
    }
    own = (("access-control-allow-origin", "http://b"),)
    assert len(answer_headers(own, b"", {"Origin": "http://a"})) == 1
    assert json.dumps(headers)
