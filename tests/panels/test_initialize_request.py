"""The check of what a host begins with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidParams
from jupyter_ac.panels.initialize_request import check_request

PLAIN = st.none() | st.booleans() | st.integers() | st.text()
json_values = st.recursive(
    PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5
)


@pytest.mark.parametrize(
    "request_",
    [
        {"protocolVersion": 3},
        {"protocolVersion": 3.0, "props": None, "env": None, "extensions": None},
        {"protocolVersion": 3, "props": {"a": 1}, "env": {}, "extensions": ["moveBefore", "x"]},
        {"protocolVersion": 3, "later": "members are ignored"},
    ],
)
def test_requests_of_version_3_pass(request_: dict[str, object]) -> None:
    check_request(request_)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ({}, "req.protocolVersion must be a whole number"),
        ({"protocolVersion": True}, "req.protocolVersion must be a whole number"),
        ({"protocolVersion": "3"}, "req.protocolVersion must be a whole number"),
        ({"protocolVersion": 4}, "the host version 4"),
        ({"protocolVersion": 3, "props": []}, "req.props must be an object or null"),
        ({"protocolVersion": 3, "env": 1}, "req.env must be an object or null"),
        ({"protocolVersion": 3, "extensions": "a"}, "req.extensions must be an array of strings"),
        ({"protocolVersion": 3, "extensions": [1]}, "req.extensions must be an array of strings"),
    ],
)
def test_others_are_refused_with_the_member(request_: dict[str, object], reason: str) -> None:
    with pytest.raises(InvalidParams, match=reason):
        check_request(request_)


@given(json_values, json_values, json_values)
def test_any_members_pass_or_are_refused(one: object, two: object, three: object) -> None:
    try:
        check_request({"protocolVersion": 3, "props": one, "env": two, "extensions": three})
    except InvalidParams:
        return
    assert isinstance(one, dict | None)
    assert isinstance(two, dict | None)
    assert isinstance(three, list | None)
