"""TOML: tables and keys at top level."""

from jupyter_ac.index.languages.registry import language_of
from jupyter_ac.index.parsing import parse


def test_tables_and_keys_at_top_level_are_symbols() -> None:
    record = parse("toml", b'title = "x"\n[tool.ruff]\nline = 1\n[[rows]]\n')
    assert [symbol.name for symbol in record.symbols] == ["title", "tool.ruff", "rows"]


def test_a_file_is_known_by_its_name() -> None:
    assert language_of("Pipfile") == language_of("x.toml") == "toml"
