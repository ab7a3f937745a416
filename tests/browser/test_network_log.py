from fnmatch import fnmatchcase
from random import Random
from typing import Literal, cast

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.browser.network_log import NetworkLog, NetworkQuery
from jupyter_ac.browser.request_record import STATES
from jupyter_ac.browser.request_store import RecordLimits
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.errors import InvalidParams, NotFound
from tests.browser.recordings import Event, answer, failed, finished, recorded, request

ALL = NetworkQuery()
OLDEST_FIRST = NetworkQuery(order="asc")
SECRETS = ("verysecretcookie", "hunter22", "abcdefgh12345678", "secretsecret", "tok-123456789")


def log_of(*events: Event, row_ids: RowIds | None = None, **limits: int) -> NetworkLog:
    bounds = RecordLimits(limits.get("count", 1000), limits.get("size_bytes", 10_000_000))
    log = NetworkLog(row_ids or RowIds(), bounds, now=lambda: 5.0)
    for method, params in events:
        log.take(method, params)
    return log


def ids(log: NetworkLog, query: NetworkQuery = ALL) -> list[int]:
    return [row["id"] for row in log.rows(query)]


def test_a_real_page_is_recorded() -> None:
    rows = log_of(*recorded("page")).rows(NetworkQuery(limit=100, order="asc"))
    by_path = {
        row["url"].partition("?")[0].rpartition("/")[2] + ":" + row["type"]: row for row in rows
    }
    assert by_path[":Document"]["status"] == 200
    assert by_path["app.js:Script"]["state"] == "complete"
    assert by_path["missing:Fetch"]["status"] == 404
    assert by_path["refused:Fetch"]["error"] == "net::ERR_UNSAFE_PORT"
    assert by_path["nocors:Fetch"]["error"] == (
        "net::ERR_FAILED, CORS: PreflightMissingAllowOriginHeader"
    )
    assert by_path["slow:Fetch"]["error"] == "net::ERR_ABORTED, canceled"
    assert by_path["loop:Fetch"]["state"] == "failed"
    assert by_path["events:EventSource"]["frames_received"] == 3
    socket = by_path[":WebSocket"]
    assert (socket["state"], socket["protocol"], socket["status"]) == ("closed", "websocket", 101)
    assert (socket["frames_sent"], socket["frames_received"]) == (2, 2)
    assert all(row["started_datetime"].startswith("2026-11-27T17:49:2") for row in rows)
    assert all(row["state"] in ("complete", "failed", "closed") for row in rows)


def test_what_is_listed_of_a_real_page_has_no_secrets() -> None:
    log = log_of(*recorded("page"))
    shown = orjson.dumps(log.rows(NetworkQuery(limit=1000))).decode()
    assert [secret for secret in SECRETS if secret in shown] == []
    revealed = orjson.dumps(log.rows(NetworkQuery(limit=1000, reveal=True))).decode()
    assert "secretsecret" in revealed


def test_a_real_chain_of_redirects_has_a_row_for_each() -> None:
    log = log_of(*recorded("page"))
    rows = [row for row in log.rows(NetworkQuery(order="asc")) if "/redirect/" in row["url"]]
    assert [row["status"] for row in rows] == [302, 302, 302, 200]
    records = [log.record(row["id"]) for row in rows]
    assert [record.redirected_to for record in records] == [*(row["id"] for row in rows[1:]), None]
    cookies = [dict(record.answer_headers).get("Set-Cookie") for record in records]
    assert cookies == ["hop3=value3", "hop2=value2", "hop1=value1", None]
    assert all(dict(record.request_headers)["Host"] for record in records)


def test_real_pauses_are_marked_and_end() -> None:
    log = NetworkLog(RowIds())
    states = []
    for method, params in recorded("paused"):
        log.take(method, params)
        if method == "Fetch.requestPaused":
            row = log.rows(NetworkQuery(limit=1))[0]
            states.append((row["url"][-1], row["state"], row.get("pause_stage")))
            assert row["paused_id"] == params["requestId"]
    assert states == [(hop, "paused", stage) for hop in "210" for stage in ("Request", "Response")]
    assert [row["state"] for row in log.rows(NetworkQuery())] == ["complete"] * 3


