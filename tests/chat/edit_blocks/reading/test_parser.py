"""The blocks of an answer: each rule of the edit protocol, and answers cut anywhere."""

import sys
from codecs import getincrementaldecoder
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock, Span
from jupyter_ac.chat.edit_blocks.reading import parser as parser_module
from jupyter_ac.chat.edit_blocks.reading.markers import (
    FAMILIES,
    GUILLEMETS,
    SQUARES,
    Family,
    render,
)
from jupyter_ac.chat.edit_blocks.reading.parser import MAX_BLOCKS, EditParser, parse
from tests.chat.edits.answers import bare, edits, lines, orders, paths

EDIT = SQUARES.opener(BlockKind.EDIT)
DELETE = SQUARES.opener(BlockKind.DELETE)
RENAME = SQUARES.opener(BlockKind.RENAME)
REPL = SQUARES.middle
END = SQUARES.close
SEED_EDIT = GUILLEMETS.opener(BlockKind.EDIT)
SEED_REPL = GUILLEMETS.middle
SEED_END = GUILLEMETS.close

by_family = pytest.mark.parametrize("family", FAMILIES, ids=["squares", "guillemets"])


def _text(*lines_of_it: str) -> str:
    return "".join(f"{line}\n" for line in lines_of_it)


def _parse(*lines_of_it: str) -> list[EditBlock]:
    return parse(_text(*lines_of_it), lambda _: False)


def _only(*lines_of_it: str) -> EditBlock:
    (block,) = _parse(*lines_of_it)
    return block


def _complete(blocks: Iterable[EditBlock]) -> list[EditBlock]:
    return [bare(block) for block in blocks if block.is_complete]


def _cut(text: str, span: Span) -> str:
    return text[span.start : span.end]


@by_family
def test_a_block_of_each_family(family: Family) -> None:
    opener = family.opener(BlockKind.EDIT)
    block = _only("Sure:", "", "src/a.py", opener, "old", family.middle, "new", family.close, "Bye")
    assert bare(block) == EditBlock(0, BlockKind.EDIT, "src/a.py", old=("old",), new=("new",))


def test_spans_are_exact_in_code_points() -> None:
    before, after = "Sure \N{GRINNING FACE}:\n\n", "\nDone.\n"
    block_text = _text("a.py", EDIT, "é\U0001f7e7", REPL, "y", "", END)
    (block,) = parse(before + block_text + after, lambda _: False)
    text = before + block_text + after
    assert _cut(text, block.span) == block_text
    assert _cut(text, block.old_span) == "é\U0001f7e7\n"
    assert _cut(text, block.new_span) == "y\n\n"


def test_markers_are_compared_without_the_blanks_around_them() -> None:
    block = _only("a.py", f"  {EDIT}\t", " old", f"\t{REPL}", "new ", f"{END}   ")
    assert (block.old, block.new, block.is_complete) == ((" old",), ("new ",), True)


@pytest.mark.parametrize(
    "marker",
    [
        *("🟧🟧 EDIT", "🟧🟧🟧🟧 EDIT", "🟧🟧🟧EDIT", "🟧🟧🟧 edit"),
        *("🟧🟧🟧 EDIT a.py", "🟧🟧🟧 AGENT", "<<< EDIT", "«« EDIT"),
    ],
)
def test_markers_are_exact(marker: str) -> None:
    assert _parse("a.py", marker, "x", REPL, "y", END) == []


def test_in_the_seeds_family_seven_double_lines_are_a_middle() -> None:
    for middle in ("═══════", "═══════════", "═══════ new text"):
        block = _only("a.py", SEED_EDIT, "x", middle, "y", SEED_END)
        assert (block.old, block.new) == (("x",), ("y",))


@by_family
def test_a_second_middle_is_content(family: Family) -> None:
    block = _only(
        "a", family.opener(BlockKind.EDIT), family.middle, "x", family.middle, family.close
    )
    assert (block.old, block.new) == ((), ("x", family.middle))


def test_an_empty_line_is_text_and_no_line_is_none() -> None:
    assert _only("a", EDIT, REPL, END).new == ()
    assert _only("a", EDIT, REPL, "", END).new == ("",)
    assert _only("a", EDIT, "", REPL, END).old == ("",)


# (a) what ends a line


def test_only_lf_and_crlf_end_a_line() -> None:
    odd = "a\rb\x0bc\x0cd\x1ce\x85f\u2028g\u2029h"
    block = _only("a.py", EDIT, odd, REPL, odd + odd, END)
    assert (block.old, block.new) == ((odd,), (odd + odd,))


