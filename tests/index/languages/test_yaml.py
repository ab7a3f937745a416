"""YAML: keys at top level; what its grammar must not read is refused before."""

import pytest

from jupyter_ac.index.extraction.skip_rules import TOO_DEEP
from jupyter_ac.index.parsing import parse


def test_keys_at_top_level_are_symbols() -> None:
    record = parse("yaml", b"on:\n  push: 1\njobs:\n  build: 2\n")
    assert [symbol.name for symbol in record.symbols] == ["on", "jobs"]


@pytest.mark.parametrize("data", [b"- " * 150, b"? " * 150, b"- a\n- " + b"- ? " * 80])
def test_what_is_nested_too_deep_is_not_read(data: bytes) -> None:
    assert parse("yaml", data).note == TOO_DEEP
