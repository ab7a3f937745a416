"""What taking changes back gives, against what the files would be without them."""

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.file_changes import Act, Change, lines_of
from jupyter_ac.chat.edits.undoing.revert_preview import RevertStatus, preview_revert, standings
from jupyter_ac.chat.edits.undoing.weave import WovenFiles
from jupyter_ac.chat.history.before_images import BeforeImage
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry
from jupyter_ac.ids import RepoPath
from tests.support.examples import examples

PATH = RepoPath("a.py")
MODE = 0o100644
LINES = st.sampled_from([b"a\n", b"b\n", b"\n", b"}\n"])


@dataclass
class Edit:
    """Lines of the first version, and what is put in their place."""

    start: int
    end: int
    put: list[bytes]


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[bytes], list[Edit]]:
    """Return a text of much repetition, and edits of different lines of it in any order."""
    base = draw(st.lists(LINES, min_size=1, max_size=14))
    edits: list[Edit] = []
    at = 0
    while at < len(base):
        start = draw(st.integers(at, len(base)))
        end = draw(st.integers(start, min(len(base), start + 3)))
        put = draw(st.lists(LINES, max_size=3))
        if put or end > start:
            edits.append(Edit(start, end, put))
        at = max(end, start + 1)  # no two at one place: their order would be anybody's guess
    return base, draw(st.permutations(edits))


def with_edits(base: Sequence[bytes], edits: Sequence[Edit]) -> list[bytes]:
    text: list[bytes] = []
    at = 0
    for one in sorted(edits, key=lambda each: each.start):
        text += [*base[at : one.start], *one.put]
        at = one.end
    return [*text, *base[at:]]


def journal_of(edits: Sequence[Edit]) -> list[Change]:
    """Return the changes that make the edits in their order."""
    changes: list[Change] = []
    for number, one in enumerate(edits):
        shift = sum(
            len(other.put) - (other.end - other.start)
            for other in edits[:number]
            if other.start < one.start
        )
        start, gone = one.start + shift, one.end - one.start
        changes.append(Change(Act.WRITE, PATH, number, start=start, gone=gone, put=tuple(one.put)))
    return changes


def image(data: bytes) -> BeforeImage:
    return BeforeImage(PATH, DiskEntry(data, MODE))


@settings(max_examples=examples(400))
@given(edited(), st.data())
def test_any_edits_taken_back_in_any_order_leave_exactly_the_others_or_are_refused(
    made: tuple[list[bytes], list[Edit]], data: st.DataObject
) -> None:
    base, edits = made
    changes = journal_of(edits)
    standing = list(range(len(edits)))
    disk = DiskEntry(b"".join(with_edits(base, edits)), MODE)
    before = image(b"".join(base))
    assert b"".join(WovenFiles([before], changes).files[0].text(range(99))) == disk.data
    while standing:
        chosen = data.draw(st.sets(st.sampled_from(standing), min_size=1))
        seen = preview_revert(WovenFiles([before], changes), chosen, {PATH: disk})
        if seen.taken == chosen:
            disk = seen.wanted.get(PATH, disk)
            standing = [number for number in standing if number not in chosen]
            changes = [*changes, Change(Act.UNDO, undone=tuple(chosen))]
            kept = [edits[number] for number in standing]
            assert disk.data == b"".join(with_edits(base, kept))
        else:
            assert chosen - seen.taken <= seen.reasons.keys()
            if data.draw(st.booleans()):
                seen = preview_revert(WovenFiles([before], changes), standing, {PATH: disk})
                assert seen.taken == set(standing)  # all at once always goes
                assert seen.wanted.get(PATH, disk).data == before.disk.data
                return


@settings(max_examples=examples(400))
@given(edited(), st.data())
def test_what_others_changed_elsewhere_stays_and_what_they_changed_there_is_refused(
    made: tuple[list[bytes], list[Edit]], data: st.DataObject
) -> None:
    base, edits = made
    if not edits:
        return
    number = data.draw(st.integers(0, len(edits) - 1))
    one, others = edits[number], [each for each in edits if each is not edits[number]]
    theirs = data.draw(st.sampled_from(others)) if others else Edit(0, 0, [b"theirs\n"])
    if theirs.start in {one.start, one.end} or one.start in {theirs.start, theirs.end}:
        return
    before = image(b"".join(base))
    disk = DiskEntry(b"".join(with_edits(base, [one, theirs])), MODE)
    woven = WovenFiles([before], journal_of([one]))
    seen = preview_revert(woven, {0}, {PATH: disk})
    left = seen.wanted.get(PATH, disk).data
    if seen.taken:
        assert left in {b"".join(with_edits(base, [theirs])), disk.data}
        if left == disk.data:  # it looked as if it had been taken back already
            assert standings(woven, [0], {PATH: disk})[0][0] is RevertStatus.UNDONE
    else:
        assert left == disk.data


