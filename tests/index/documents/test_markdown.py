import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.documents.markdown import MAX_HEADING, markdown_outline, plain_heading
from jupyter_ac.index.records import NOBODY


def headings(text: str) -> list[tuple[int, str]]:
    return [(head.level, head.text) for head in markdown_outline(text).headings]


def targets(text: str) -> list[str]:
    return [link.target for link in markdown_outline(text).links if not link.is_code]


def test_headings_in_fences_and_comments_are_none() -> None:
    assert headings("```\n# a\n```\n~~~\n# b\n~~~\n<!--\n# c\n-->\n# d") == [(1, "d")]


def test_a_title_in_front_matter_serves_where_there_is_no_other() -> None:
    assert headings("---\ntitle: 'A thing'\n---\n\n## Part\n") == [(1, "A thing"), (2, "Part")]
    assert headings("---\ntitle: A\n---\n# B\n") == [(1, "B")]
    assert headings("---\nno: title\n---\ntext") == []


def test_images_are_no_links_but_drawings_are() -> None:
    assert targets("![a](b.png) ![c](d.svg) named e/f.svg and https://x.y/z.svg") == [
        "d.svg",
        "e/f.svg",
    ]


def test_autolinks_and_other_places_are_left_out() -> None:
    assert targets("<http://a.b/c.md> [a](http://b) [c](mailto:d@e) [f](g.md)") == ["g.md"]


def test_lines_are_those_of_the_text() -> None:
    found = markdown_outline("intro\n[a](a.md)\n\n# T\n\nx\ny [b](b.md)\n\n> q\n> [c](c.md)\n")
    rows = [(link.target, link.line, link.heading) for link in found.links]
    assert rows == [("a.md", 2, NOBODY), ("b.md", 7, 0), ("c.md", 10, 0)]


def test_a_text_of_very_many_lines_is_read_in_part() -> None:
    found = markdown_outline("# First\n" + "x\n\n" * 40_000 + "# Last\n")
    assert [head.text for head in found.headings] == ["First"]
    assert found.headings[0].last_line == 80_002


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("Title", "Title"),
        ("The `a_b` of", "The a_b of"),
        ("[text](url) and [more][ref]", "text and more"),
        ("[`code`](url(x)) here", "code here"),
        ("![badge](x.png) Title", "Title"),
        ("**bold** *it* ~~out~~ __b__ _i_", "bold it out b i"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        (r"\*stars\* &amp; more", "*stars* & more"),
        ("a <b>tag</b><br> <!-- c -->", "a tag"),
        ("`**kept**`", "**kept**"),
        ("two\nlines", "two lines"),
        ("&#xE005;", ""),
    ],
)
def test_a_heading_reads_as_on_the_page(markup: str, expected: object) -> None:
    assert plain_heading(markup) == expected


@given(st.text(st.sampled_from(list("ab `*_[]()<>!\\&;#~\n\ue000"))))
def test_any_markup_becomes_one_line(markup: str) -> None:
    assert "\n" not in plain_heading(markup)


def test_a_long_heading_is_cut() -> None:
    assert len(plain_heading("a" * 10_000)) == MAX_HEADING
