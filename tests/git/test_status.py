from jupyter_ac.git.status import GitStatus, parse

NOUGHT = b"0" * 40


def _entry(kind: bytes, letters: bytes, path: bytes, *more: bytes) -> bytes:
    hashes = [NOUGHT] * (3 if kind == b"u" else 2)
    modes = [b"100644"] * (4 if kind == b"u" else 3)
    return b" ".join([kind, letters, b"N...", *modes, *hashes, *more, path]) + b"\0"


def test_no_output_is_a_clean_tree() -> None:
    status = parse(b"")
    assert status == GitStatus()


def test_each_letter_goes_into_its_list() -> None:
    status = parse(
        _entry(b"1", b".M", b"m")
        + _entry(b"1", b"M.", b"s")
        + _entry(b"1", b"MM", b"both")
        + _entry(b"1", b"A.", b"new")
        + _entry(b"1", b".T", b"became link")
        + _entry(b"1", b".D", b"gone")
        + _entry(b"1", b"D.", b"gone staged")
        + _entry(b"1", b".A", b"intended")
        + b"? untracked\0? nested/\0"
    )
    assert status.modified == ["m", "both", "became link", "intended"]
    assert status.staged == ["s", "both", "new", "gone staged"]
    assert status.deleted == ["gone", "gone staged"]
    assert status.untracked == ["untracked", "nested"]
    assert status.nested == ["nested"]


def test_a_rename_stages_both_names_and_a_later_edit_is_seen() -> None:
    status = parse(
        _entry(b"2", b"RM", b"new name", b"R100")
        + b"old name\0"
        + _entry(b"2", b"RD", b"new gone", b"R090")
        + b"old gone\0"
        + _entry(b"1", b".M", b"next")
    )
    assert status.staged == ["old name", "new name", "old gone", "new gone"]
    assert status.modified == ["new name", "next"]
    assert status.deleted == ["new gone"]


def test_a_rename_that_is_not_staged_deletes_the_old_name() -> None:
    status = parse(_entry(b"2", b".R", b"new", b"R100") + b"old\0")
    assert (status.modified, status.deleted, status.staged) == (["new"], ["old"], [])


def test_conflicts_are_modified_and_conflicted() -> None:
    letters = (b"DD", b"AU", b"UD", b"UA", b"DU", b"AA", b"UU")
    status = parse(b"".join(_entry(b"u", pair, pair) for pair in letters))
    assert status.modified == status.conflicted == [pair.decode() for pair in letters]


def test_a_file_that_left_the_index_but_is_there_is_not_deleted() -> None:
    status = parse(_entry(b"1", b"D.", b"kept") + b"? kept\0")
    assert (status.staged, status.untracked, status.deleted) == (["kept"], ["kept"], [])


def test_names_are_taken_as_they_are() -> None:
    names = [b"a b  c", b'q"x', b"new\nline", b"-lead", b"l\xe9", b"? odd", " nbsp\u00a0".encode()]
    status = parse(b"".join(_entry(b"1", b".M", name) for name in names))
    assert [name.encode("utf-8", "surrogateescape") for name in status.modified] == names


def test_lines_of_other_kinds_are_passed_over() -> None:
    assert parse(b"# branch.oid abc\0! ignored\0? a\0").untracked == ["a"]
