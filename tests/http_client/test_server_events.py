"""The parser of Server-Sent Events."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import TooLarge
from jupyter_ac.http_client import server_events
from jupyter_ac.http_client.server_events import EventParser


def parsed(*chunks: bytes) -> list[str]:
    parser = EventParser()
    return [data for chunk in chunks for data in parser.feed(chunk)]


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"data: one\n\ndata: two\n\n", ["one", "two"]),
        (b"data: one\r\n\r\ndata:two\r\rdata:  three\n\n", ["one", "two", " three"]),
        (b"data: a\ndata: b\n\n", ["a\nb"]),
        (b": comment\n\ndata: one\n\n", ["one"]),
        (b"id: 7\nevent: state\nretry: 1\ndata: one\n\n", ["one"]),
        (b"\xef\xbb\xbfdata: one\n\n", ["one"]),
        (b"data\n\n", [""]),
        (b"data: unfinished", []),
        (b"data: unfinished\n", []),
        ("data: żółw\n\n".encode(), ["żółw"]),
        (b"data: \xff\n\n", ["\ufffd"]),
        (b"databank: one\n\n", []),
    ],
)
def test_events_of_a_stream(stream: bytes, events: list[str]) -> None:
    assert parsed(stream) == events
    assert parsed(*(stream[at : at + 1] for at in range(len(stream)))) == events


TEXT = st.text(st.characters(exclude_characters="\r\n", codec="utf-8"))


@given(
    st.lists(st.lists(TEXT, min_size=1, max_size=3), max_size=5),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.lists(st.integers(0, 200), max_size=8),
)
def test_what_is_written_is_read_however_it_is_cut(
    events: list[list[str]], end: str, cuts: list[int]
) -> None:
    lines = [
        "".join(f"data: {line}{end}" for line in event) + f": comment{end}{end}" for event in events
    ]
    stream = "".join(lines).encode()
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    chunks = [stream[one:two] for one, two in pairwise(places)]
    assert parsed(*chunks) == ["\n".join(event) for event in events]


@given(st.lists(st.binary(max_size=40)))
def test_no_bytes_are_too_strange(chunks: list[bytes]) -> None:
    assert parsed(*chunks) == parsed(b"".join(chunks))


def test_an_event_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_events, "MAX_EVENT", 100)
    parser = EventParser()
    for _ in range(30):
        assert parser.feed(b"data: x\n\n") == ["x"]
    parser.feed(b"data: " + b"x" * 60)
    with pytest.raises(TooLarge):
        parser.feed(b"x" * 60)


def test_short_events_that_come_together_are_no_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_events, "MAX_EVENT", 100)
    parser = EventParser()
    for _ in range(3):
        assert parser.feed(b": keepalive\n\n" * 30) == []
        assert parser.feed(b"data: x\n\n" * 30) == ["x"] * 30