def test_a_marker_behind_another_line_end_is_content() -> None:
    assert _only("a.py", EDIT, "x", REPL, f"y\r{END}", f"z\u2028{END}").is_complete is False


def test_an_answer_with_crlf() -> None:
    text = _text("a.py", EDIT, "x", REPL, "y", "", END, "bye").replace("\n", "\r\n")
    (block,) = parse(text, lambda _: False)
    assert (block.old, block.new, block.is_complete) == (("x",), ("y", ""), True)
    assert text[block.span.end :] == "bye\r\n"


def test_mixed_line_ends() -> None:
    text = f"a.py\r\n{EDIT}\nx\r\n{REPL}\r\ny\n{END}"
    (block,) = parse(text, lambda _: False)
    assert (block.old, block.new, block.is_complete) == (("x",), ("y",), True)


# (g) one family for a block; unclosed blocks


def test_markers_of_the_other_family_are_content() -> None:
    seeds = (SEED_EDIT, SEED_REPL, SEED_END)
    block = _only("a.py", EDIT, *seeds, REPL, *seeds, END)
    assert (block.old, block.new) == (seeds, seeds)
    ours = (EDIT, DELETE, RENAME, REPL, END)
    block = _only("a.py", SEED_EDIT, *ours, SEED_REPL, *ours, SEED_END)
    assert (block.old, block.new) == (ours, ours)


def test_a_block_is_not_split_or_closed_by_the_other_family() -> None:
    assert not _only("a.py", EDIT, "x", SEED_REPL, "y", SEED_END).is_complete
    assert not _only("a.py", SEED_EDIT, "x", SEED_REPL, "y", END).is_complete


@pytest.mark.parametrize("inside", [[], ["x"], ["x", REPL], ["x", REPL, "y"]])
@pytest.mark.parametrize("opener", [EDIT, DELETE, RENAME])
def test_an_open_marker_of_the_same_family_leaves_the_first_unclosed(
    inside: list[str], opener: str
) -> None:
    rest = {EDIT: ["o", REPL, "n"], DELETE: [], RENAME: ["c.py"]}[opener]
    first, second = _parse("a.py", EDIT, *inside, "b.py", opener, *rest, END)
    assert (first.path, first.is_complete) == ("a.py", False)
    assert (second.path, second.is_complete, second.index) == ("b.py", True, 1)
    assert first.span.end == second.span.start


def test_an_unclosed_block_has_no_line_of_the_next_one() -> None:
    text = _text("a.py", EDIT, "x", REPL, "y", "", "b.py", "", "```", EDIT, REPL, "n", END, "```")
    first, second = parse(text, lambda _: False)
    assert first.new == ("y", "")
    assert _cut(text, first.new_span) == "y\n\n"
    assert _cut(text, second.span).startswith("b.py\n\n```\n")
    assert text[second.span.end :] == ""


def test_an_unclosed_blocks_content_names_no_file_across_its_parts() -> None:
    first, second = _parse("a.py", EDIT, "b.py", REPL, EDIT, "x", REPL, "y", END)
    assert (first.old, second.path) == (("b.py",), "")


def test_a_closing_marker_without_a_middle_closes_nothing() -> None:
    first, second = _parse("a.py", EDIT, "x", END, "", "b.py", EDIT, REPL, "n", END)
    assert not first.is_complete
    assert (second.path, second.is_complete) == ("b.py", True)


def test_stray_middle_and_closing_markers_are_prose() -> None:
    assert [b.path for b in _parse(REPL, END, "a.py", DELETE, END, END, REPL)] == ["a.py"]


def test_a_block_open_at_the_end_is_never_complete() -> None:
    text = _text("a.py", EDIT, "x", REPL, "y", "🟩🟩🟩 EN")
    (block,) = parse(text, lambda _: False)
    assert not block.is_complete
    assert block.span == Span(0, len(text))


# (i) paths


def test_a_path_may_hold_blanks_hashes_and_brackets() -> None:
    for path in ("my notes/a file.txt", "C#/a#b.py", "app/[id]/(x)/{y}.tsx"):
        assert _only(path, EDIT, "x", REPL, "y", END).path == path


