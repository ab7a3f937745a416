from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.extraction.identifiers import MAX_WORDS, words_of


def test_words_come_once_in_order_comments_included() -> None:
    text = "# The naïve cache “x” a b\ncache.get_all(x1y, 0x1f, '😀', über)"
    assert words_of(text.encode()) == ("The", "naïve", "cache", "get_all", "x1y", "über")


def test_words_are_bounded() -> None:
    assert len(words_of(b" ".join(b"word%d" % n for n in range(5_000)))) == MAX_WORDS
    assert words_of(b"x" * 1_000) == ()


@given(text=st.text())
def test_words_are_identifiers(text: str) -> None:
    for word in words_of(text.encode("utf-8", "replace")):
        assert word.isidentifier()
        assert word in text
