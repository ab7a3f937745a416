"""What a saved notebook shows."""

import html.parser

from jupyter_ac.hosts.kernel.picture import STATIC_PICTURE


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
