import pytest

from jupyter_ac.index.documents.txt import txt_outline


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
