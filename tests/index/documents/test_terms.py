from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.documents.markdown import markdown_outline
from jupyter_ac.index.documents.terms import (
    MAX_SECTIONS,
    STOP_WORDS,
    SectionTerms,
    decode_terms,
    encode_terms,
    prose_of,
    stem_of,
    terms_of,
)


def terms(text: str) -> list[SectionTerms]:
    return terms_of(text, markdown_outline(text).headings)


def test_words_belong_to_the_section_that_they_stand_in() -> None:
    first, second = terms("# One\nengine engine\n## Two\nwheels and a Wheel, wheels' rims\n")
    assert first.words == (("engine", "engine", 2),)
    assert second.words == (("wheel", "wheels", 3), ("rim", "rims", 1))


def test_code_targets_and_addresses_are_no_prose() -> None:
    text = (
        "a `code` b\n\n```py\nfenced\n```\n\n    indented\n\n[text](target.md) <tag> http://x.y/z\n"
    )
    words = prose_of(text).split()
    assert "text" in " ".join(words)
    assert not {"code", "fenced", "indented", "target.md", "tag"} & {w.strip("[]`") for w in words}


def test_phrases_do_not_reach_across_punctuation_and_small_words() -> None:
    (only,) = terms("# X\nprompt cache, session log. The prompt cache is of the session\n")
    assert [(stem, count) for stem, _, count in only.phrases] == [
        ("prompt cache", 2),
        ("session log", 1),
    ]


def test_plurals_are_compared_as_their_singular() -> None:
    assert [stem_of(word) for word in ("Files", "copies", "class", "status", "cat's", "bus")] == [
        "file", "copy", "class", "status", "cat", "bus",
    ]  # fmt: skip


def test_sections_are_bounded() -> None:
    text = "# a\nword\n" * (MAX_SECTIONS + 50)
    assert len(terms(text)) == MAX_SECTIONS


@given(st.text())
def test_any_text_has_terms_that_can_be_kept(text: str) -> None:
    found = terms("# T\n" + text)
    assert decode_terms(encode_terms(found)) == found


def test_hostile_text_takes_no_longer() -> None:
    for text in ("```" * 30_000, "`a" * 60_000, "](" * 60_000, "<" * 90_000, "- " * 90_000):
        assert terms(f"# T\n{text}")
    prose_of("    \n" * 30_000 + "```\n" * 50_000)


def test_stop_words_are_compared_in_lower_case() -> None:
    assert {"the", "which", "because"} <= STOP_WORDS
    assert all(word == word.lower() for word in STOP_WORDS)
