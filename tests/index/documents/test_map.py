from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.keywords import Keywords
from jupyter_ac.index.documents.map import DocumentMap, document_map
from jupyter_ac.index.documents.rendering import LEGEND
from tests.support.document_tree import graph_of


def count(text: str) -> int:
    """Count words, and signs that are none, as a tokenizer roughly does."""
    return len(text.split()) + text.count("\n")


TEXTS = {
    "README.md": "# Top\n## Install\n[guide](docs/guide.md)\n",
    "docs/guide.md": "# Guide\n## One\n## Two\n### Deep\n",
    "docs/notes.md": "# Notes\n",
    "src/data/flow.svg": "<svg><title>Flow</title></svg>",
    "src/core.py": "",
}


def drawn(
    texts: Mapping[str, str] = TEXTS,
    budget: int = 1000,
    keywords: Callable[[RepoPath], Keywords] = lambda _path: (),
) -> DocumentMap:
    return document_map(graph_of(texts), keywords, budget, count)


def test_the_map_goes_by_folder() -> None:
    assert (
        drawn().text
        == """\
./
 README.md: Top [readme]
  Install →docs/guide.md
docs/
 guide.md: Guide [guide] ←1
  One
  Two
   Deep
 notes.md: Notes [notes]
src/data/
 flow.svg: Flow
"""
    )


def test_the_map_names_all_documents_and_says_how_many() -> None:
    made = drawn()
    assert (made.files, made.legend) == (4, LEGEND)
    assert made.tokens == count(made.text) + count(LEGEND)


def test_keywords_stand_in_brackets() -> None:
    words: dict[str, Keywords] = {"docs/guide.md": (("stairs",), ("ladder", "rope"), (), ())}
    text = drawn(keywords=lambda path: words.get(path, ())).text
    assert " guide.md: Guide (stairs) [guide] ←1\n  One (ladder, rope)\n" in text


def test_drawings_without_a_word_are_left_out() -> None:
    assert drawn({**TEXTS, "icons/a.svg": "<svg/>"}) == drawn()


def test_without_documents_there_is_no_map() -> None:
    assert drawn({"a.py": ""}) == ("", "", 0, 0)


MANY = {
    f"docs/{folder}/page{at}.md": f"# Page {at}\n" + "## Part\ntext\n" * 5
    for folder in "abcdefgh"
    for at in range(30)
} | {"README.md": "# Read this first\n## How\n"}


@pytest.mark.parametrize("budget", [0, 50, 100, 200, 400, 1000, 3000, 10_000])
def test_the_map_fits_its_budget_and_uses_it(budget: int) -> None:
    made = drawn(MANY, budget)
    assert made.tokens <= budget
    if 200 <= budget <= 3000:
        assert made.tokens >= 0.8 * budget


def test_with_little_room_the_most_important_is_told_and_the_rest_is_counted() -> None:
    text = drawn(MANY, 120).text
    assert " README.md: Read this first" in text
    assert "docs/ +" in text


def test_folders_that_are_too_many_are_counted_together() -> None:
    texts = {f"docs/a{at // 10}/b{at}/page.md": "# Page\n" for at in range(300)}
    texts["docs/a1/b11/README.md"] = "# Important\n"
    made = drawn(texts, 100)
    assert 0 < made.tokens <= 100
    lines = made.text.splitlines()
    assert "docs/a1/b11/ page.md" in lines or "docs/a1/b11/" in lines
    assert any(line.startswith(" README.md: Important") for line in lines)
    assert any(line.startswith("docs/ +") for line in lines)


@given(st.permutations(sorted(MANY)[:9]), st.integers(60, 200))
def test_the_map_is_the_same_however_the_documents_came(order: list[str], budget: int) -> None:
    first = drawn({path: MANY[path] for path in order}, budget)
    assert first == drawn({path: MANY[path] for path in sorted(order)}, budget)


def test_five_thousand_documents_are_mapped_with_bounded_work() -> None:
    counted = []

    def spy(text: str) -> int:
        counted.append(len(text))
        return count(text)

    texts = {f"docs/d{at % 50}/page{at}.md": f"# Page {at}\n## Part\n" for at in range(5000)}
    made = document_map(graph_of(texts), lambda _path: (), 4000, spy)
    assert 3000 <= made.tokens <= 4000
    assert sum(counted) < 2_000_000


def test_an_excluded_document_is_no_target_either() -> None:
    graph = graph_of(TEXTS).without(ExcludedPaths((RepoPath("docs/guide.md"), RepoPath("src"))))
    text = document_map(graph, lambda _path: (), 1000, count).text
    assert "guide" not in text
    assert "src" not in text
    assert "notes.md" in text
