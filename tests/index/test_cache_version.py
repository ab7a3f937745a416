import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.index import cache_version
from jupyter_ac.index.cache_version import record_format
from jupyter_ac.index.indexing import snapshots
from jupyter_ac.index.languages.registry import LANGUAGES
from jupyter_ac.index.map import sources

INDEX = Path(cache_version.__file__).parent
TOP = INDEX.parents[1]


def test_the_name_is_the_same_each_time() -> None:
    assert record_format() == record_format()


@pytest.mark.parametrize("path", ["records.py", "languages/python.scm"])
def test_the_name_changes_with_what_decides_on_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    place = tmp_path / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("one")
    monkeypatch.setattr(cache_version, "_HERE", tmp_path)
    before = record_format()
    place.write_text("other")
    assert record_format() != before


@pytest.mark.parametrize(
    "pattern", [*cache_version._SOURCES, *snapshots._SOURCES, *sources._FORMAT]
)
def test_what_decides_on_a_name_is_there(pattern: str) -> None:
    assert any(INDEX.glob(pattern))


def test_every_grammar_has_a_say() -> None:
    for language in LANGUAGES:
        assert list(cache_version._state(language.grammar[0])), language.name


def imported(module: Path) -> Iterator[Path]:
    """The modules of the index that a module imports."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in (node.module, *(f"{node.module}.{each.name}" for each in node.names)):
                place = TOP / (name.replace(".", "/") + ".py")
                if place.is_relative_to(INDEX) and place.exists():
                    yield place


def test_all_that_makes_a_sealed_record_has_a_say() -> None:
    named = {file for pattern in cache_version._SOURCES for file in INDEX.glob(pattern)}
    found, waiting = set[Path](), [INDEX / "parsing.py", INDEX / "graph/record_codec.py"]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += imported(module)
    assert not found - named