def test_queries_choose_rows() -> None:
    log = log_of(
        request("1", "http://h/a.js", type="Script"),
        answer("1"),
        finished("1"),
        request("2", "http://h/api?x=[1]", method="POST"),
        answer("2", 500),
        request("3", "http://h/b"),
        failed("3"),
        request("4", "http://h/c"),
    )
    log.take("Network.responseReceived", {"requestId": "1"})
    assert ids(log) == [4, 3, 2, 1]
    assert ids(log, NetworkQuery(order="asc", limit=2)) == [1, 2]
    assert ids(log, NetworkQuery(status=500)) == [2]
    assert ids(log, NetworkQuery(method="post")) == [2]
    assert ids(log, NetworkQuery(resource_type="script")) == []
    assert ids(log, NetworkQuery(url="*/api*")) == [2]
    assert ids(log, NetworkQuery(url="/api")) == []
    assert ids(log, NetworkQuery(state="failed")) == [3]
    assert ids(log, NetworkQuery(state="pending")) == [4]
    assert ids(log, NetworkQuery(state="loading")) == [2]

    def hides(kind: str, url: str) -> bool:
        return kind == "Fetch" and url.endswith("/b")

    assert ids(log, NetworkQuery(hides=hides)) == [4, 2, 1]
    assert ids(log, NetworkQuery(hides=hides, show_all=True)) == [4, 3, 2, 1]


@pytest.mark.parametrize(
    "query",
    [
        NetworkQuery(limit=0),
        NetworkQuery(limit=10**9),
        NetworkQuery(state="odd"),
        NetworkQuery(order=cast("Literal['asc']", "up")),
        NetworkQuery(url="*" * 100),
        NetworkQuery(url="a" * 10_000),
    ],
)
def test_a_query_for_what_cannot_be_is_refused(query: NetworkQuery) -> None:
    with pytest.raises(InvalidParams):
        NetworkLog(RowIds()).rows(query)


def test_a_glob_finds_no_secrets() -> None:
    log = log_of(*recorded("page"))
    revealed = log.rows(NetworkQuery(limit=1000, reveal=True))
    (secret, *_) = [row["url"] for row in revealed if "secretsecret" in row["url"]]
    assert log.rows(NetworkQuery(url="*secretsecret*")) == []
    assert log.rows(NetworkQuery(url="*secretsecret*", reveal=True))
    assert log.rows(NetworkQuery(url=f"{secret.partition('secretsecret')[0]}*"))


def test_ids_are_never_used_again() -> None:
    row_ids = RowIds()
    first, second = log_of(row_ids=row_ids), log_of(row_ids=row_ids)
    for log in (first, second, first):
        log.take(*request("1"))
        log.clear()
        log.take(*request("1"))
    assert row_ids.last == 5  # the last one is the same request as before
    with pytest.raises(NotFound):
        first.record(1)


def test_failures_after_a_mark_are_new_whenever_they_began() -> None:
    log = log_of(request("1"), request("2"), failed("2"))
    mark = log.mark()
    assert log.failed_since(mark) == []
    for event in (answer("1", 404), finished("1"), request("3"), answer("3"), finished("3")):
        log.take(*event)
    assert [record.id for record in log.failed_since(mark)] == [1]
    assert [record.id for record in log.failed_since(0)] == [2, 1]


def test_clear_keeps_what_waits_for_the_user() -> None:
    log = log_of(request("1"), request("2"))
    assert log.mark_paused("2", "f", "Request") == 2
    log.clear()
    assert ids(log) == [2]
    assert log.row_of("1") is None
    log.take(*answer("1"))
    assert ids(log) == [2]


def test_a_pause_of_an_unknown_request_gets_a_row_that_the_request_fills() -> None:
    log = log_of()
    row_id = log.mark_paused("n1", "interception-job-1.0", "Request")
    assert log.row_of("n1") == row_id
    log.take(*request("n1", "http://h/x"))
    [row] = log.rows(NetworkQuery())
    assert (row["id"], row["url"], row["state"]) == (row_id, "http://h/x", "paused")
    log.unmark_paused(row_id)
    log.unmark_paused(999)
    assert log.rows(NetworkQuery())[0]["state"] == "pending"


