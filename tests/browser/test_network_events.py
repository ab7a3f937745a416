from itertools import permutations

import pytest

from jupyter_ac.browser.network_events import MAX_EARLY, NetworkEvents
from jupyter_ac.browser.request_record import RequestRecord
from jupyter_ac.browser.request_store import RecordLimits, RequestStore
from jupyter_ac.browser.row_ids import RowIds
from tests.browser.recordings import (
    Event,
    answer,
    answer_extra,
    event,
    failed,
    finished,
    request,
    request_extra,
)


def records(*events: Event) -> list[RequestRecord]:
    store = RequestStore(RowIds(), RecordLimits(1000, 10**9))
    taker = NetworkEvents(store, "t", lambda: 5.0)
    for method, params in events:
        taker.take(method, params, "s")
    return list(store)


@pytest.mark.parametrize(
    "events",
    list(permutations([request(), request_extra(Cookie="c"), answer_extra(status=304, X="y")])),
)
def test_what_went_over_the_wire_may_come_first_or_last(events: tuple[Event, ...]) -> None:
    [record] = records(*events)
    assert record.request_headers == (("Cookie", "c"),)
    assert (record.status, record.answer_headers) == (304, (("X", "y"),))


def test_each_redirect_gets_the_headers_of_its_own() -> None:
    redirect = request(url="http://h/2", redirectResponse={"status": 302})
    found = records(
        request_extra(N="1"),
        request(),
        answer_extra(status=302, A="1"),
        request_extra(N="2"),
        redirect,
        answer(),
        answer_extra(A="2"),
        finished(),
    )
    assert [dict(record.request_headers) for record in found] == [{"N": "1"}, {"N": "2"}]
    assert [dict(record.answer_headers) for record in found] == [{"A": "1"}, {"A": "2"}]
    assert [record.state for record in found] == ["complete", "complete"]


def test_a_redirect_without_headers_of_the_wire_leaves_them_to_the_next() -> None:
    found = records(
        request(),
        request_extra(N="2"),
        answer_extra(status=200, A="2"),
        request(
            url="http://h/2",
            redirectResponse={"status": 307},
            redirectHasExtraInfo=False,
        ),
    )
    assert [record.status for record in found] == [307, 200]
    assert [record.extra_headers for record in found] == [None, (("N", "2"),)]


def test_a_failure_before_the_answer_stays_a_failure() -> None:
    [record] = records(request(), failed(blockedReason="csp", canceled=True), answer(), finished())
    assert (record.state, record.error) == ("failed", "net::ERR_FAILED, blocked: csp, canceled")


def test_a_failure_has_the_reason_of_cors() -> None:
    [record] = records(
        request(), failed(corsErrorStatus={"corsError": "Odd", "failedParameter": "x"})
    )
    assert record.error == "net::ERR_FAILED, CORS: Odd, x"


def test_events_of_unknown_requests_are_left_out() -> None:
    assert records(answer(), finished(), failed(), ("Network.odd", {}), ("Page.x", {})) == []


def test_a_second_session_that_tells_of_a_request_makes_no_second_row() -> None:
    assert len(records(request(), request(), answer(), finished())) == 1


def test_an_id_that_is_used_again_after_its_end_makes_a_new_row() -> None:
    found = records(request(), answer(), finished(), request(), failed())
    assert [record.state for record in found] == ["complete", "failed"]


def test_a_pause_at_the_next_hop_may_come_before_its_request() -> None:
    details = {"url": "http://h/2", "method": "GET"}
    pause = event("Fetch.requestPaused", requestId="f2", networkId="1", request=details)
    found = records(request(), pause)
    assert [record.state for record in found] == ["pending", "paused"]
    found = records(
        request(),
        pause,
        request(url="http://h/2", redirectResponse={"status": 302}),
    )
    assert [(record.url, record.state) for record in found] == [
        ("http://h/", "complete"),
        ("http://h/2", "paused"),
    ]
    assert found[0].redirected_to == found[1].id


def test_a_pause_without_a_network_id_gets_a_row_of_its_own() -> None:
    pause = {"requestId": "f", "responseStatusCode": 200, "request": {"url": "http://h/"}}
    [record] = records(("Fetch.requestPaused", pause), ("Fetch.requestPaused", {}))
    assert (record.request_id, record.pause_stage, record.url) == ("f", "Response", "http://h/")


def test_sizes_that_are_no_numbers_are_left_out() -> None:
    data = ("Network.dataReceived", {"requestId": "1", "encodedDataLength": 7})
    bad = ("Network.dataReceived", {"requestId": "1", "encodedDataLength": float("nan")})
    [record] = records(request(), data, bad, finished(size=float("nan"), timestamp=None))
    assert record.size == 7


def test_times_are_seconds_since_1970_by_the_clock_of_the_browser() -> None:
    [record] = records(request(), finished())
    assert (record.wall(record.started), record.time_ms) == (1000.0, 1000.0)
    [record] = records(request(wallTime=None))
    assert record.wall(record.started) == 5.0


def test_early_headers_are_bounded() -> None:
    store = RequestStore(RowIds(), RecordLimits(1000, 10**9))
    taker = NetworkEvents(store, "", lambda: 0.0)
    for number in range(MAX_EARLY * 3):
        for _ in range(9):
            taker.take(*request_extra(str(number), A="1"), "")
    assert len(taker._early) == MAX_EARLY
    assert max(map(len, taker._early.values())) == 4


def test_what_is_posted_is_kept_up_to_a_bound() -> None:
    [record] = records(request(postData="p" * 1_000_000, method="POST"))
    assert record.has_post_data
    assert len(record.post_data or "") < 70_000


def test_it_says_what_started_a_request() -> None:
    stack = {"callFrames": [{"url": "http://h/a.js", "lineNumber": 4}]}
    found = records(
        request("1", initiator={"type": "script", "stack": stack}),
        request("2", initiator={"type": "parser", "url": "http://h/", "lineNumber": 0}),
        request("3", initiator={"type": "other", "stack": {"callFrames": [None]}}),
    )
    assert [record.initiator for record in found] == [
        "script http://h/a.js:5",
        "parser http://h/:1",
        "other",
    ]


def test_a_socket_that_fails_is_a_failure() -> None:
    created = event("Network.webSocketCreated", requestId="w", url="ws://h/")
    error = event("Network.webSocketFrameError", requestId="w", errorMessage="refused")
    closed = event("Network.webSocketClosed", requestId="w")
    [record] = records(created, error, closed)
    assert (record.state, record.error) == ("failed", "refused")
