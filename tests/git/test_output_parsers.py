import pytest

from jupyter_ac.git.output_parsers import as_input, decoded, names_in, parse

NAMES = ["a", "line\nbreak", "caf\udce9", "häst", " "]


def test_every_name_comes_back() -> None:
    data = as_input(NAMES)
    assert data == b"a\0line\nbreak\0caf\xe9\0h\xc3\xa4st\0 \0"
    assert names_in(data) == NAMES


def test_no_names_are_nothing() -> None:
    assert (as_input([]), names_in(b"")) == (b"", [])


def test_a_command_may_take_them_line_by_line() -> None:
    assert as_input(["a", "b"], b"\n") == b"a\nb\n"


def test_no_output_gives_no_stats() -> None:
    assert parse(b"", b"") == {}


def test_staged_and_unstaged_lines_are_added_up() -> None:
    assert parse(b"3\t1\ta\0", b"2\t0\ta\x001\t1\tb\0") == {
        "a": {"additions": 5, "deletions": 1},
        "b": {"additions": 1, "deletions": 1},
    }


def test_a_rename_counts_under_its_new_name() -> None:
    output = b"1\t2\t\0d/x.txt\0d/y.txt\x007\t0\tnext\0"
    assert parse(output) == {
        "d/y.txt": {"additions": 1, "deletions": 2},
        "next": {"additions": 7, "deletions": 0},
    }


def test_a_binary_file_counts_nothing() -> None:
    assert parse(b"-\t-\tpicture.png\0") == {"picture.png": {"additions": 0, "deletions": 0}}


def test_names_with_tabs_line_ends_and_foreign_bytes_are_whole() -> None:
    assert list(parse(b"1\t0\ta\tb\x001\t0\tn\nl\x001\t0\tl\xe9\0")) == ["a\tb", "n\nl", "l\udce9"]


PIECES = [b"a\r\n", "häst 😀\n".encode(), b"\xff\xfe", b"\xf0\x9f\x98", b"\0"]


@pytest.mark.parametrize("piece", PIECES)
async def test_a_long_text_is_the_one_that_python_makes_of_it(piece: bytes) -> None:
    for times in (0, 1, 400_000):
        assert await decoded(piece * times) == (piece * times).decode("utf-8", "replace")
