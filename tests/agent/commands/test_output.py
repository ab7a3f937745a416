import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent.commands.output import (
    HEAD_BYTES,
    TAIL_BYTES,
    CommandOutput,
    plain_output,
)

LIMIT = 1 << 30


def collected(*pieces: bytes) -> CommandOutput:
    output = CommandOutput(LIMIT)
    for piece in pieces:
        output.add(piece)
    return output


def test_a_short_output_is_whole() -> None:
    output = collected("é".encode()[:1], "é".encode()[1:], b"\xff\n")
    assert output.text() == "é\N{REPLACEMENT CHARACTER}\n"
    assert output.left_out == 0


def test_of_a_long_one_beginning_and_end_are_kept_and_the_middle_is_counted() -> None:
    output = collected(b"begin ", *[b"x" * 9_999] * 1_000, b" end")
    total = len(b"begin  end") + 9_999_000
    assert output.left_out == total - HEAD_BYTES - TAIL_BYTES
    text = output.text()
    assert text.startswith("begin x")
    assert text.endswith("x end")
    assert f"\n[... {output.left_out:,} bytes are left out ...]\n" in text


def test_no_character_is_cut_in_two() -> None:
    text = collected(b"a" + "€".encode() * 50_000).text()
    assert "\N{REPLACEMENT CHARACTER}" not in text


def test_more_than_the_limit_is_not_wanted() -> None:
    output = CommandOutput(10)
    assert output.add(b"x" * 10)
    assert not output.add(b"x")


def test_pieces_are_told_as_text_when_they_are_there() -> None:
    said: list[str] = []
    output = CommandOutput(LIMIT, said.append)
    for piece in (b"\x1b[31mred\x1b[0m ", "é".encode()[:1], "é".encode()[1:], b"\xff"):
        output.add(piece)
    assert said == ["red ", "é", "\N{REPLACEMENT CHARACTER}"]


@pytest.mark.parametrize(
    ("given_one", "shown"),
    [
        ("\x1b[1;32mok\x1b[0m\r\n", "ok\n"),
        ("\x1b]0;title\x07x", "x"),
        (" 10%\r 50%\r100%\ndone\n", "100%\ndone\n"),
        ("50%\r100%\r\n", "100%\n"),
        ("a\tb\x07\x00\u202e", "a\tb"),
    ],
)
def test_output_is_shown_as_a_terminal_would_in_the_end(given_one: str, shown: str) -> None:
    assert plain_output(given_one) == shown


@given(st.lists(st.binary(max_size=30_000), max_size=8))
def test_nothing_is_lost_but_what_is_counted(pieces: list[bytes]) -> None:
    data = b"".join(pieces).replace(b"\r", b"").replace(b"\x1b", b"")
    output = CommandOutput(LIMIT)
    at = 0
    for piece in pieces:
        output.add(data[at : at + len(piece)])
        at += len(piece)
    assert output.size == len(data)
    assert output.left_out == max(0, len(data) - HEAD_BYTES - TAIL_BYTES)
    if not output.left_out:
        assert output.text() == plain_output(data.decode("utf-8", "replace"))
