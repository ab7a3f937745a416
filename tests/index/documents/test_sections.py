import pytest

from jupyter_ac.index.documents.sections import MAX_TEXT, Sections, is_external, slug_of
from jupyter_ac.index.records import NOBODY


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("The First Steps", "the-first-steps"),
        ("What's new, in 2.0?", "whats-new-in-20"),
        ("snake_case & more", "snake_case--more"),
        ("Ünïcode 日本", "ünïcode-日本"),
        ("`code()`", "code"),
    ],
)
def test_slugs_are_made_githubs_way(heading: str, slug: str) -> None:
    assert slug_of(heading) == slug


def test_duplicate_slugs_are_numbered() -> None:
    sections = Sections()
    for line, text in enumerate(["A", "a", "A-1", "A"], 1):
        sections.heading(text, 1, line)
    slugs = [heading.slug for heading in sections.outline(9).headings]
    assert slugs == ["a", "a-1", "a-1-1", "a-2"]


def test_a_section_ends_before_the_next_heading() -> None:
    sections = Sections()
    sections.holds("code")  # before the first heading there is no section
    sections.heading("One", 1, 1)
    sections.heading("Two", 2, 4)
    sections.holds("table")
    sections.holds("code")
    one, two = sections.outline(9).headings
    assert (one.last_line, one.contents) == (3, ())
    assert (two.last_line, two.contents) == (9, ("code", "table"))


def test_links_count_once_a_section() -> None:
    sections = Sections()
    sections.link("a.md", 1)
    sections.heading("One", 1, 2)
    sections.link("a.md", 3)
    sections.link("a.md", 4)
    sections.link("https://a.b", 4)
    sections.link("", 4)
    rows = [(link.line, link.heading) for link in sections.outline(9).links]
    assert rows == [(1, NOBODY), (3, 0)]


def test_only_names_and_paths_in_backticks_count() -> None:
    sections = Sections()
    for text in ("run", "a.b.run()", "src/a-b.py:12", "C::d", "--flag", "a b", "ab", "x = 1"):
        sections.name(text, 1)
    found = [link.target for link in sections.outline(1).links]
    assert found == ["run", "a.b.run()", "src/a-b.py:12", "C::d"]


def test_headings_are_short_and_never_empty() -> None:
    sections = Sections()
    sections.heading("  ", 1, 1)
    sections.heading(" a\n b " + "c" * 999, 1, 2)
    (only,) = sections.outline(3).headings
    assert only.text.startswith("a b ccc")
    assert len(only.text) == MAX_TEXT


@pytest.mark.parametrize(
    "target", ["http://a", "mailto:a@b", "//host/x", "data:image/png;base64,x"]
)
def test_other_places_are_external(target: str) -> None:
    assert is_external(target)


@pytest.mark.parametrize("target", ["a.md", "/a.md", "../a.md", "#a", "a.md#b:c", "c:/x"])
def test_files_are_not_external(target: str) -> None:
    assert not is_external(target)
