import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.documents.plain import MAX_HEADING, plain_heading


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
