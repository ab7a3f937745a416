"""What holds for any file and any edit."""

from dataclasses import dataclass

from hypothesis import assume, example, given
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.matching.lines import split
from jupyter_ac.chat.edit_blocks.matching.replacing import Already, Missed, Replaced, replace_lines
from jupyter_ac.edit_rows import ErrorType

# Few different lines, so that equal ones meet; and lines with whatever characters there are.
few = st.sampled_from(["a", "b", "", "  a", "\ta", "a\r", "ü"])
any_line = few | st.text(st.characters(exclude_characters="\n\ufeff", exclude_categories=["Cs"]))
texts = st.lists(any_line, max_size=6)
distinct = st.lists(any_line, max_size=6, unique=True)
few_texts = st.lists(st.sampled_from("ab"), max_size=6)
ends = st.sampled_from(["\n", "\r\n"])


@dataclass(frozen=True)
class Edited:
    """A file, some of its lines as old text, and any new text."""

    data: bytes
    start: int
    old: list[str]
    new: list[str]


@st.composite
def files(draw: st.DrawFn, lines: st.SearchStrategy[list[str]] = texts) -> bytes:
    """Any valid UTF-8 with any mix of line ends, with and without a mark and a last newline."""
    text = "".join(line + draw(ends) for line in draw(lines))
    last = draw(st.sampled_from(["", "a", "b", "last"]))
    return (draw(st.sampled_from(["", "\ufeff"])) + text + last).encode()


@st.composite
def single_edits(draw: st.DrawFn) -> Edited:
    """An edit whose old text stands there once, and whose new text's lines stood nowhere."""
    edit = draw(edits(distinct))
    there = decoded(edit.data)
    assume(len(set(there)) == len(there))
    old = there[edit.start : edit.start + len(edit.old)]
    new = [line for line in edit.new if line not in there or line in old]
    assume(new != old)
    return Edited(edit.data, edit.start, old, new)


@st.composite
def uniform_edits(draw: st.DrawFn) -> Edited:
    """An edit of a file that has one kind of line end and no two equal lines."""
    plain = st.sampled_from(["a", "b", "", "  a", "c", "d", "ü", "e"])
    lines = draw(st.lists(plain, min_size=2, max_size=6, unique=True))
    end = draw(ends)
    is_open = draw(st.booleans()) and lines[-1] != ""
    data = end.join(lines) + ("" if is_open else end)
    start = draw(st.integers(0, len(lines) - 1))
    old = lines[start : draw(st.integers(start + 1, len(lines)))]
    fresh = draw(st.lists(st.sampled_from(["x", "y", "  x"]), min_size=1, max_size=3, unique=True))
    kept = draw(st.integers(0, len(old)))
    return Edited(data.encode(), start, old, [*old[:kept], *fresh, *old[kept:][1:]])


@st.composite
def edits(draw: st.DrawFn, lines: st.SearchStrategy[list[str]] = texts) -> Edited:
    """A file with lines, a run of them, and what is to stand there."""
    data = draw(files(lines).filter(lambda data: split(data).texts != []))
    there = decoded(data)
    start = draw(st.integers(0, len(there) - 1))
    stop = draw(st.integers(start + 1, len(there)))
    new = draw(lines)
    # Half of the new texts share lines with the old one.
    shared = draw(st.integers(0, stop - start))
    new = [*there[start : start + shared], *new] if draw(st.booleans()) else new
    return Edited(data, start, there[start:stop], new)


def decoded(data: bytes) -> list[str]:
    return [line.decode() for line in split(data).texts]


def starts(lines: list[str], wanted: list[str]) -> list[int]:
    size = len(wanted)
    return [at for at in range(len(lines) - size + 1) if wanted and lines[at : at + size] == wanted]


@given(edits())
def test_the_new_text_stands_in_the_place_of_the_old_and_all_bytes_around_are_equal(
    edit: Edited,
) -> None:
    done = replace_lines(edit.data, edit.old, edit.new)
    assume(isinstance(done, Replaced))
    assert isinstance(done, Replaced)
    before = decoded(edit.data)
    stop = edit.start + len(edit.old)
    assert decoded(done.data) == [*before[: edit.start], *edit.new, *before[stop:]]
    lines = split(edit.data)
    head, tail = edit.data[: lines.offset(edit.start)], edit.data[lines.offset(stop) :]
    assert done.data.startswith(head)
    assert done.data.endswith(tail)
    assert len(head) <= done.start <= done.end <= len(edit.data) - len(tail)
    behind = edit.data[done.end :]
    assert done.data.startswith(edit.data[: done.start])
    assert done.data.endswith(behind)
    assert done.added - done.removed == len(edit.new) - len(edit.old)


