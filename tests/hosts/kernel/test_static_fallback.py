"""What a saved notebook shows."""

import html.parser

import nbformat
from nbconvert import HTMLExporter

from jupyter_ac.hosts.kernel.static_fallback import PANEL_MARK, PANEL_MIME, STATIC_PICTURE


class Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_it_is_plain_well_formed_html_without_script() -> None:
    tags = Tags()
    tags.feed(STATIC_PICTURE)
    assert tags.open == []
    assert tags.seen <= {"div", "span", "strong", "code"}


def test_it_says_how_to_get_the_panel_back() -> None:
    assert "%load_ext jupyter_ac" in STATIC_PICTURE
    assert "%ac" in STATIC_PICTURE


def test_an_exported_page_shows_it() -> None:
    data = {
        PANEL_MIME: PANEL_MARK,
        "application/vnd.jupyter.widget-view+json": {"version_major": 2, "model_id": "gone"},
        "text/html": STATIC_PICTURE,
        "text/plain": "<jupyter_ac.Panel>",
    }
    cell = nbformat.v4.new_code_cell("%ac", outputs=[nbformat.v4.new_output("display_data", data)])
    page, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert "The panel is live only while its kernel runs." in page
    assert "widget-view" not in page
