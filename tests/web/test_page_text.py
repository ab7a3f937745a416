"""The text of pages, PDF files and plain files, in any encoding."""

import io
from contextlib import suppress

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from jupyter_ac.errors import Unsupported
from jupyter_ac.web.page_text import MAX_CHARS, decoded, is_readable, page_text, shortened
from tests.web.hostile_server import PAGE

URL = "https://a.org/x"


def test_a_page() -> None:
    text = page_text(URL, "text/html", "utf-8", PAGE.encode())
    assert text.title == "Pumps"
    assert text.description == "About pumps."
    assert "moves a fluid by mechanical action" in text.content
    assert "pump.start()" in text.content
    assert "Home" not in text.content
    assert "<" not in text.content


def test_a_page_without_a_type_is_recognised() -> None:
    assert page_text(URL, "", "", PAGE.encode()).title == "Pumps"


def test_a_short_page_gives_all_its_words() -> None:
    page = b"<p>just <script>no</script>this</p>"
    assert page_text(URL, "text/html", "", page).content == "just this"


@pytest.mark.parametrize("page", ["", "<html><body><script>x()</script></body></html>", "   "])
def test_a_page_without_text(page: str) -> None:
    with pytest.raises(Unsupported, match="no text"):
        page_text(URL, "text/html", "", page.encode())


def pdf(words: str) -> bytes:
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(300, 100)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    stream = DecodedStreamObject()
    stream.set_data(f"BT /F1 12 Tf 10 50 Td ({words}) Tj ET".encode())
    page[NameObject("/Contents")] = writer._add_object(stream)
    writer.add_metadata({"/Title": "A paper"})
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def test_a_pdf() -> None:
    text = page_text(URL, "application/pdf", "", pdf("words on paper"))
    assert (text.title, text.content.strip()) == ("A paper", "words on paper")
    assert page_text(URL, "application/octet-stream", "", pdf("by its bytes")).content


@pytest.mark.parametrize("data", [b"%PDF-1.4\nnonsense", pdf("")[:200], b""])
def test_broken_pdf_files(data: bytes) -> None:
    with pytest.raises(Unsupported, match="PDF"):
        page_text(URL, "application/pdf", "", data)


@given(st.data())
def test_damaged_pdf_files_end_in_a_sentence(data: st.DataObject) -> None:
    file = bytearray(pdf("some words"))
    for _ in range(data.draw(st.integers(1, 5))):
        file[data.draw(st.integers(5, len(file) - 1))] = data.draw(st.integers(0, 255))
    with suppress(Unsupported):
        assert page_text(URL, "application/pdf", "", bytes(file)).content


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("é".encode(), "", "é"),
        ("é".encode("latin-1"), "iso-8859-1", "é"),
        ("é".encode("utf-16"), "utf-8", "é"),
        ("\ufeffé".encode(), "ascii", "é"),
        ("<meta charset='koi8-r'>Привет".encode("koi8-r"), "", "<meta charset='koi8-r'>Привет"),
        (
            "日本語のページです。これは試験です。".encode("shift_jis"),
            "shift_jis",
            "日本語のページです。これは試験です。",
        ),
        (b"plain", "klingon", "plain"),
        (b"plain", "hex", "plain"),
        (b"plain", "undefined", "plain"),
        (b"plain", "idna", "plain"),
        (b"", "", ""),
    ],
)
def test_encodings(data: bytes, charset: str, text: str) -> None:
    assert decoded(data, charset) == text


def test_a_wrong_name_of_the_encoding() -> None:
    text = "Les pompes à eau sont très répandues en été; déjà vu, l'hôpital était fermé. " * 20
    assert "répandues" in decoded(text.encode("cp1252"), "utf-8")


def test_few_damaged_characters_are_shown_as_such() -> None:
    text = decoded("é".encode() * 1000 + b"\xff", "utf-8")
    assert text == "é" * 1000 + "\ufffd"


@pytest.mark.parametrize("data", [b"\x7fELF\0\0", b"a\0b", b"\x89PNG\r\n\x1a\n\0"])
def test_binary_content(data: bytes) -> None:
    with pytest.raises(Unsupported, match="binary"):
        page_text(URL, "text/plain", "", data)


@pytest.mark.parametrize("charset", ["utf-7", "unicode_escape", "raw_unicode_escape"])
def test_halves_of_characters_are_shown_as_damaged(charset: str) -> None:
    data = b"a +2AA- b" if charset == "utf-7" else rb"a \ud800 b"
    assert page_text(URL, "text/plain", charset, data).content == "a ? b"


def test_a_page_whose_elements_are_nested_too_deeply() -> None:
    page = "<!doctype html><p>before</p>" + "<div>" * 5000 + "<p>Words deep inside.</p>"
    assert "before" in page_text(URL, "text/html", "", page.encode()).content


@given(st.binary(), st.text(max_size=12))
def test_any_bytes(data: bytes, charset: str) -> None:
    with suppress(Unsupported):
        assert "\0" not in decoded(data, charset)


def test_long_texts_are_cut_and_say_so() -> None:
    text = shortened("x" * (MAX_CHARS + 5))
    assert text.endswith("(cut here; 5 of 400,005 characters are left out)")
    assert len(text) < MAX_CHARS + 100


def test_readable_types() -> None:
    texts = ["text/html", "text/x-python", "application/ld+json", "", "application/pdf"]
    others = ["image/png", "application/zip", "video/mp4", "application/octet-stream"]
    assert [each for each in texts + others if is_readable(each)] == texts
