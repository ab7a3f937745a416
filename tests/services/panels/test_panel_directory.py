"""The list of panels."""

from collections.abc import Sequence

import pytest

from jupyter_ac.errors import Busy, NotFound
from jupyter_ac.panels.initialize_request import InitializeRequest
from jupyter_ac.services.panels import panel_directory
from jupyter_ac.services.panels.panel_directory import PanelDirectory
from jupyter_ac.services.panels.shared_panel import SharedPanel
from tests.panels.shown import turns
from tests.services.panels.fake_pages import FakePage, FakeSource

START: InitializeRequest = {"protocolVersion": 3}


def ids(rows: object) -> list[str]:
    assert isinstance(rows, list)
    return [row["id"] for row in rows]


async def test_panels_that_are_found_are_listed_as_long_as_they_are_there_or_run() -> None:
    found: list[FakeSource] = [FakeSource("a"), FakeSource("b")]

    async def discover() -> Sequence[FakeSource]:
        return tuple(found)

    directory = PanelDirectory(discover)
    added = directory.add(FakeSource("c"))
    assert ids(await directory.rows()) == ["c", "a", "b"]
    page = FakePage()
    await (await directory.get("a")).initialize(page, START)
    found.clear()
    assert ids(await directory.rows()) == ["c", "a"]
    directory.leave(page)
    await (await directory.get("a")).restart()
    assert ids(await directory.rows()) == ["c"]
    found.append(FakeSource("d"))
    assert (await directory.get("d")).row["state"] == "stopped"
    with pytest.raises(NotFound, match="no panel b"):
        await directory.get("b")
    assert await directory.get("c") is added
    await directory.aclose()


async def test_a_source_that_has_changed_holds_from_the_next_start_on() -> None:
    directory = PanelDirectory()
    before, after = FakeSource("a"), FakeSource("a")
    panel = directory.add(before)
    page = FakePage()
    await panel.initialize(page, START)
    assert directory.add(after) is panel
    await panel.restart()
    assert (len(before.plugins), len(after.plugins)) == (1, 1)
    await directory.aclose()
    assert after.plugin.has_ended


async def test_pages_that_watch_are_told_once_of_changes_together() -> None:
    directory = PanelDirectory()
    page, broken, gone = FakePage(), FakePage(), FakePage()
    broken.refuses = True
    for each in (page, broken, gone):
        directory.watch(each)
    directory.leave(gone)
    directory.add(FakeSource("a"))
    directory.add(FakeSource("b"))
    await turns()
    assert [ids(rows) for rows in page.rows] == [["a", "b"]]
    await directory.remove("a")
    await directory.remove("a")
    await turns()
    assert ids(page.rows[-1]) == ["b"]
    assert (broken.rows, gone.rows) == ([], [])
    await directory.aclose()


async def test_a_panel_that_is_removed_ends() -> None:
    directory = PanelDirectory()
    source = FakeSource("a")
    await directory.add(source).initialize(FakePage(), START)
    await directory.remove("a")
    assert source.plugin.has_ended


async def test_panels_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel_directory, "MAX_PANELS", 1)
    directory = PanelDirectory()
    directory.add(FakeSource("a"))
    directory.add(FakeSource("a"))
    with pytest.raises(Busy, match="1 panels are listed"):
        directory.add(FakeSource("b"))


async def test_a_panel_takes_the_place_of_another_at_the_pages_of_the_list_only() -> None:
    directory = PanelDirectory()
    first, second = FakeSource("one"), FakeSource("one")
    old, new = SharedPanel(first, directory.changed), SharedPanel(second, directory.changed)
    watching, other = FakePage(), FakePage()
    directory.watch(watching)
    await directory.put(old)
    for page in (watching, other):
        await old.initialize(page, {**START, "env": {"active": True}, "extensions": ["moveBefore"]})
    for _ in range(2):
        await directory.put(new)
    assert await directory.get("one") is new
    request = {**START, "env": {"active": True}, "extensions": ["describe", "moveBefore"]}
    assert second.plugin.calls == [("initialize", (request,))]
    first.plugin.show("old")
    second.plugin.show("new")
    await turns()
    assert (watching.host.text(), other.host.text()) == ("new", "old")
    directory.unlist(old)
    assert ids(await directory.rows()) == ["one"]
    directory.unlist(new)
    assert ids(await directory.rows()) == []
    await old.aclose()
    await new.aclose()
