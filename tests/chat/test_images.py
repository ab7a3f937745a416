from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.images import (
    MAX_BYTES,
    check_count,
    image_of,
    is_name,
    mime_of,
    read_data_uri,
    with_images,
)
from jupyter_ac.errors import AcError, InvalidParams, TooLarge, Unsupported
from tests.support.pictures import GIF, JPEG, SVG, WEBP, png, png_of_size, uri


@pytest.mark.parametrize(
    ("data", "mime"),
    [(png(), "image/png"), (JPEG, "image/jpeg"), (GIF, "image/gif"), (WEBP, "image/webp")],
)
@pytest.mark.parametrize("claimed", ["image/png", "image/svg+xml", "text/html;charset=x", ""])
def test_what_an_image_is_is_told_by_its_content(data: bytes, mime: str, claimed: str) -> None:
    image = read_data_uri(uri(data, claimed), "images[0]")
    assert (image.mime, image.data) == (mime, data)
    assert is_name(image.name)
    assert mime_of(image.name) == mime
    assert read_data_uri(image.data_uri, "again") == image


@pytest.mark.parametrize(
    "data", [SVG, b"%PDF-1.7", b"", b"MZ", b"GIF88a", b"RIFF1234WAVE", png()[1:], b"\x89PN"]
)
def test_what_is_no_such_image_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(Unsupported, match=r"images\[1\] is no image .* PNG, JPEG, GIF and WebP"):
        read_data_uri(uri(data), "images[1]")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "data:image/png,raw",
        "data:image/png;base64",
        "https://example.org/a.png",
        "file:///etc/passwd",
        "DATA" + uri(png())[4:-1],
        uri(png()) + "\n",
        uri(png()).replace("iVBOR", "iVB\nOR"),
        uri(png()).replace("iVBOR", "iVB-OR"),
        uri(png()) + "=",
        uri(png()) + "é",
        uri(png()) + "AAAA",
    ],
)
def test_base64_is_strict_and_the_argument_named(text: str) -> None:
    with pytest.raises(InvalidParams, match=r"data_uri (must be a data URI|is not valid base64)"):
        read_data_uri(text, "data_uri")


def test_an_image_may_have_five_megabytes_and_not_one_byte_more() -> None:
    assert len(read_data_uri(uri(png_of_size(MAX_BYTES)), "a").data) == MAX_BYTES
    with pytest.raises(TooLarge, match=r"images\[2\] has 5\.01 MB; an image may have 5 MB"):
        read_data_uri(uri(png_of_size(MAX_BYTES + 1)), "images[2]")
    with pytest.raises(TooLarge, match=r"has 5\.01 MB"):
        image_of(png_of_size(MAX_BYTES + 1), "a")


def test_five_images_are_enough() -> None:
    check_count([""] * 5)
    with pytest.raises(TooLarge, match="images has 6 images; a question takes 5 at most"):
        check_count([""] * 6)


@given(st.binary(max_size=60), st.sampled_from(["data:image/png;base64,", "data:;base64,", ""]))
def test_no_text_does_more_than_raise_an_error_of_ours(data: bytes, head: str) -> None:
    with suppress(AcError):
        assert is_name(read_data_uri(head + data.decode("latin-1"), "data_uri").name)


def test_images_stand_behind_the_text_of_the_last_message() -> None:
    files = [Path("/state/images") / image_of(data, "").name for data in (png(), GIF)]
    plain = [{"role": "system", "content": "s"}, {"role": "user", "content": "why?"}]
    system, asked = with_images(plain, files)
    assert system == plain[0]
    parts = asked["content"]
    assert isinstance(parts, list)
    assert parts[0] == {"type": "text", "text": "why?"}
    assert [part.get("mime") for part in parts] == [None, "image/png", "image/gif"]
    assert parts[2]["path"] == str(files[1])
    several = [{"role": "user", "content": [{"type": "text", "text": "a"}]}]
    assert with_images(several, []) == several
    assert len(str(with_images(several, files)[0]["content"])) > 100
    assert with_images([], files) == []