def test_a_path_with_blanks_counts_when_the_file_exists() -> None:
    text = _text("the plan", EDIT, "x", REPL, "y", END)
    assert [b.path for b in parse(text, lambda name: name == "the plan")] == ["the plan"]
    assert [b.path for b in parse(text, lambda _: False)] == [""]


def test_a_path_wholly_in_backticks_counts() -> None:
    assert _only("`the plan`", EDIT, "x", REPL, "y", END).path == "the plan"


def test_a_block_without_a_path_is_never_dropped() -> None:
    for ahead in ([], ["Here is what I would change in a.py:"], ["# a.py"], ["a.py", "Now:"]):
        text = _text(*ahead, EDIT, "x", REPL, "y", END)
        (block,) = parse(text, lambda _: False)
        assert (block.path, block.is_complete, block.new) == ("", True, ("y",))
        assert _cut(text, block.span).startswith(EDIT)


def test_a_path_serves_one_block() -> None:
    paths_found = [b.path for b in _parse("a.py", DELETE, END, DELETE, END, "", DELETE, END)]
    assert paths_found == ["a.py", "", ""]


def test_the_disk_is_asked_only_at_a_marker() -> None:
    asked: list[str] = []

    def exists(name: str) -> bool:
        asked.append(name)
        return False

    text = _text("one line of prose", "two words", EDIT, "x y", REPL, "y z", END, "and more.")
    parse(text, exists)
    assert asked == ["two words"]


# (n) between path and marker


@pytest.mark.parametrize(
    "between",
    [[""], ["", "", ""], ["```"], ["```python"], ["", "```", ""], ["~~~"], ["   "], ["````md"]],
)
def test_blank_lines_and_an_opening_fence_between_path_and_marker_are_tolerated(
    between: list[str],
) -> None:
    text = _text("prose", "a.py", *between, EDIT, "x", REPL, "y", END)
    (block,) = parse(text, lambda _: False)
    assert block.path == "a.py"
    assert _cut(text, block.span) == text.removeprefix("prose\n")


@pytest.mark.parametrize("between", ["text", "```\n```", "---"])
def test_anything_else_between_path_and_marker_is_not(between: str) -> None:
    assert _only("a.py", between, EDIT, "x", REPL, "y", END).path != "a.py"


def test_the_last_line_of_a_code_sample_is_no_path() -> None:
    assert _only("```", "make", "```", EDIT, REPL, "y", END).path == ""


@pytest.mark.parametrize(
    "ahead", [["a.py", "```"], ["a.py", "", "```python", ""], ["```", "a.py"], ["```", "", "a.py"]]
)
@pytest.mark.parametrize("behind", [["```"], ["", "```"]])
def test_the_fence_around_a_block_belongs_to_its_span(ahead: list[str], behind: list[str]) -> None:
    text = _text("So:", *ahead, EDIT, "x", REPL, "y", END, *behind, "```", "code", "```")
    (block,) = parse(text, lambda _: False)
    assert block.path == "a.py"
    assert text[: block.span.start] == "So:\n"
    assert text[block.span.end :] == "```\ncode\n```\n"


def test_a_fence_around_several_blocks_belongs_to_them() -> None:
    one = _text("a.py", EDIT, "x", REPL, "y", END)
    text = f"So:\n```\n{one}\n{one}```\nBye\n"
    first, second = parse(text, lambda _: False)
    prose = (
        text[: first.span.start],
        text[first.span.end : second.span.start],
        text[second.span.end :],
    )
    assert prose == ("So:\n", "\n", "Bye\n")


def test_a_fence_behind_a_bare_block_is_prose() -> None:
    text = _text("a.py", DELETE, END, "```", "code", "```")
    (block,) = parse(text, lambda _: False)
    assert text[block.span.end :] == "```\ncode\n```\n"


# removals and renames


def test_a_removal() -> None:
    text = _text("a.py", DELETE, "", END, "Gone.")
    (block,) = parse(text, lambda _: False)
    assert bare(block) == EditBlock(0, BlockKind.DELETE, "a.py")
    assert text[block.span.end :] == "Gone.\n"


def test_a_rename() -> None:
    block = _only("a.py", RENAME, "", "`my b.py`", "", END)
    assert bare(block) == EditBlock(0, BlockKind.RENAME, "a.py", new_path="my b.py")


@pytest.mark.parametrize("new", [[], ["Put it somewhere else."]])
def test_a_rename_without_a_new_path_is_not_dropped(new: list[str]) -> None:
    block = _only("a.py", RENAME, *new, END)
    assert (block.new_path, block.is_complete) == ("", True)


