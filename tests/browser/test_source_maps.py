import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.browser.source_maps import BrokenSourceMap, Original, SourceMap, decode_vlq

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def encoded(values: list[int]) -> str:
    text = ""
    for value in values:
        rest = (abs(value) << 1) | (value < 0)
        while rest >= 32:
            text += DIGITS[rest & 31 | 32]
            rest >>= 5
        text += DIGITS[rest]
    return text


def source_map(mappings: object, **more: object) -> str:
    values = {"version": 3, "sources": ["a.ts", "b.ts"], "mappings": mappings} | more
    return orjson.dumps(values).decode()


NUMBERS = st.integers(-(2**40), 2**40)


@given(st.lists(NUMBERS, min_size=4, max_size=5) | st.lists(NUMBERS, min_size=1, max_size=1))
def test_segments_round_trip(values: list[int]) -> None:
    assert decode_vlq(encoded(values)) == tuple(values)


@given(st.text(DIGITS + " ;é", max_size=30))
def test_whatever_is_decoded_is_numbers_or_refused(segment: str) -> None:
    try:
        values = decode_vlq(segment)
    except BrokenSourceMap:
        return
    assert len(values) in (1, 4, 5)


@pytest.mark.parametrize("segment", ["", "g", "AA", "AAA", "AAAAAA", "!", "g" * 100])
def test_broken_segments_are_refused(segment: str) -> None:
    with pytest.raises(BrokenSourceMap):
        decode_vlq(segment)


PLACES = st.lists(
    st.lists(
        st.tuples(st.integers(0, 300), st.integers(0, 1), st.integers(0, 900), st.integers(0, 200)),
        max_size=6,
        unique_by=lambda place: place[0],
    ).map(sorted),
    min_size=1,
    max_size=8,
)


@settings(deadline=None)
@given(PLACES, st.data())
def test_a_place_is_that_of_the_last_segment_before_it(
    lines: list[list[tuple[int, int, int, int]]], data: st.DataObject
) -> None:
    before = [0, 0, 0]
    parts: list[str] = []
    for places in lines:
        generated, segments = 0, []
        for column, *rest in places:
            change = [new - old for new, old in zip(rest, before, strict=True)]
            segments.append(encoded([column - generated, *change]))
            generated, before = column, list(rest)
        parts.append(",".join(segments))
    positions = data.draw(
        st.lists(st.tuples(st.integers(0, 9), st.integers(0, 400)), min_size=1, max_size=5)
    )
    expected = []
    for line, column in positions:
        places = lines[line] if line < len(lines) else []
        nearest = [place for place in places if place[0] <= column][-1:]
        expected.append(
            Original(["a.ts", "b.ts"][nearest[0][1]], *nearest[0][2:]) if nearest else None
        )
    assert SourceMap(source_map(";".join(parts))).locate(positions) == expected


def test_a_guard_and_a_root_are_taken() -> None:
    text = ")]}'\n" + source_map("AAAA", sourceRoot="/src/")
    assert SourceMap(text).locate([(0, 50)]) == [Original("/src/a.ts", 0, 0)]


def test_sections_are_valid_from_their_offsets() -> None:
    inner = {"version": 3, "sources": ["x"], "mappings": "AAAA"}
    sections = [
        {"offset": {"line": 2, "column": 10}, "map": inner | {"sources": ["y"]}},
        {"offset": {"line": 1, "column": 0}, "map": inner},
        None,
    ]
    found = SourceMap(source_map("", sections=sections)).locate([(1, 5), (2, 5), (2, 12)])
    assert found == [Original("x", 0, 0), None, Original("y", 0, 0)]


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"version": 2}', "\ud800", "null", "[" * 100_000, " " * 30_000_001]
)
def test_what_is_no_source_map_is_refused(text: str) -> None:
    with pytest.raises(BrokenSourceMap):
        SourceMap(text)


@pytest.mark.parametrize(
    "text",
    [
        source_map(None),
        source_map("", sources=None),
        source_map("AAAA", sources=[]),
        source_map("AADAA", sources=["a"]),
        source_map("A"),
        source_map("ADDD"),
    ],
)
def test_maps_with_holes_lead_nowhere(text: str) -> None:
    assert SourceMap(text).locate([(0, 0), (10**9, 0)]) == [None, None]


def test_a_map_is_read_only_up_to_where_it_is_asked() -> None:
    broken_later = SourceMap(source_map("AAAA;!!"))
    assert broken_later.locate([(0, 0)]) == [Original("a.ts", 0, 0)]
    with pytest.raises(BrokenSourceMap):
        broken_later.locate([(1, 0)])


def test_a_large_map_is_read() -> None:
    line = ",".join(["AAAA", *["CAAC"] * 500])
    text = source_map(";".join([line] * 1000))
    assert SourceMap(text).locate([(999, 3)]) == [Original("a.ts", 0, 499_503)]
