from pathlib import Path

import pytest

from jupyter_ac.index.languages import registry
from jupyter_ac.index.languages.registry import (
    LANGUAGES,
    language_named,
    language_of,
    language_of_cells,
)

QUERIES = Path(registry.__file__).parent
SOURCE = Path(registry.__file__).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("a/b.PYI", "python"),
        ("x.jsx", "javascript"),
        ("x.mjs", "javascript"),
        ("x.ts", "typescript"),
        ("x.d.ts", "typescript"),
        ("x.tsx", "tsx"),
        ("x.h", "c"),
        ("x.hpp", "cpp"),
        ("Rakefile", "ruby"),
        ("a.b/c", ""),
        (".py", ""),
        (".bashrc", "bash"),
        ("x.lua", "lua"),
        ("web/index.php", "php"),
        ("view/cart.phtml", "php"),
        ("config.inc.php", "php"),
        ("lib/db.inc", "php"),
        ("x.R", "r"),
        ("x.r", "r"),
        (".Rprofile", "r"),
        ("a/DESCRIPTION", "DESCRIPTION"),
        ("x.kt", "kotlin"),
        ("x.scala", "scala"),
        ("build.sbt", "scala"),
        ("script.sc", "scala"),
        ("build.gradle.kts", "kotlin"),
        ("a/Store.cs", "csharp"),
        ("x.csx", "csharp"),
        ("x.jl", "julia"),
        ("README.md", "markdown"),
        ("n.ipynb", "notebook"),
        ("i.svg", "svg"),
        ("Makefile", ""),
        ("", ""),
        ("a/\udcff.go", "go"),
    ],
)
def test_language_of(path: str, language: str) -> None:
    assert language_of(path) == language


def test_names_and_extensions_are_each_taken_once() -> None:
    extensions = [extension for language in LANGUAGES for extension in language.extensions]
    assert len(extensions) == len(set(extensions))
    assert len({language.name for language in LANGUAGES}) == len(LANGUAGES)
    assert language_named("python") is LANGUAGES[0]
    assert language_named("cobol") is None


def test_every_query_file_belongs_to_a_language() -> None:
    named = {
        name for language in LANGUAGES for name in language.reading.queries or (language.name,)
    }
    assert {file.stem for file in QUERIES.glob("*.scm")} == named


@pytest.mark.parametrize("name", ["bash", "css", "html", "json", "ruby", "sql", "toml", "yaml"])
def test_a_language_takes_two_short_files_and_its_registry_row(name: str) -> None:
    """What docs/languages.md promises for one that is simple."""
    texts = [(QUERIES / f"{name}.{end}").read_text(encoding="utf-8") for end in ("scm", "py")]
    assert sum(len(text.splitlines()) for text in texts) < 100
    assert SOURCE.count(f"languages.{name} import") == 1


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("README.txt", "text"),
        ("a/CHANGES.txt", "text"),
        ("docs/wiring.txt", "text"),
        ("CMakeLists.txt", ""),
        ("docs/requirements.txt", ""),
        ("tests/data/rows.txt", ""),
        ("package-lock.json", ""),
        ("Cargo.lock", ""),
    ],
)
def test_a_text_is_a_document_by_its_name_or_its_folder_and_a_lock_is_nothing(
    path: str, language: str
) -> None:
    assert language_of(path) == language


def test_cells_of_a_notebook_may_have_a_grammar_of_their_own() -> None:
    cells, plain = language_of_cells("php"), language_named("php")
    assert cells is not None
    assert plain is not None
    assert (cells.name, cells.grammar) == ("php", plain.cells_grammar)
    assert language_of_cells("python") is language_named("python")
    assert language_of_cells("cobol") is None
