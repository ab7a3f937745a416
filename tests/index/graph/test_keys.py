"""Names as numbers."""

from jupyter_ac.index.graph.keys import (
    NO_NAME,
    distinction_of,
    import_key,
    key_of,
    place,
    slot_of,
    symbol_of,
    use_key,
    use_keys,
)
from jupyter_ac.index.graph.name_frequency import COMMON, DISTINCTIVE, PLAIN


def test_a_key_is_the_same_on_every_machine() -> None:
    assert key_of("fetch_rows") == 11637704694329388354


def test_a_key_says_how_distinctive_its_name_is() -> None:
    found = [distinction_of(key_of(name)) for name in ("get", "ledger", "fetch_rows")]
    assert found == [COMMON, PLAIN, DISTINCTIVE]


def test_words_uses_and_imports_have_keys_of_their_own() -> None:
    assert len({key_of("a"), use_key(key_of("a")), import_key("a")}) == 3
    assert use_keys([key_of("a")]) == [use_key(key_of("a"))]


def test_names_made_for_it_have_different_keys() -> None:
    one, other = "load_rows_again", "mo_c_powk_qoayn"
    # The remainder of their bytes, which would be a cheaper key, is the same.
    numbers = {int.from_bytes(name.encode()) % ((1 << 61) - 1) for name in (one, other)}
    assert len(numbers) == 1
    assert key_of(one) != key_of(other)


def test_no_name_has_no_key() -> None:
    assert key_of("") == NO_NAME


def test_half_a_surrogate_pair_has_a_key() -> None:
    assert key_of("\udc80") != key_of("\udc81")


def test_a_place_is_a_file_and_a_symbol() -> None:
    assert (slot_of(place(5, 9)), symbol_of(place(5, 9))) == (5, 9)
