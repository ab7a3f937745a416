from jupyter_ac.git.numstat import parse


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
