from jupyter_ac.answer_rows import image_row


def test_an_image_is_named_and_described() -> None:
    assert image_row("abc.webp") == {"id": "abc.webp", "mime": "image/webp"}
