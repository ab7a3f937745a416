from pathlib import Path

from jupyter_ac.git.search.matches import merge
from jupyter_ac.git.search.output import Row, SearchRows


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
