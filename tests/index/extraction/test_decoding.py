import pytest

from jupyter_ac.index.extraction.decoding import readable


@pytest.mark.parametrize(
    ("data", "text", "note"),
    [
        (b"", b"", ""),
        (b"abc", b"abc", ""),
        ("é😀".encode(), "é😀".encode(), ""),
        (b"\xef\xbb\xbfabc", b"abc", ""),
        (b"a\n\xff b", "a\n\ufffd b".encode(), "not UTF-8 in line 2"),
        (b"\xff\xfea\0", b"", "UTF-16, which isn't read"),
        (b"a\0", b"", "binary"),
    ],
)
def test_readable(data: bytes, text: bytes, note: str) -> None:
    found = readable(data)
    assert (found.data, found.note) == (text, note)
    assert found.is_read == (bool(text) or not data)


def test_a_nul_far_behind_the_beginning_is_a_character_like_others() -> None:
    assert readable(b"x" * 9000 + b"\0").is_read