def test_a_flood_of_requests_stays_within_the_bounds() -> None:
    log = log_of(count=500)
    for number in range(100_000):
        log.take(*request(str(number), "http://h/" + "x" * (number % 50)))
    assert len(log) == 500
    assert log.store.dropped == 99_500
    assert log.store.size_bytes == sum(record.weight for record in log.store)
    assert ids(log, NetworkQuery(limit=1)) == [100_000]


def test_bytes_are_bounded_too() -> None:
    log = log_of(size_bytes=1_000_000)
    headers = {f"x-{number}": "v" * 100_000 for number in range(1000)}
    for number in range(500):
        log.take(*request(str(number), "data:" + "x" * 1_000_000, headers=headers))
        log.take(*answer(str(number), headers=headers))
    assert log.store.size_bytes <= 1_000_000
    assert len(log.rows(NetworkQuery(limit=1))[0]["url"]) < 3000


def test_what_is_open_or_waits_outlives_what_is_done() -> None:
    log = log_of(
        ("Network.webSocketCreated", {"requestId": "ws", "url": "ws://h/"}), request("p"), count=10
    )
    log.mark_paused("p", "f", "Request")
    for number in range(100):
        log.take(*request(str(number)))
    assert ids(log, OLDEST_FIRST)[:2] == [1, 2]
    assert len(log) == 10


def test_frames_of_a_socket_are_bounded_and_counted() -> None:
    log = log_of(("Network.webSocketCreated", {"requestId": "ws", "url": "ws://h/"}))
    for number in range(3000):
        response = {"opcode": 1, "payloadData": str(number) + "y" * 100_000}
        log.take("Network.webSocketFrameSent", {"requestId": "ws", "response": response})
    record = log.record(1)
    assert record.frames_sent == 3000
    assert record.frame_bytes <= 2_000_000
    assert record.frames[-1].data.startswith("2999")
    assert log.store.size_bytes == record.weight


JUNK = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(st.characters(), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["requestId", "request", "url", "headers", "status", "response"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
NAMES = sorted({method for method, _ in recorded("page") + recorded("paused")})
MEMBERS = sorted({name for _, params in recorded("page") for name in params})


@st.composite
def odd_events(draw: st.DrawFn) -> Event:
    name = draw(st.sampled_from(NAMES))
    params: dict[str, object] = dict(
        draw(st.dictionaries(st.sampled_from(MEMBERS), JUNK, max_size=6))
    )
    params["requestId"] = draw(st.sampled_from(["1", "2"]) | JUNK)
    return name, params


GOOD = st.sampled_from(
    [
        request("1"),
        request("1", "http://h/2", redirectResponse={"status": 302}),
        request("1", redirectResponse={"status": 301}, redirectHasExtraInfo=False),
        request("2"),
        answer("1"),
        answer("2", 404),
        finished("1"),
        failed("2"),
        ("Fetch.requestPaused", {"requestId": "f", "networkId": "1", "request": {"url": "u"}}),
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(odd_events() | GOOD, max_size=25))
def test_whatever_comes_in_whichever_order_can_be_listed(events: list[Event]) -> None:
    log = log_of(*events, count=6)
    rows = log.rows(NetworkQuery(limit=1000))
    orjson.dumps(rows)
    assert len(rows) <= 6
    assert all(row["state"] in STATES for row in rows)
    assert [row["id"] for row in rows] == sorted({row["id"] for row in rows}, reverse=True)
    assert log.store.size_bytes == sum(record.weight for record in log.store)


@settings(max_examples=50, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["page", "paused"]))
def test_real_events_in_any_order_are_taken(random: Random, name: str) -> None:
    events = list(recorded(name))
    random.shuffle(events)
    orjson.dumps(log_of(*events).rows(NetworkQuery(limit=1000)))


@given(st.text("ab*?[]!-", max_size=12), st.text("ab[]?*-", max_size=8))
def test_a_glob_means_what_fnmatch_says(glob: str, rest: str) -> None:
    log = log_of(request("1", f"http://h/{rest}"))
    for pattern in (glob, f"http://h/{glob}"):
        expected = fnmatchcase(f"http://h/{rest}", pattern)
        assert bool(log.rows(NetworkQuery(url=pattern))) == expected
