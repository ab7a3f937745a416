"""Names as numbers."""

from jupyter_ac.index.graph.distinctive import COMMON, DISTINCTIVE, PLAIN
from jupyter_ac.index.graph.keys import distinction_of, import_key, key_of, use_key


def test_a_key_is_the_same_on_every_machine() -> None:
    assert key_of("fetch_rows") == 7748369747728172790


def test_a_key_says_how_distinctive_its_name_is() -> None:
    found = [distinction_of(key_of(name)) for name in ("get", "ledger", "fetch_rows")]
    assert found == [COMMON, PLAIN, DISTINCTIVE]


def test_words_uses_and_imports_have_keys_of_their_own() -> None:
    assert len({key_of("a"), use_key(key_of("a")), import_key("a")}) == 3


def test_half_a_surrogate_pair_has_a_key() -> None:
    assert key_of("\udc80") != key_of("\udc81")
