"""The text of downloaded content: main part of a page, text of a PDF, anything else as it is.

Loaded in the fetch worker only: its libraries take a quarter of a second to import.
"""

import codecs
import io
import re
import zlib
from dataclasses import dataclass
from typing import Final

import pypdf
import trafilatura
from charset_normalizer import from_bytes
from lxml.etree import ParserError, strip_elements
from lxml.html import HtmlElement, HTMLParser, document_fromstring
from pypdf.errors import PyPdfError

from jupyter_ac.errors import Unsupported

MAX_CHARS: Final = 400_000
"""Characters of a text; longer ones are cut, and end with a note."""

MAX_PDF_PAGES: Final = 300

MAX_TITLE: Final = 500
"""Characters of a title, and of a description."""

_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_NO_TEXT: Final = ("script", "style", "noscript", "template", "head")
_PDF: Final = "application/pdf"
_TEXTS: Final = frozenset(
    {"application/json", "application/xml", "application/javascript", "application/ecmascript"}
    | {"application/yaml", "application/x-yaml", "application/toml", "application/sql"}
    | {"application/x-sh", "application/x-python", "application/rtf", "application/x-ipynb+json"}
    | {"application/x-ndjson", "application/graphql", "application/x-tex", "image/svg+xml", ""}
)
_BROKEN_PDF: Final = (
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
    AssertionError,
    AttributeError,
    NotImplementedError,
    RecursionError,
    zlib.error,
)
"""What pypdf raises, besides its own errors, where objects of a file aren't what they should be."""

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_META_CHARSET: Final = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE
)
_XML_ENCODING: Final = re.compile(
    rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})", re.IGNORECASE
)
# trafilatura's own search for them takes longer than the text: it looks for dates and authors, too.
_TITLE: Final = "//meta[@property='og:title']/@content | //head/title/text()"
_DESCRIPTION: Final = (
    "//meta[@name='description']/@content | //meta[@property='og:description']/@content"
)
_SAMPLE_PAGE: Final = (
    b"<!doctype html><html><head><title>t</title></head><body><article><h1>t</h1><p>"
    + b"A few words with <a href='/'>a link</a>, such that the page has a main part. " * 5
    + b"</p><ul><li>a</li></ul><table><tr><td>b</td></tr></table></article></body></html>"
)
_META_WITHIN: Final = 4096
_SAMPLE: Final = 100_000
_TOLERATED: Final = 100
"""One damaged character among so many doesn't make an encoding wrong."""


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page.

    Attributes:
        title: of the page, or "".
        description: its summary of itself, or "".
        content: Markdown if it was a page, else plain text.
    """

    title: str
    description: str
    content: str


def is_readable(media_type: str) -> bool:
    """Return whether content of this media type has a text that can be extracted."""
    return (
        media_type.startswith("text/")
        or media_type in _HTML
        or media_type in _TEXTS
        or media_type == _PDF
        or media_type.endswith(("+json", "+xml", "+yaml"))
    )


def page_text(url: str, media_type: str, charset: str, data: bytes) -> PageText:
    """Extract the text of downloaded content.

    Args:
        url: its address.
        media_type: as the server names it, or "".
        charset: as the server names it, or "".
        data: the content.

    Raises:
        Unsupported: it is binary, empty or damaged.
    """
    if media_type == _PDF or data.startswith(b"%PDF-"):
        return _of_pdf(data)
    text = decoded(data, charset)
    if media_type in _HTML or (not media_type and text.lstrip()[:14].lower() == "<!doctype html"):
        return _of_html(url, text)
    return _page("", "", text)


def decoded(data: bytes, charset: str = "") -> str:
    """Decode text: by a byte order mark, the named encoding, the content's own mark, or a guess.

    Raises:
        Unsupported: it is binary.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    names = [each for each in (charset, _named_within(data), "utf-8") if _is_encoding(each)]
    for name in names:
        try:
            return _text_only(data.decode(name))
        except UnicodeDecodeError:
            continue
    text = data.decode(names[0], "replace")
    if text.count("\ufffd") * _TOLERATED > len(text):  # the name is wrong, not a few bytes
        text = data.decode(_guessed(data), "replace")
    return _text_only(text)


def shortened(text: str) -> str:
    """Cut a text that is too long, and say so at its end."""
    if len(text) <= MAX_CHARS:
        return text
    left_out, whole = len(text) - MAX_CHARS, len(text)
    return f"{text[:MAX_CHARS]}\n\n(cut here; {left_out:,} of {whole:,} characters are left out)"


def _named_within(data: bytes) -> str:
    for pattern in (_META_CHARSET, _XML_ENCODING):
        found = pattern.search(data[:_META_WITHIN])
        if found is not None:
            return found.group(1).decode("ascii")
    return ""


def _is_encoding(name: str) -> bool:
    """Return whether a name is that of an encoding for text, which decodes any bytes."""
    try:
        return bool(name and b"\xff".decode(name, "replace"))
    except (LookupError, UnicodeError):
        return False


def _guessed(data: bytes) -> str:
    best = from_bytes(data[:_SAMPLE]).best()
    return "latin-1" if best is None else best.encoding


def _text_only(text: str) -> str:
    if "\0" in text:
        raise Unsupported("its content is binary, not text")
    return text


def _of_html(url: str, text: str) -> PageText:
    tree = trafilatura.load_html(text)
    title = description = ""
    content: str | None = None
    if tree is not None:
        title, description = _first(tree, _TITLE), _first(tree, _DESCRIPTION)
        content = _main_part(url, tree)
    content = content or _all_words(text)
    if not content:
        raise Unsupported("the page has no text; it may be made by its scripts")
    return _page(title, description, content)


def _main_part(url: str, tree: HtmlElement) -> str | None:
    try:
        return trafilatura.extract(
            tree, url=url, output_format="markdown", include_links=True, include_comments=False
        )
    except RecursionError:  # its elements are nested too deeply
        return None


def _first(tree: HtmlElement, query: str) -> str:
    """Return the first text that a query finds, on one line and not too long."""
    found = tree.xpath(query)
    return " ".join(str(found[0]).split())[:MAX_TITLE] if found else ""


def warm_up() -> None:
    """Load what the first page would load."""
    page_text("https://example.org/", "text/html", "utf-8", _SAMPLE_PAGE)


def _all_words(text: str) -> str:
    """Return all text of a page, where trafilatura finds no main part."""
    try:
        tree = document_fromstring(text.encode(), parser=HTMLParser(encoding="utf-8"))
    except ParserError:  # it is empty
        return ""
    strip_elements(tree, *_NO_TEXT, with_tail=False)
    return " ".join(tree.text_content().split())


def _of_pdf(data: bytes) -> PageText:
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        pages = [page.extract_text() for page in reader.pages[:MAX_PDF_PAGES]]
        title = reader.metadata.title if reader.metadata else ""
    except (PyPdfError, *_BROKEN_PDF) as error:
        raise Unsupported(f"the PDF can't be read: {type(error).__name__}") from error
    content = "\n\n".join(pages)
    if not content.strip():
        raise Unsupported("the PDF has no text; its pages may be pictures")
    return _page(" ".join((title or "").split())[:MAX_TITLE], "", content)


def _page(title: str, description: str, content: str) -> PageText:
    """Create a page of texts that UTF-8 can encode; strange encodings and fonts give others."""
    texts = (title, description, shortened(content))
    return PageText(*(each.encode("utf-8", "replace").decode("utf-8") for each in texts))