def test_text_in_a_removal_or_rename_leaves_it_unclosed() -> None:
    removed, edited = _parse("a.py", DELETE, "why not", "b.py", EDIT, REPL, "n", END)
    assert (removed.path, removed.is_complete) == ("a.py", False)
    assert (edited.path, edited.is_complete) == ("b.py", True)
    renamed, deleted = _parse("a.py", RENAME, "b.py", "c.py", DELETE, END)
    assert (renamed.new_path, renamed.is_complete) == ("b.py", False)
    assert (deleted.path, deleted.is_complete) == ("c.py", True)


# while it comes in


def test_an_open_block_is_there_with_its_marker() -> None:
    parser = EditParser(lambda _: False)
    parser.feed(f"a.py\n{EDIT}")
    assert list(parser.blocks) == []
    parser.feed("\nol")
    (block,) = parser.blocks
    assert (block.path, block.old, block.is_complete) == ("a.py", (), False)
    parser.feed("d\n")
    assert parser.blocks[0].old == ("old",)
    assert parser.blocks[0].new_span == Span()


def test_the_version_goes_up_when_a_page_should_know() -> None:
    parser = EditParser(lambda _: False)
    versions = []
    for line in ("a.py", EDIT, "x", "x", REPL, "y", "y", END, "prose"):
        parser.feed(f"{line}\n")
        versions.append(parser.version)
    assert versions == [0, 1, 1, 1, 2, 2, 2, 3, 3]


def test_a_last_line_without_end_counts_at_the_end() -> None:
    parser = EditParser(lambda _: False)
    parser.feed(_text("a.py", EDIT, "x", REPL, "y") + END)
    assert not parser.blocks[0].is_complete
    parser.finish()
    assert parser.blocks[0].is_complete


_pieces_of_answers = st.sampled_from(
    [
        *("\n", "\r\n", "\r", " ", "a.py", "some prose", "```", "```python", "my file", "~~~"),
        *(EDIT, DELETE, RENAME, REPL, END, SEED_EDIT, SEED_REPL, SEED_END, "═══════"),
    ]
)
_answers = st.lists(st.tuples(_pieces_of_answers, st.sampled_from(["\n", "\r\n", ""]))).map(
    lambda pieces: "".join(text + end for text, end in pieces)
)


@given(text=_answers, cuts=st.lists(st.integers(0, 200), max_size=8))
def test_pieces_give_the_same_as_the_whole(text: str, cuts: list[int]) -> None:
    parser = EditParser(lambda _: True)
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    for start, end in pairwise(places):
        parser.feed(text[start:end])
    parser.finish()
    assert list(parser.blocks) == parse(text, lambda _: True)


@given(text=_answers)
def test_prose_and_spans_are_the_whole_text(text: str) -> None:
    at = 0
    for index, block in enumerate(parse(text, lambda _: True)):
        assert (block.index, at <= block.span.start < block.span.end) == (index, True)
        for part in (block.old_span, block.new_span):
            is_begun = part != Span()
            assert not is_begun or block.span.start <= part.start <= part.end <= block.span.end
        at = block.span.end
    assert at <= len(text)


@given(text=_answers)
def test_a_stream_cut_anywhere_completes_the_blocks_of_the_whole(text: str) -> None:
    whole = _complete(parse(text, lambda _: True))
    parser = EditParser(lambda _: True)
    for character in text:
        parser.feed(character)
        so_far = _complete(parser.blocks)
        assert so_far == whole[: len(so_far)]


@given(blocks=st.lists(edits(SQUARES) | orders(), min_size=1, max_size=3), data=st.data())
def test_an_answer_cut_at_any_byte_never_completes_an_unfinished_block(
    blocks: list[EditBlock], data: st.DataObject
) -> None:
    encoded = "".join(map(render, blocks)).encode("utf-8", "surrogatepass")
    cut = data.draw(st.integers(0, len(encoded)))
    parser = EditParser(lambda _: False)
    parser.feed(getincrementaldecoder("utf-8")("surrogatepass").decode(encoded[:cut]))
    complete = _complete(parser.blocks)
    assert (
        complete == [replace(block, index=at) for at, block in enumerate(blocks)][: len(complete)]
    )


