"""JSON: a file of settings shows its first keys."""

from jupyter_ac.index.languages.registry import language_of
from jupyter_ac.index.parsing import parse


def test_keys_at_top_level_are_symbols() -> None:
    record = parse("json", b'{"name": "x", "scripts": {"build": "y"}}')
    assert [symbol.name for symbol in record.symbols] == ["name", "scripts"]
    assert {symbol.kind for symbol in record.symbols} == {"key"}


def test_lock_files_are_left_out() -> None:
    assert language_of("a/package-lock.json") == ""
    assert language_of("a/tsconfig.jsonc") == "json"
