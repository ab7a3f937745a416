"""The markers of both families."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock, Span
from jupyter_ac.chat.edit_blocks.reading.markers import (
    FAMILIES,
    GUILLEMETS,
    SQUARES,
    Family,
    render,
)
from jupyter_ac.chat.edit_blocks.reading.parser import parse
from tests.chat.edits.answers import bare, edits, orders


def test_markers_are_the_fixed_characters() -> None:
    opener = SQUARES.opener(BlockKind.EDIT)
    assert (opener, SQUARES.middle, SQUARES.close) == (
        "\N{LARGE ORANGE SQUARE}" * 3 + " EDIT",
        "\N{LARGE YELLOW SQUARE}" * 3 + " REPL",
        "\N{LARGE GREEN SQUARE}" * 3 + " END",
    )
    assert (GUILLEMETS.opener(BlockKind.EDIT), GUILLEMETS.middle, GUILLEMETS.close) == (
        "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}" * 3 + " EDIT",
        "\N{BOX DRAWINGS DOUBLE HORIZONTAL}" * 7 + " REPL",
        "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}" * 3 + " EDIT END",
    )


def test_seven_double_lines_are_a_middle_whatever_follows() -> None:
    for line in ("═══════", "═══════ REPL", "════════════", "═══════ else"):
        assert GUILLEMETS.is_middle(line)
        assert not SQUARES.is_middle(line)
    assert not GUILLEMETS.is_middle("══════ REPL")
    assert not SQUARES.is_middle("🟨🟨🟨 REPLACE")


def test_no_marker_is_in_both_families() -> None:
    lines = [[*family.openers, family.middle, family.close] for family in FAMILIES]
    assert len({line for family in lines for line in family}) == sum(map(len, lines))


def test_a_block_is_written_as_it_is_taught() -> None:
    block = EditBlock(0, BlockKind.EDIT, "a.py", old=("x",), new=("y", ""))
    assert render(block) == "a.py\n🟧🟧🟧 EDIT\nx\n🟨🟨🟨 REPL\ny\n\n🟩🟩🟩 END\n"
    block = EditBlock(0, BlockKind.RENAME, "a.py", new_path="my b")
    assert render(block) == "a.py\n🟧🟧🟧 RENAME\n`my b`\n🟩🟩🟩 END\n"
    assert render(EditBlock(0, BlockKind.DELETE, "a.py")) == "a.py\n🟧🟧🟧 DELETE\n🟩🟩🟩 END\n"


@pytest.mark.parametrize("family", FAMILIES, ids=["squares", "guillemets"])
def test_render_and_parse_give_back_any_edits(family: Family) -> None:
    @given(blocks=st.lists(edits(family), max_size=4))
    def check(blocks: list[EditBlock]) -> None:
        text = "".join(render(block, family) for block in blocks)
        numbered = [replace(block, index=at) for at, block in enumerate(blocks)]
        assert [bare(block) for block in parse(text, lambda _: False)] == numbered

    check()


@given(blocks=st.lists(edits(SQUARES) | orders(), max_size=4), prose=st.sampled_from(["", "So:\n"]))
def test_render_and_parse_give_back_all_kinds(blocks: list[EditBlock], prose: str) -> None:
    text = prose.join(["", *map(render, blocks)])
    numbered = [replace(block, index=at) for at, block in enumerate(blocks)]
    parsed = parse(text, lambda _: False)
    assert [bare(block) for block in parsed] == numbered
    for block in parsed:
        assert text[block.span.start : block.span.end] == render(block)


@given(blocks=st.lists(edits(SQUARES) | orders(), max_size=3), first=st.integers(0, 9))
def test_an_offset_shifts_spans_and_numbers(blocks: list[EditBlock], first: int) -> None:
    text = "".join(map(render, blocks))
    there = parse(text, lambda _: False, first, 1000)
    for block, moved in zip(parse(text, lambda _: False), there, strict=True):
        assert moved.index == block.index + first
        assert moved.span == Span(block.span.start + 1000, block.span.end + 1000)