@given(single_edits())
def test_the_last_newline_stays_as_it_is(edit: Edited) -> None:
    """A deleted last line has none to keep, and an empty one would not be there without it."""
    done = replace_lines(edit.data, edit.old, edit.new)
    lines = split(edit.data)
    is_last = edit.start + len(edit.old) == len(lines.texts)
    is_kept = edit.new and edit.new[-1] and edit.new != edit.old[: len(edit.new)]
    assume(not is_last or is_kept)
    assert isinstance(done, Replaced)
    assert split(done.data).is_open == lines.is_open


@given(uniform_edits())
def test_a_file_of_one_line_end_keeps_it(edit: Edited) -> None:
    done = replace_lines(edit.data, edit.old, edit.new)
    assert isinstance(done, Replaced)
    kinds = {end for end in split(edit.data).ends if end}
    assert {end for end in split(done.data).ends if end} == kinds


@given(edits(few_texts))
def test_a_repeated_insertion_is_already_applied(edit: Edited) -> None:
    new = [*edit.old[:1], *edit.new, *edit.old[1:]]
    once = replace_lines(edit.data, edit.old, new)
    assume(isinstance(once, Replaced))
    assert isinstance(once, Replaced)
    assert isinstance(replace_lines(once.data, edit.old, new), Already)


@given(single_edits())
def test_any_edit_applied_twice_changes_nothing_more_where_its_old_text_is_gone(
    edit: Edited,
) -> None:
    once = replace_lines(edit.data, edit.old, edit.new)
    assert isinstance(once, Replaced)
    twice = replace_lines(once.data, edit.old, edit.new)
    if any(map(str.strip, edit.new)) and not starts(decoded(once.data), edit.old):
        assert isinstance(twice, Already)
    assert not isinstance(twice, Replaced)


@given(uniform_edits())
def test_the_reverse_edit_restores_the_bytes(edit: Edited) -> None:
    """Unless a last line without an end was given one, which takes a rewrite to undo."""
    done = replace_lines(edit.data, edit.old, edit.new)
    assert isinstance(done, Replaced)
    back = replace_lines(done.data, edit.new, edit.old)
    assert isinstance(back, Replaced)
    if not (split(edit.data).is_open and done.start == len(edit.data)):
        assert back.data == edit.data


@given(files(few_texts), few_texts.filter(bool), few_texts)
@example(b"a\nb\nb\nb\n", ["a", "b", "b"], ["a", "b", "X", "a", "b"])
def test_what_becomes_of_any_block_is_as_the_rules_say(
    data: bytes, old: list[str], new: list[str]
) -> None:
    """Rules (d), (e) and (f), written down in the plainest way."""
    there = decoded(data)
    assume(there)
    found, standing = starts(there, old), starts(there, new)
    removed_runs = [new[:at] + new[at + len(new) - len(old) :] for at in range(len(old) + 1)]
    is_insertion = len(new) >= len(old) and (old in removed_runs or bool(starts(new, old)))

    def is_inside(place: int) -> bool:
        mine = set(range(place, place + len(old)))
        for at in standing:
            theirs = set(range(at, at + len(new)))
            if mine <= theirs or (is_insertion and mine & theirs):
                return True
        return False

    done = replace_lines(data, old, new)
    if standing and all(map(is_inside, found)):
        assert done == Already(standing[0] + 1)
    elif len(found) == 1:
        assert isinstance(done, Replaced)
    else:
        assert isinstance(done, Missed)
        expected = ErrorType.AMBIGUOUS_ANCHOR if found else ErrorType.ANCHOR_NOT_FOUND
        assert done.error_type is expected


@given(single_edits(), st.sampled_from([" ", "    ", "\t"]))
def test_a_uniform_shift_is_corrected_to_what_the_right_block_would_do(
    edit: Edited, space: str
) -> None:
    deeper = edit.data.decode().removeprefix("\ufeff").encode()
    there = [space + line if line.strip() else line for line in decoded(deeper)]
    joined = "\r\n".join([*there, ""]).encode()
    done = replace_lines(joined, edit.old, edit.new)
    assume(isinstance(done, Missed) and done.correction_old is not None)
    assert isinstance(done, Missed)
    assert done.correction_old is not None
    assert done.correction_new is not None
    fixed = replace_lines(joined, done.correction_old, done.correction_new)
    assert isinstance(fixed, Replaced)
    new = [space + line if line.strip() else line for line in edit.new]
    there[edit.start : edit.start + len(edit.old)] = new
    assert decoded(fixed.data) == there


@given(files(), texts.filter(bool))
def test_every_miss_has_a_sentence_and_a_place_that_is_there(data: bytes, old: list[str]) -> None:
    done = replace_lines(data, old, ["new"])
    assume(isinstance(done, Missed))
    assert isinstance(done, Missed)
    assert done.message.endswith(".")
    if done.near is not None:
        start = done.near.line - 1
        assert list(done.near.text) == decoded(data)[start : start + len(done.near.text)]
