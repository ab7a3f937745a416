"""Lines that say which connection they belong to."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.transports.link_lines import (
    Closed,
    Framed,
    LinkFault,
    Opened,
    close_line,
    frame_line,
    link_of,
    open_line,
    read_line,
)

NAMES = st.from_regex(r"[A-Za-z0-9_.-]{1,64}", fullmatch=True)
SEATS = st.from_regex(r"[A-Za-z0-9_.-]{0,128}", fullmatch=True)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(NAMES, VALUES)
def test_a_frame_comes_back_as_it_was_on_one_line(link: str, value: object) -> None:
    frame = json.dumps(value, ensure_ascii=False)
    line = frame_line(link, frame)
    assert "\n" not in line
    assert read_line(line) == Framed(link, frame.encode())
    assert json.loads(line) == [link, value]


@given(NAMES, VALUES)
def test_a_frame_on_many_lines_means_the_same_on_one(link: str, value: object) -> None:
    line = frame_line(link, json.dumps(value, indent=1))
    assert "\n" not in line
    read = read_line(line)
    assert isinstance(read, Framed)
    assert json.loads(read.frame) == value


@pytest.mark.parametrize(
    "frame",
    [
        'null,{"close":{}}',
        ' null , {"open":{"client":"x","aside":"another"}}',
        'null,\n{"close":{"code":1000,"reason":""}}',
        '{}],["other",{}',
        '1],["other",null,{"close":{}}',
    ],
)
def test_a_frame_from_outside_opens_and_ends_no_link(frame: str) -> None:
    read = read_line(frame_line("a", frame))
    assert isinstance(read, Framed)
    assert read.link == "a"


@given(NAMES, SEATS, SEATS)
def test_an_opening_comes_back_as_it_was(link: str, client: str, aside: str) -> None:
    assert read_line(open_line(link, client, aside)) == Opened(link, client, aside)


@given(NAMES, st.integers(0, 9999), st.text(max_size=1000))
def test_a_close_comes_back_as_it_was(link: str, code: int, reason: str) -> None:
    line = close_line(link, code, reason)
    assert "\n" not in line
    assert read_line(line.encode()) == Closed(link, code, reason)


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_garbage_is_a_fault_and_nothing_else(line: bytes | str) -> None:
    try:
        read = read_line(line)
    except LinkFault:
        return
    assert isinstance(read, Framed | Opened | Closed)


@given(NAMES, st.text(max_size=80))
def test_a_garbled_control_is_a_fault_of_its_link(link: str, rest: str) -> None:
    line = f'["{link}",null,{rest}]'
    assert _link_in(line) == link


def _link_in(line: str) -> str:
    try:
        return read_line(line).link
    except LinkFault as fault:
        return fault.link


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('["a",{"x":1}]', Framed("a", b'{"x":1}')),
        (' [ "a" , {"x":1} ] \r\n', Framed("a", b'{"x":1} ')),
        ('["a",null]', Framed("a", b"null")),
        ('["a",null,{"open":{}}]', Opened("a")),
        ('["a", null, {"close": {}}]', Closed("a", 1000, "")),
    ],
)
def test_what_other_programs_write(line: str, expected: object) -> None:
    assert read_line(line) == expected


@pytest.mark.parametrize(
    ("line", "link"),
    [
        ('{"jsonrpc":"2.0"}', ""),
        ('["",{}]', ""),
        ('["a b",{}]', ""),
        ('["a"]', ""),
        ("[" + '"' + "a" * 65 + '",{}]', ""),
        ('["a",{}', ""),
        ('["a",null,{"open":{"client":"a b"}}]', "a"),
        ('["a",null,{"open":{"aside":7}}]', "a"),
        ('["a",null,{"close":{"code":"1000","reason":""}}]', "a"),
        ('["a",null,{"wave":{}}]', "a"),
        ('["a",null,' + "[" * 2000 + "]", "a"),
        ('["a",null,{"open":{"client":"' + "x" * 5000 + '"}}]', "a"),
    ],
)
def test_a_fault_names_the_link_where_it_can(line: str, link: str) -> None:
    with pytest.raises(LinkFault) as caught:
        read_line(line)
    assert caught.value.link == link


def test_the_start_of_a_line_is_enough_for_its_link() -> None:
    assert link_of(b'["panel-1",{"jsonrpc') == "panel-1"
    assert link_of(b'{"jsonrpc') == ""
