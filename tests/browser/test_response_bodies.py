import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.browser.network_log import NetworkLog
from jupyter_ac.browser.response_bodies import MAX_BODY, body_of, read_body, read_post_data
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.errors import NotFound
from tests.browser.recordings import (
    AnsweringSession,
    Event,
    answer,
    bodies,
    failed,
    finished,
    recorded,
    request,
)


def log_of(*events: Event) -> NetworkLog:
    log = NetworkLog(RowIds())
    for method, params in events:
        log.take(method, params)
    return log


def row(log: NetworkLog, path: str) -> int:
    return next(record.id for record in log.store if record.url.endswith(path))


async def test_real_bodies_are_read() -> None:
    log, session = log_of(*recorded("page")), AnsweringSession(bodies())
    read = await read_body(session, log, row(log, "/login"))
    assert (read.text, read.encoding, read.size) == ('{"token":"tok-123456789"}', "", 25)
    binary = await read_body(session, log, row(log, "/image.bin"))
    assert base64.b64decode(binary.text) == bytes(range(256))
    assert binary.content()["encoding"] == "base64"
    assert log.record(row(log, "/login")).body_status == "ok"


async def test_a_redirect_leads_to_the_body_at_its_end() -> None:
    log, session = log_of(*recorded("page")), AnsweringSession(bodies())
    first = row(log, "/redirect/3")
    read = await read_body(session, log, first)
    assert read.text == "end of chain"
    assert [log.record(hop).url[-1] for hop in read.chain] == ["3", "2", "1", "0"]
    assert read.content()["chain"] == list(read.chain)


async def test_a_loop_of_redirects_is_followed_five_times() -> None:
    log, session = log_of(*recorded("page")), AnsweringSession({})
    read = await read_body(session, log, row(log, "/loop"))
    assert (len(read.chain), read.error) == (6, "there are more than 5 redirects")
    assert session.asked == []


@pytest.mark.parametrize(
    ("events", "error"),
    [
        ([request()], "it is still loading"),
        ([request(type="EventSource"), answer(type="EventSource"), finished()], "event stream"),
        ([request(), answer(mimeType="text/event-stream"), finished()], "event stream"),
        ([request(), answer(status=304), finished()], "a redirect has no body"),
        ([("Network.webSocketCreated", {"requestId": "1"})], "websocket.frames"),
    ],
)
async def test_what_has_no_body_is_not_asked_for(events: list[Event], error: str) -> None:
    session = AnsweringSession({"1": {"body": "x"}})
    read = await read_body(session, log_of(*events), 1)
    assert error in read.error
    assert read.content() == {"error": read.error}
    assert session.asked == []


async def test_a_body_that_has_gone_is_said_so() -> None:
    log = log_of(request(), failed())
    read = await read_body(AnsweringSession({}), log, 1)
    assert "No resource with given identifier" in read.error
    assert log.record(1).body_status == "err"
    with pytest.raises(NotFound):
        await read_body(AnsweringSession({}), log, 99)


async def test_what_was_posted_is_read_when_it_was_not_told() -> None:
    log = log_of(request("1", hasPostData=True), request("2", postData="p"), request("3"))
    session = AnsweringSession({"1": {"postData": "a=1"}})
    found = [await read_post_data(session, record) for record in log.store]
    assert found == ["a=1", "p", None]
    assert await read_post_data(AnsweringSession({}), log.record(1)) is None


@given(st.binary(max_size=50))
def test_bytes_are_text_if_they_can_be(data: bytes) -> None:
    read = body_of({"body": base64.b64encode(data).decode(), "base64Encoded": True})
    restored = base64.b64decode(read.text) if read.encoding else read.text.encode()
    assert (restored, read.size) == (data, len(data))


def test_odd_and_huge_bodies_are_bounded() -> None:
    assert body_of({"body": "!", "base64Encoded": True}).error
    assert body_of({"body": "ä", "base64Encoded": True}).error
    assert body_of({}).text == ""
    assert body_of({"body": "\ud800"}).text == "\ufffd"
    huge = body_of({"body": "x" * (MAX_BODY + 5)})
    assert (huge.is_cut, len(huge.text), huge.size) == (True, MAX_BODY, MAX_BODY + 5)
    assert huge.content()["truncated"] is True
    data = base64.b64encode(b"\xff" * MAX_BODY).decode()
    cut = body_of({"body": data, "base64Encoded": True})
    assert base64.b64decode(cut.text)