def test_one_answer_cut_at_every_byte() -> None:
    blocks = [
        EditBlock(0, BlockKind.EDIT, "a.py", ("é", ""), ("🟩🟩🟩 ENDED", "🟨🟨🟨")),
        EditBlock(1, BlockKind.DELETE, "b.py"),
        EditBlock(2, BlockKind.RENAME, "c.py", new_path="d.py"),
        EditBlock(3, BlockKind.EDIT, "e.py", (), ("x",)),
    ]
    encoded = [render(block).encode() for block in blocks]
    ends = [sum(map(len, encoded[: at + 1])) for at in range(len(encoded))]
    for cut in range(ends[-1] + 1):
        parser = EditParser(lambda _: False)
        parser.feed(b"".join(encoded)[:cut].decode("utf-8", "ignore"))
        assert _complete(parser.blocks) == blocks[: sum(end <= cut for end in ends)]


@given(one=lines(SQUARES), path=paths())
def test_prose_without_opening_markers_has_no_blocks(one: tuple[str, ...], path: str) -> None:
    if not any(line.strip() in {*SQUARES.openers, *GUILLEMETS.openers} for line in (*one, path)):
        assert _parse(path, *one, REPL, END, SEED_REPL, SEED_END) == []


ENDLESS = (
    f"{EDIT}\n",
    f"a.py\n{EDIT}\n",
    f"{SEED_EDIT}\n",
    f"a.py\n{EDIT}\n{REPL}\n",
    f"b.py\n{SEED_EDIT}\nx\n{SEED_REPL}\n",
    f"```\n{DELETE}\n",
    f"c.py\n{RENAME}\nd.py\n",
    f"{EDIT}\n{SEED_EDIT}\n",
    f"a.py\n{EDIT}\nold\n{REPL}\nnew\n{END}\n",
)
endless = pytest.mark.parametrize("unit", ENDLESS)


@endless
def test_blocks_behind_the_last_that_an_answer_may_have_are_text(unit: str) -> None:
    parser = EditParser(lambda _: False)
    parser.feed(unit * 16_000)
    parser.finish()
    assert len(parser.blocks) <= MAX_BLOCKS
    assert parser.has_more == (unit.count(SEED_EDIT) + unit.count("🟧") > 0)
    assert (
        list(parser.blocks) == parse(unit * (MAX_BLOCKS + 2), lambda _: False)[: len(parser.blocks)]
    )


def _steps(text: str) -> int:
    """Count the calls that it takes to read an answer, as it comes in."""
    counted = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal counted
        counted += event in {"call", "c_call"}

    parser = EditParser(lambda _: False)
    sys.setprofile(count)
    try:
        for at in range(0, len(text), 4096):
            parser.feed(text[at : at + 4096])
            _ = parser.version
        parser.finish()
        _ = parser.blocks
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize("unit", [*ENDLESS, "\n", "x", "a.py\n", "```\n", "`"])
def test_ten_times_the_answer_takes_ten_times_the_steps_at_most(unit: str) -> None:
    once, tenfold = (unit * 2000)[:20_000], (unit * 20_000)[:200_000]
    assert _steps(tenfold) <= 12 * _steps(once)


@given(
    blocks=st.lists(edits(SQUARES) | orders(), max_size=5),
    most=st.integers(1, 5),
    data=st.data(),
)
def test_the_blocks_that_are_read_do_not_depend_on_what_follows(
    blocks: list[EditBlock], most: int, data: st.DataObject
) -> None:
    """With a lower limit, to have answers beyond it; cut anywhere."""
    text = "".join(render(block) for block in blocks)
    whole = parse(text, lambda _: False)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parser_module, "MAX_BLOCKS", most)
        parser = EditParser(lambda _: False)
        for start, end in pairwise([0, *cuts, len(text)]):
            parser.feed(text[start:end])
        parser.finish()
    assert parser.has_more == (len(whole) > most)
    assert [bare(block) for block in parser.blocks] == [bare(block) for block in whole[:most]]


def test_a_long_answer_in_many_pieces_costs_in_proportion() -> None:
    """Each piece and line is handled once: 20 000 pieces, a line of 1 MB among them."""
    text = (
        "x" * 1_000_000
        + "\n"
        + render(EditBlock(0, BlockKind.EDIT, "a.py", ("o",) * 40, ("n",) * 40)) * MAX_BLOCKS
    )
    parser = EditParser(lambda _: False)
    for at in range(0, len(text), 60):
        parser.feed(text[at : at + 60])
    assert not parser.has_more
    assert (len(parser.blocks), parser.version) == (MAX_BLOCKS, 3 * MAX_BLOCKS)
