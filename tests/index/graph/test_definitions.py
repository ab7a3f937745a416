"""Places as numbers."""

from jupyter_ac.index.graph.definitions import place, slot_of, symbol_of


def test_a_place_is_a_file_and_a_symbol() -> None:
    assert (slot_of(place(5, 9)), symbol_of(place(5, 9))) == (5, 9)
