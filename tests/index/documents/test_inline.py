from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from jupyter_ac.index.documents.inline import find_inline, label_of, link_in_tag

REFS = {label_of("Ref"): "ref.md"}

# It has HTML and autolinks that we read otherwise, and its own view of labels in brackets.
pieces = st.lists(
    st.sampled_from(
        [*"[]()!`a*\\\n", "``", " b", "](c.md)", "](<d e>)", '](e "t")', "[a](b.md)", "![a](b.svg)"]
    ),
    max_size=12,
).map("".join)


def rows(text: str, definitions: Mapping[str, str] = REFS) -> list[tuple[str, str]]:
    return [(found.kind, found.text) for found in find_inline(text, definitions)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](b.md)", [("link", "b.md")]),
        ('[a](b.md "t")', [("link", "b.md")]),
        ("[a](<b c.md>)", [("link", "b c.md")]),
        ("[a](b(c).md)", [("link", "b(c).md")]),
        (r"[a](b\_c.md)", [("link", "b_c.md")]),
        ("[a](\n b.md\n)", [("link", "b.md")]),
        ("[a](b c.md)", []),
        (r"\[a](b.md)", []),
        ("![a](b.png)", [("image", "b.png")]),
        ("[![a](b.png)](c.md)", [("image", "b.png"), ("link", "c.md")]),
        ("[a [b](c) d](e)", [("link", "c")]),
        ("[`x`](c)", [("code", "x"), ("link", "c")]),
        ("`[a](b)`", [("code", "[a](b)")]),
        ("`` a`b ``", [("code", "a`b")]),
        ("`a", []),
        ("[ref]", [("link", "ref.md")]),
        ("[REF][]", [("link", "ref.md")]),
        ("[text][ref]", [("link", "ref.md")]),
        ("[text][other]", []),
        ("[ref](own.md)", [("link", "own.md")]),
        ("<https://a.b/c.md>", []),
        ("<a@b.c>", []),
        ('<a class="x" href="b.md">', [("link", "b.md")]),
        ("<img src=b.svg>", [("image", "b.svg")]),
        ("", []),
    ],
)
def test_finds_what_commonmark_says(text: str, expected: list[tuple[str, str]]) -> None:
    assert rows(text) == expected


def test_says_where_things_begin() -> None:
    assert [found.position for found in find_inline("a\n`b` [c](d)", {})] == [2, 6]


def test_a_tag_without_a_target_is_no_link() -> None:
    assert link_in_tag("<br>") is None
    assert link_in_tag("<a HREF='x'>") == ("link", "x")


@given(pieces)
def test_finds_what_markdown_it_finds(text: str) -> None:
    markdown = MarkdownIt("commonmark").disable(["html_inline", "autolink", "entity"])
    expected: list[tuple[str, object]] = []

    def collect(tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.type == "link_open":
                expected.append(("link", token.attrs["href"]))
            elif token.type == "image":
                expected.append(("image", token.attrs["src"]))
                collect(token.children or [])
            elif token.type == "code_inline":
                expected.append(("code", token.content))

    (inline,) = markdown.parseInline(text)
    collect(inline.children or [])
    found = [
        (kind, target if kind == "code" else markdown.normalizeLink(target))
        for kind, target in rows(text, {})
    ]
    assert sorted(found) == sorted(expected)
