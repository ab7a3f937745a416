"""The markers of both families."""

from jupyter_ac.chat.edit_blocks.blocks import BlockKind
from jupyter_ac.chat.edit_blocks.reading.markers import FAMILIES, GUILLEMETS, SQUARES


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
