"""The shape of a file's record."""

from jupyter_ac.index.records import NOBODY, FileRecord, Symbol


def test_a_record_of_nothing_holds_nothing() -> None:
    record = FileRecord("python")
    assert not any((record.symbols, record.imports, record.uses, record.words, record.note))
    assert record.outline is None


def test_a_symbol_stands_at_top_level_unless_something_is_around_it() -> None:
    assert Symbol("f", "function", 1, 4, 1, 2).parent == NOBODY