def test_an_edit_on_lines_of_another_is_taken_back_with_it_or_before_it() -> None:
    changes = [
        Change(Act.WRITE, PATH, 0, start=1, gone=1, put=(b"2\n",)),
        Change(Act.WRITE, PATH, 1, start=1, gone=1, put=(b"zwei\n",)),
    ]
    before, disk = image(b"one\ntwo\nthree\n"), DiskEntry(b"one\nzwei\nthree\n", MODE)
    woven = WovenFiles([before], changes)
    seen = preview_revert(woven, {0}, {PATH: disk})
    assert (seen.taken, list(seen.reasons)) == (set(), [0])
    assert preview_revert(woven, {0, 1}, {PATH: disk}).wanted[PATH].data == before.disk.data
    assert preview_revert(woven, {1}, {PATH: disk}).wanted[PATH].data == b"one\n2\nthree\n"
    assert standings(woven, [0, 1], {PATH: disk}) == {
        0: (RevertStatus.APPLIED, False),
        1: (RevertStatus.APPLIED, True),
    }


def test_how_an_edit_stands_after_others_have_changed_the_file() -> None:
    change = Change(Act.WRITE, PATH, 0, start=1, gone=1, put=(b"2\n",))
    woven = WovenFiles([image(b"one\ntwo\nthree\n")], [change])

    def standing(data: bytes) -> tuple[RevertStatus, bool]:
        return standings(woven, [0], {PATH: DiskEntry(data, MODE)})[0]

    assert standing(b"one\n2\nthree\n") == (RevertStatus.APPLIED, True)
    assert standing(b"zero\none\n2\nthree\nfour\n") == (RevertStatus.APPLIED, True)
    assert standing(b"one\ntwo\nthree\n") == (RevertStatus.UNDONE, False)
    assert standing(b"one\ntwo\nthree\nfour\n") == (RevertStatus.UNDONE, False)
    assert standing(b"one\nzwei\nthree\n") == (RevertStatus.CHANGED, False)
    assert standings(woven, [0], {PATH: NOTHING})[0] == (RevertStatus.CHANGED, False)


def test_files_that_come_go_and_move() -> None:
    old, new, made = RepoPath("old"), RepoPath("new"), RepoPath("made")
    gone = RepoPath("gone")
    images = [
        BeforeImage(old, DiskEntry(b"1\n2\n", MODE)),
        BeforeImage(gone, DiskEntry(b"g", 0o100755)),
        *(BeforeImage(path, NOTHING) for path in (new, made)),
    ]
    changes = [
        Change(Act.WRITE, old, 0, start=0, gone=1, put=(b"eins\n",)),
        Change(Act.MOVE, old, 1, new_path=new),
        Change(Act.WRITE, new, 2, start=1, gone=1, put=(b"zwei\n",)),
        Change(Act.CREATE, made, 3, put=(b"m\n",)),
        Change(Act.REMOVE, gone, 4),
        Change(Act.WRITE, made, 5, start=1, gone=0, put=(b"n\n",)),
        Change(Act.CREATE, gone, 6, put=(b"h\n",)),
    ]
    disk = {
        old: NOTHING,
        new: DiskEntry(b"eins\nzwei\n", MODE),
        made: DiskEntry(b"m\nn\n", MODE),
        gone: DiskEntry(b"h\n", MODE),
    }
    woven = WovenFiles(images, changes)
    assert preview_revert(woven, {0}, disk).wanted == {new: DiskEntry(b"1\nzwei\n", MODE)}
    assert preview_revert(woven, {1}, disk).wanted == {old: disk[new], new: NOTHING}
    assert preview_revert(woven, {3}, disk).taken == set()
    assert preview_revert(woven, {3, 5}, disk).wanted == {made: NOTHING}
    assert preview_revert(woven, {4}, disk).taken == set()
    assert preview_revert(woven, {4, 6}, disk).wanted == {gone: images[1].disk}
    everything = preview_revert(woven, set(range(7)), disk)
    assert everything.wanted == {
        old: images[0].disk, new: NOTHING, made: NOTHING, gone: images[1].disk
    }  # fmt: skip


def test_a_line_without_an_end_stays_the_last() -> None:
    change = Change(Act.WRITE, PATH, 0, start=1, gone=1, put=())
    woven = WovenFiles([image(b"x\ny")], [change])
    assert preview_revert(woven, {0}, {PATH: DiskEntry(b"x\n", MODE)}).wanted[PATH].data == b"x\ny"
    longer = preview_revert(woven, {0}, {PATH: DiskEntry(b"x\nz\n", MODE)})
    assert (longer.taken, longer.wanted) == (set(), {})
    assert lines_of(b"x\ny") == [b"x\n", b"y"]
