"""Golden files, and what must hold for any text at all."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.documents.outline import LANGUAGES, outline
from jupyter_ac.index.documents.sections import MAX_HEADINGS, MAX_LINKS
from jupyter_ac.index.languages.registry import DOCUMENTS, TEXT
from jupyter_ac.index.records import NOBODY, Outline

GOLDEN = Path(__file__).parent / "golden"
SOURCES = sorted(GOLDEN.glob("*.*.txt"))

marks = st.text(
    st.sampled_from(list("#`*_[]()<>!|:-=~$\\\"'./ \t\n\rab1&;\0\ufeff\ud800é")), max_size=200
)
lines = st.lists(
    st.sampled_from(
        [
            "# Title", "## A `b` c", "text", "===", "---", "", "```", "~~~ py", "    code",
            "> quote", "- item", "1. item", "[a](b.md#c)", "[a]: b.md", "[a]", "![x](y.svg)",
            "| a | b |", "|---|---|", "<h2>T</h2>", "<!--", "-->", ".. _label:", ".. code:: x",
            "Title", "~~~~~", "* * *", ":doc:`a`", ":ref:`label`", "# %% [markdown]", "# %%",
            "<svg>", "<title>T</title>", "</svg>", "<a href='b.md'>", "$$", "::",
        ]
    ),
    max_size=30,
).map("\n".join)  # fmt: skip


def shown(found: Outline) -> str:
    rows = [
        f"{'#' * head.level} {head.text} | {head.line}-{head.last_line} | {head.slug}"
        f" | {' '.join(head.contents)}".rstrip()
        for head in found.headings
    ]
    rows += [
        f"{'name' if link.is_code else 'link'} {link.target} | {link.line} | {link.heading}"
        for link in found.links
    ]
    return "".join(f"{row}\n" for row in rows)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_golden_outlines(source: Path) -> None:
    language = source.name.split(".")[1]
    text = source.read_text("utf-8")
    expected = source.with_suffix(".expected")
    assert shown(outline(language, text)) == expected.read_text("utf-8")


def test_there_is_a_golden_file_of_each_language() -> None:
    assert {source.name.split(".")[1] for source in SOURCES} == LANGUAGES


def test_all_documents_of_the_registry_have_a_reader() -> None:
    assert {*DOCUMENTS.values(), TEXT} == LANGUAGES


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@given(st.one_of(st.text(), marks, lines))
def test_any_text_has_an_outline_that_is_consistent(language: str, text: str) -> None:
    found = outline(language, text)
    last = text.count("\n") + text.count("\r") + 1
    starts = [head.line for head in found.headings]
    assert starts == sorted(starts)
    assert len({head.slug for head in found.headings}) == len(found.headings)
    for head in found.headings:
        assert 1 <= head.line <= head.last_line <= last
        assert head.text.strip() == head.text != ""
    for link in found.links:
        assert 1 <= link.line <= last
        assert NOBODY <= link.heading < len(found.headings)
        if language in {"markdown", "rst"} and link.heading != NOBODY:
            # A heading of two lines holds links of its second, which are before its text in RST.
            section = found.headings[link.heading]
            assert section.line - 1 <= link.line <= max(section.last_line, section.line + 1)


@given(lines)
def test_the_same_text_gives_the_same_outline_whatever_its_newlines_are(text: str) -> None:
    crlf = text.replace("\n", "\r\n")
    for language in ("markdown", "rst", "notebook"):
        assert outline(language, crlf) == outline(language, text)


HOSTILE = {
    "nested quotes": ">" * 10_000 + "x",
    "nested lists": "- " * 5_000 + "x\n",
    "nested brackets": "[" * 200_000,
    "nested images": "![a" * 100_000 + "](b)" * 10_000,
    "a line of a megabyte": "a" * 1_000_000,
    "a heading of a megabyte": "# " + "a " * 500_000,
    "backticks of all lengths": "".join("`" * length + "a" for length in range(1, 1400)),
    "unclosed links": '[a](b "' * 100_000,
    "unclosed tags": "<a " * 300_000,
    "unclosed comments": "<!--" * 200_000,
    "headings of brackets": ("# " + "[" * 300 + "\n") * 300,
    "drawings": "a.svg" * 20_000,
    "an entity bomb": '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><svg>&d;</svg>',
    "nested elements": "<g>" * 100_000,
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_within_bounds(language: str, name: str) -> None:
    found = outline(language, HOSTILE[name])
    assert len(found.headings) <= MAX_HEADINGS
    assert len(found.links) <= MAX_LINKS


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_million_headings_are_cut(language: str) -> None:
    text = {
        "markdown": "# a\n" * 5_000,
        "rst": "ab\n==\n\n" * 5_000,
        "notebook": "# %% [markdown]\n# # a\n" * 2_500,
        "svg": "<svg>" + "".join(f"<text>{at}</text>" for at in range(10_000)) + "</svg>",
        "text": "ab\n==\n\n# a\n" * 5_000,
    }[language]
    assert 0 < len(outline(language, text).headings) <= MAX_HEADINGS
