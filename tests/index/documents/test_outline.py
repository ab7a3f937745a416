"""Golden files, and what must hold for any text at all."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.documents.outline import LANGUAGES, notebook_outline, outline, txt_outline
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


def test_cells_are_texts_of_their_own() -> None:
    found = notebook_outline("# %% [markdown]\n# # A\n# ```\n\n# %% [markdown]\n# ## B\n")
    assert [(head.text, head.line, head.last_line) for head in found.headings] == [
        ("A", 2, 5),
        ("B", 6, 6),
    ]


@pytest.mark.parametrize("comment", ["#", "//", "--", "%", ";;"])
def test_comments_are_those_of_the_language(comment: str) -> None:
    found = notebook_outline(f"{comment} %% [markdown]\n{comment} # Title\n{comment} [a](b.md)\n")
    assert [head.text for head in found.headings] == ["Title"]
    assert [link.target for link in found.links] == ["b.md"]


def test_code_counts_as_contents_of_the_section_before_it() -> None:
    found = notebook_outline("# %% [markdown]\n# # A\n\n# %%\nx = 1\n\n# %%\n\n")
    assert found.headings[0].contents == ("code",)


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("Title\n=====\n\nPart\n----\n", [(1, "Title", 1), (2, "Part", 4)]),
        ("=====\nTitle\n=====\n", [(1, "Title", 2)]),
        ("## Part ##\ntext\n", [(2, "Part", 1)]),
        ("text\n\nHOW TO BUILD:\n\ntext\n", [(2, "HOW TO BUILD", 3)]),
        ("text\ngoes on\n-------\n", []),
        ("A very long line above a rule\n---\n", []),
        ("text\n\nNOT one\n", []),
    ],
)
def test_headings_are_underlined_marked_or_in_capitals(
    text: str, headings: list[tuple[int, str, int]]
) -> None:
    found = [(each.level, each.text, each.line) for each in txt_outline(text).headings]
    assert found == headings


def test_paths_and_names_in_backticks_are_references() -> None:
    links = txt_outline("See docs/a.txt, `run_all` and ``b``; and/or http://x.y/z/a.b\n").links
    assert [link.target for link in links][:2] == ["docs/a.txt", "run_all"]
    assert all(link.is_code for link in links)
