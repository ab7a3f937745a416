from pathlib import Path

import pytest

from jupyter_ac.git.search import output as module
from jupyter_ac.git.search.output import MAX_LINE_CHARS, Row, SearchRows, merge

LEAD = 200


def found(output: bytes, size: int = 7) -> SearchRows:
    """Read an output that comes in pieces of a size."""
    reader = SearchRows()
    for at in range(0, len(output), size):
        if not reader.feed(output[at : at + size]):
            break
    return reader


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_pieces_may_end_anywhere(size: int) -> None:
    output = b"a\0001\0before\na\0002\0003\0no x 12\n--\nb\n2\0009\0001\0x\n"
    assert found(output, size).files == {
        b"a": [Row(1, matches=False, text="before"), Row(2, matches=True, text="no x 12")],
        b"b\n2": [Row(9, matches=True, text="x")],
    }


def test_a_line_is_cut_around_its_match() -> None:
    line = "é" * 5000 + "needle" + "ü" * 5000
    output = f"a\0001\000{10_001}\0{line}\n".encode()
    (row,) = found(output, 4096).files[b"a"]
    assert row.text.startswith("…" + "é" * LEAD + "needle" + "ü")
    assert len(row.text) == MAX_LINE_CHARS


@pytest.mark.parametrize("before", [0, 1, 10_000, 1_000_000, 1_000_001])
def test_of_a_line_longer_than_a_piece_the_part_around_the_match_is_kept(before: int) -> None:
    line = b"-" + "日".encode() * before + b"needle" + b"+" * 2_000_000
    rest = b"a\0002\0after\nb\0001\0001\0x\n"
    output = b"a\0001\000%d\0%s\n%s" % (2 + 3 * before, line, rest)
    files = found(output, 65_536).files
    first, after = files[b"a"]
    assert "needle++" in first.text
    assert "\ufffd" not in first.text
    assert len(first.text) <= MAX_LINE_CHARS
    assert (first.number, first.matches) == (1, True)
    assert after == Row(2, matches=False, text="after")
    assert files[b"b"] == [Row(1, matches=True, text="x")]


def test_a_short_line_is_whole_wherever_its_match_is() -> None:
    line = "é" * (MAX_LINE_CHARS - 1) + "x"
    (row,) = found(f"a\0001\000{2 * MAX_LINE_CHARS - 1}\0{line}\r\n".encode()).files[b"a"]
    assert row.text == line


def test_no_more_is_wanted_once_there_is_one_match_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_MATCHES", 2)
    reader = found(b"".join(b"a\000%d\0001\0x\n" % number for number in range(1, 9)), 1000)
    assert reader.is_full
    assert [row.number for row in reader.files[b"a"]] == [1, 2, 3]


def test_all_lines_together_have_a_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CHARS", 100)
    reader = found(b"".join(b"a\000%d\0%s\n" % (number, b"x" * 30) for number in range(1, 9)))
    assert reader.is_full
    assert len(reader.files[b"a"]) == 4


def made(*names: bytes, is_full: bool = False) -> SearchRows:
    """Make an output with one match in each file."""
    found = SearchRows()
    found.files = {name: [Row(1, matches=True, text="x")] for name in names}
    found.is_full = is_full
    return found


def test_two_outputs_are_merged_by_path_and_the_first_counts(tmp_path: Path) -> None:
    again = made(b"b")
    again.files[b"b"] = [Row(5, matches=True, text="stale")]
    files = merge(tmp_path, [made(b"c", b"b"), again, made(b"a")], 0)
    assert [(each["file"], each["matches"][0]["line_num"]) for each in files] == [
        ("a", 1),
        ("b", 1),
        ("c", 1),
    ]
    assert all("truncated" not in each for each in files)


def test_what_lies_behind_the_end_of_a_cut_output_is_not_shown(tmp_path: Path) -> None:
    files = merge(tmp_path, [made(b"a", b"m", is_full=True), made(b"b", b"z")], 0)
    assert [(each["file"], each.get("truncated")) for each in files] == [
        ("a", None),
        ("b", None),
        ("m", True),
    ]


def test_the_line_that_git_finds_behind_the_last_one_is_no_line(tmp_path: Path) -> None:
    texts = {b"none": "a\n", b"one": "a\n\n", b"open": "a", b"gone": None}
    found = SearchRows()
    for name, text in texts.items():
        if text is not None:
            (tmp_path / name.decode()).write_text(text)
        found.files[name] = [Row(2, matches=True, text="")]
    assert [each["file"] for each in merge(tmp_path, [found], 0)] == ["gone", "one"]
