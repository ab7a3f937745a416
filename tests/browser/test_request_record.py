import pytest

from jupyter_ac.browser.request_record import (
    MAX_HEADER_BYTES,
    Frame,
    RequestRecord,
    answer_of,
    headers_of,
)


def test_headers_that_came_several_times_are_several() -> None:
    assert headers_of({"Set-Cookie": "a=1\nb=2", "X": 5}) == (
        ("Set-Cookie", "a=1"),
        ("Set-Cookie", "b=2"),
        ("X", ""),
    )
    assert headers_of(None) == ()


def test_huge_headers_are_cut_and_say_so() -> None:
    for value in ({"a": "x\n" * 100_000}, {f"h{n}": "x" * 100_000 for n in range(100)}):
        headers = headers_of(value)
        assert headers[-1] == ("…", "there are more headers")
        assert sum(len(name) + len(text) for name, text in headers) < MAX_HEADER_BYTES + 100


def test_an_answer_without_members_has_all_fields() -> None:
    answer = answer_of({})
    assert (answer.status, answer.address, answer.source) == (0, "", "network")
    cached = answer_of({"fromDiskCache": True, "remoteIPAddress": "::1", "remotePort": 80})
    assert (cached.source, cached.address) == ("disk cache", "::1:80")


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, "pending"),
        ({"pause_stage": "Request"}, "paused"),
        ({"answer": answer_of({})}, "loading"),
        ({"answer": answer_of({}), "pause_stage": "Response"}, "loading"),
        ({"ended_as": "failed", "pause_stage": "Request"}, "failed"),
        ({"ended_as": "complete", "answer": answer_of({})}, "complete"),
        ({"protocol": "websocket"}, "connecting"),
        ({"protocol": "websocket", "answer": answer_of({})}, "open"),
        ({"protocol": "websocket", "ended_as": "closed"}, "closed"),
    ],
)
def test_states_have_a_priority(changes: dict[str, object], state: str) -> None:
    record = RequestRecord(1, "r")
    for name, value in changes.items():
        setattr(record, name, value)
    assert record.state == state


def has_body(status: int, mime_type: str = "text/html", *, is_done: bool = True) -> bool:
    record = RequestRecord(1, "r", answer=answer_of({"status": status, "mimeType": mime_type}))
    record.ended_as = "complete" if is_done else None
    return record.has_body


def test_a_body_is_there_only_once_all_is_read() -> None:
    assert has_body(200)
    assert not has_body(200, is_done=False)
    assert not has_body(302)
    assert not has_body(200, "text/event-stream")


def test_the_oldest_frames_go() -> None:
    record = RequestRecord(1, "r")
    for number in range(1500):
        record.add_frame(Frame(is_sent=True, time=0, opcode=1, data=str(number)))
    assert (len(record.frames), record.frames[0].data) == (1000, "500")
