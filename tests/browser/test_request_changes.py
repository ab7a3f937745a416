"""Changes of paused requests and responses: checked, and as the browser wants them."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.request_changes import (
    FAIL_REASONS,
    parse_reason,
    request_changes,
    response_changes,
)
from jupyter_ac.errors import InvalidParams

PAUSED: Json = {"responseStatusCode": 200, "responseHeaders": [{"name": "a", "value": "b"}]}


def test_all_of_a_request_can_be_changed() -> None:
    wanted = {
        "url": "https://x.org/",
        "method": "PUT",
        "headers": {"A": "b"},
        "post_data": "ä",
        "intercept_response": True,
    }
    assert request_changes(wanted) == {
        "url": "https://x.org/",
        "method": "PUT",
        "headers": [{"name": "A", "value": "b"}],
        "postData": base64.b64encode("ä".encode()).decode(),
        "interceptResponse": True,
    }
    assert request_changes({"postData": ""}) == {"postData": ""}
    assert request_changes(None) == request_changes({}) == {}


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {"requestId": "x"},
        {"post_data": "a", "postData": "b"},
        {"response_code": 200},
        {"url": "file:///etc/passwd"},
        {"url": "javascript:1"},
        {"url": "//x.org"},
        {"url": "http://[x"},
        {"url": 1},
        {"url": "https://x.org/" + "a" * 100_000},
        {"method": ""},
        {"method": "GET /"},
        {"method": "A" * 33},
        {"headers": "x"},
        {"post_data": 1},
        {"intercept_response": 1},
        {1: 2},
    ],
)
def test_wrong_changes_of_a_request_are_refused(wrong: object) -> None:
    with pytest.raises(InvalidParams):
        request_changes(wrong)


def test_what_is_not_changed_of_a_response_is_as_it_came() -> None:
    assert response_changes(None, PAUSED) == {}
    assert response_changes({"response_code": 404}, PAUSED) == {
        "responseCode": 404,
        "responseHeaders": PAUSED["responseHeaders"],
    }
    assert response_changes({"responseHeaders": [], "response_phrase": "Fine"}, PAUSED) == {
        "responseCode": 200,
        "responseHeaders": [],
        "responsePhrase": "Fine",
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"response_code": 99},
        {"response_phrase": "a\nb"},
        {"response_headers": 1},
        {"url": "http://x"},
    ],
)
def test_wrong_changes_of_a_response_are_refused(wrong: object) -> None:
    with pytest.raises(InvalidParams):
        response_changes(wrong, PAUSED)


def test_a_failed_request_has_no_response_to_change() -> None:
    failed: Json = {"responseErrorReason": "Failed"}
    assert response_changes(None, failed) == {}
    with pytest.raises(InvalidParams):
        response_changes({"response_code": 200}, failed)


def test_reasons_are_the_browsers() -> None:
    assert all(parse_reason(reason) == reason for reason in FAIL_REASONS)
    for wrong in ("", "failed", None, 1):
        with pytest.raises(InvalidParams):
            parse_reason(wrong)


@given(
    st.dictionaries(
        st.sampled_from(["url", "method", "headers", "post_data", "postData", "other"]),
        st.none() | st.text(max_size=10) | st.integers() | st.dictionaries(st.text(), st.text()),
    )
)
def test_any_changes_are_taken_or_refused(wanted: dict[str, object]) -> None:
    try:
        changes = request_changes(wanted)
    except InvalidParams:
        return
    assert changes.keys() <= {"url", "method", "headers", "postData"}
