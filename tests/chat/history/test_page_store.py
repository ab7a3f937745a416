"""Web pages on disk: as they were, per person and worktree, only the user's own."""

import sqlite3
from dataclasses import replace
from pathlib import Path

from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.chat.web_pages import WebPage
from jupyter_ac.ids import Identity
from jupyter_ac.web.addresses import parse_address
from jupyter_ac.web.url_content import UrlContent
from tests.support.histories import history_in

ANN, BOB = Identity("ann"), Identity("bob")


def page(url: str, text: str, *, included: bool = True) -> WebPage:
    address = parse_address(url)
    assert address is not None
    return WebPage(replace(UrlContent.of(address), content=text), included)


PAGES = (
    page("https://github.com/a/b/issues/7", "caf\xe9 \U0001f4a7"),
    page("https://a.org/", "x", included=False),
)


async def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = PageStore(database, "")
    assert await store.read(ANN) == ()
    await store.keep(ANN, PAGES)
    assert await store.read(ANN) == PAGES
    assert await store.read(BOB) == await PageStore(database, "other").read(ANN) == ()
    await store.keep(ANN, PAGES[1:])
    assert await store.read(ANN) == PAGES[1:]
    await store.keep(ANN, ())
    assert await store.read(ANN) == ()
    await database.aclose()


async def test_rows_of_others_and_damaged_ones_are_left_out(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    await PageStore(database, "").keep(ANN, (*PAGES, page("https://b.org/", "y")))
    await database.aclose()
    with sqlite3.connect(tmp_path / "history.sqlite") as raw:
        raw.execute("UPDATE pages SET content = replace(content, 'x', 'z') WHERE position = 1")
        raw.execute("INSERT INTO pages VALUES ('ann', '', 9, 1, '{}', x'')")
    database = history_in(tmp_path)
    found = await PageStore(database, "").read(ANN)
    assert [each.url for each in found] == [PAGES[0].url, "https://b.org/"]
    await database.aclose()
