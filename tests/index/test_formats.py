from pathlib import Path

import pytest

from jupyter_ac.index import formats
from jupyter_ac.index.formats import record_format
from jupyter_ac.index.languages.registry import LANGUAGES


def test_the_name_is_the_same_each_time() -> None:
    assert record_format() == record_format()


@pytest.mark.parametrize("path", ["records.py", "languages/queries/python.scm"])
def test_the_name_changes_with_what_decides_on_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    place = tmp_path / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("one")
    monkeypatch.setattr(formats, "_HERE", tmp_path)
    before = record_format()
    place.write_text("other")
    assert record_format() != before


def test_every_grammar_has_a_say() -> None:
    for language in LANGUAGES:
        assert list(formats._state(language.grammar[0])), language.name
