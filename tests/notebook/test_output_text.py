"""Outputs of cells as text, and their images."""

import base64
import hashlib

from jupyter_ac.notebook.output_text import MAX_LINES, output_images, output_text
from tests.support.pictures import GIF, JPEG, png

PNG = "iVBORw0KGgo="


def _stream(text: str) -> dict[str, object]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def test_texts_are_cut_to_their_first_lines() -> None:
    text = "\n".join(str(n) for n in range(MAX_LINES + 3))
    shown = output_text([_stream(text)]).split("\n")
    assert shown[:2] == ["0", "1"]
    assert shown[-1] == "(3 more lines)"
    assert len(shown) == MAX_LINES + 1
    assert output_text([_stream("one\n")]) == "one"


def test_errors_are_whole_and_without_colours() -> None:
    frames = [f"\x1b[31mframe {n}\x1b[0m" for n in range(50)]
    error = {"output_type": "error", "ename": "E", "evalue": "v", "traceback": frames}
    assert output_text([error]).split("\n") == [f"frame {n}" for n in range(50)]


def test_of_images_type_and_size_are_told_and_of_others_nothing() -> None:
    image = {"output_type": "display_data", "data": {"image/png": PNG, "text/plain": "<Figure>"}}
    assert output_text([image]) == "(image/png, 8 bytes)"
    assert output_text([{"output_type": "odd"}, {}]) == ""
    assert output_text([]) == ""


def _image(kind: str, data: bytes) -> dict[str, object]:
    return {"output_type": "display_data", "data": {kind: base64.b64encode(data).decode()}}


def test_images_that_can_be_sent_have_a_name_by_their_content() -> None:
    outputs = [
        _image("image/png", png()),
        _stream("text"),
        _image("image/gif", GIF),
        _image("image/jpeg", JPEG),
    ]
    images = output_images(outputs)
    assert [image.data for image in images] == [png(), JPEG]
    assert [image.name for image in images] == [
        hashlib.sha256(data).hexdigest()[:12] for data in (png(), JPEG)
    ]
    assert output_text(outputs, names_images=True).split("\n") == [
        f"(image {images[0].name}: image/png, {len(png())} bytes)",
        "text",
        f"(image/gif, {len(GIF)} bytes)",
        f"(image {images[1].name}: image/jpeg, {len(JPEG)} bytes)",
    ]


def test_what_only_says_that_it_is_an_image_is_none() -> None:
    assert output_images([_image("image/png", b"<svg>"), _stream("x")]) == []
