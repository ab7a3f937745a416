"""Bytes cut into lines."""

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.transports.splitter import LineSplitter, Oversize

LIMIT = 20


def split(pieces: list[bytes], limit: int = LIMIT) -> list[bytes | Oversize]:
    splitter = LineSplitter(limit)
    return [line for piece in pieces for line in splitter.feed(piece)]


@st.composite
def cut_up(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    data = draw(
        st.lists(st.sampled_from([b"a", b"bc", b" ", b"\r", b"\n", b"\xff" * 9])).map(b"".join)
    )
    places = sorted(draw(st.lists(st.integers(0, len(data)))))
    pieces = [data[one:two] for one, two in zip([0, *places], [*places, len(data)], strict=True)]
    return data, pieces


@given(cut_up())
def test_it_does_not_matter_how_the_bytes_come(case: tuple[bytes, list[bytes]]) -> None:
    data, pieces = case
    lines = [line for line in data.split(b"\n")[:-1] if line and not line.isspace()]
    # A blank line that is too long is told of as well; nothing else can say that it was blank.
    blank = [line for line in data.split(b"\n")[:-1] if line.isspace() and len(line) > LIMIT]
    found = split(pieces)
    assert [line for line in found if isinstance(line, bytes)] == [
        line for line in lines if len(line) <= LIMIT
    ]
    assert sum(isinstance(line, Oversize) for line in found) == len(blank) + sum(
        len(line) > LIMIT for line in lines
    )


def test_a_line_that_is_too_long_is_dropped_and_the_next_one_is_whole() -> None:
    pieces = [b'["a",' + b"x" * 30, b"x" * 10_000, b"x\nshort\n", b"y" * 20 + b"\n"]
    first, *rest = split(pieces)
    assert isinstance(first, Oversize)
    assert first.start.startswith(b'["a",')
    assert rest == [b"short", b"y" * 20]


def test_of_a_line_that_never_ends_only_its_start_is_kept() -> None:
    splitter = LineSplitter(LIMIT)
    for _ in range(100):
        assert list(splitter.feed(b"z" * 1000)) == []
    assert len(b"".join(splitter._parts)) == 0
    (line,) = splitter.feed(b"\n")
    assert isinstance(line, Oversize)
    assert len(line.start) <= 1000


def test_the_rest_is_what_came_after_the_last_line() -> None:
    splitter = LineSplitter(LIMIT)
    assert splitter.rest() is None
    assert list(splitter.feed(b"one\n tw")) == [b"one"]
    assert list(splitter.feed(b"o")) == []
    assert splitter.rest() == b" two"
    assert list(splitter.feed(b"three\n  ")) == [b"three"]
    assert splitter.rest() is None
    assert list(splitter.feed(b"x" * 30)) == []
    assert isinstance(splitter.rest(), Oversize)
