"""Where names are defined."""

from jupyter_ac.index.graph.definitions import Definitions, place, slot_of, symbol_of


def test_a_name_has_all_its_places_until_they_go() -> None:
    definitions = Definitions()
    definitions.add(1, [7, 8, 7])
    definitions.add(2, [7])
    assert sorted(definitions.of(7)) == [place(1, 0), place(1, 2), place(2, 0)]
    definitions.remove(1, [7, 8, 7])
    assert list(definitions.of(7)) == [place(2, 0)]
    assert 8 not in definitions
    definitions.remove(2, [7])
    assert list(definitions.of(7)) == []


def test_a_place_is_a_file_and_a_symbol() -> None:
    assert (slot_of(place(5, 9)), symbol_of(place(5, 9))) == (5, 9)
