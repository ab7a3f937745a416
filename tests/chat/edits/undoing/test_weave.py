"""The files of a turn through all its changes."""

import pytest

from jupyter_ac.chat.edit_blocks.file_changes import FOREIGN, Act, Change
from jupyter_ac.chat.edits.undoing.weave import WovenFiles, foreign_changes
from jupyter_ac.chat.history.before_images import BeforeImage
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry
from jupyter_ac.ids import RepoPath

A, B = RepoPath("a"), RepoPath("b")
BEFORE = [BeforeImage(A, DiskEntry(b"1\n2\n3\n", 0o100644)), BeforeImage(B, NOTHING)]


def write(number: int, start: int, gone: int, *put: bytes) -> Change:
    return Change(Act.WRITE, A, number, start=start, gone=gone, put=put)


def text(woven: WovenFiles, *active: int) -> bytes:
    return b"".join(woven.files[0].text(active))


def test_a_version_without_some_changes_is_read_off() -> None:
    woven = WovenFiles(BEFORE, [write(0, 0, 1, b"eins\n"), write(1, 3, 0, b"4\n")])
    assert text(woven, 0, 1) == b"eins\n2\n3\n4\n"
    assert text(woven, 1) == b"1\n2\n3\n4\n"
    assert text(woven) == b"1\n2\n3\n"
    assert woven.free({0}) == {0}


@pytest.mark.parametrize(
    "second",
    [
        write(1, 1, 1, b"zwei\n"),  # its line
        write(1, 2, 0, b"between\n"),  # between its lines
        write(1, 0, 2, b"all\n"),  # with the line before
    ],
)
def test_a_change_of_what_another_brought_builds_on_it(second: Change) -> None:
    woven = WovenFiles(BEFORE, [write(0, 1, 1, b"2\n", b"2,5\n"), second])
    assert (woven.free({0}), woven.free({0, 1}), woven.with_builders({0})) == (
        set(),
        {0, 1},
        {0, 1},
    )


def test_a_change_where_another_took_lines_away_builds_on_it() -> None:
    woven = WovenFiles(BEFORE, [write(0, 1, 1), write(1, 1, 0, b"new\n")])
    assert woven.free({0}) == set()


def test_what_was_taken_back_or_never_made_is_not_in_force() -> None:
    changes = [write(0, 0, 1, b"eins\n"), Change(Act.UNDO, undone=(0,)), write(2, 9, 9)]
    changes += [Change(Act.DROP, undone=(2,)), write(4, 0, 1, b"uno\n")]
    woven = WovenFiles(BEFORE, changes)
    assert woven.active == {4}
    assert text(woven, 4) == b"uno\n2\n3\n"


def test_a_journal_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="there"):
        WovenFiles(BEFORE, [write(0, 2, 5)])
    with pytest.raises(KeyError):
        WovenFiles(BEFORE, [Change(Act.REMOVE, B)])
    with pytest.raises(ValueError, match="made"):
        WovenFiles(BEFORE, [Change(Act.CREATE, A)])


def test_what_others_did_since_is_told_from_what_is_kept() -> None:
    woven = WovenFiles(BEFORE, [write(0, 0, 1, b"eins\n"), Change(Act.CREATE, B, 1)])

    def found(path: RepoPath, data: bytes | None) -> list[Change]:
        entry = NOTHING if data is None else DiskEntry(data, 0o100644)
        return foreign_changes(woven, {path: entry}, {A, B})

    assert found(A, b"eins\n2\n3\n") == []
    assert found(A, b"eins\n2\n3\nmine\n") == [
        Change(Act.WRITE, A, FOREIGN, start=3, put=(b"mine\n",))
    ]
    assert found(A, None) == [Change(Act.REMOVE, A)]
    gone = WovenFiles(BEFORE, [Change(Act.REMOVE, A, 0)])
    back = foreign_changes(gone, {A: DiskEntry(b"x", 0o100644)}, {A, B})
    assert back == [Change(Act.CREATE, A, put=(b"x",))]
    assert foreign_changes(gone, {A: DiskEntry(b"x", 0o100644)}, {B}) == []
