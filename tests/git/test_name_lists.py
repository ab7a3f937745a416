from jupyter_ac.git.name_lists import as_input, names_in

NAMES = ["a", "line\nbreak", "caf\udce9", "häst", " "]


def test_every_name_comes_back() -> None:
    data = as_input(NAMES)
    assert data == b"a\0line\nbreak\0caf\xe9\0h\xc3\xa4st\0 \0"
    assert names_in(data) == NAMES


def test_no_names_are_nothing() -> None:
    assert (as_input([]), names_in(b"")) == (b"", [])


def test_a_command_may_take_them_line_by_line() -> None:
    assert as_input(["a", "b"], b"\n") == b"a\nb\n"
