import pytest

from jupyter_ac.git.decoding import decoded

PIECES = [b"a\r\n", "häst 😀\n".encode(), b"\xff\xfe", b"\xf0\x9f\x98", b"\0"]


@pytest.mark.parametrize("piece", PIECES)
async def test_a_long_text_is_the_one_that_python_makes_of_it(piece: bytes) -> None:
    for times in (0, 1, 400_000):
        assert await decoded(piece * times) == (piece * times).decode("utf-8", "replace")
