"""The worker with a browser that it has launched."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.browser.client import BrowserClient, Change
from jupyter_ac.browser.target_rows import TargetChange
from jupyter_ac.errors import Conflict
from jupyter_ac.worker.browser import MAX_FILES, list_files, part
from jupyter_ac.worker.jobs import Jobs
from tests.browser.chromium import needs_chromium
from tests.browser.running_browser import CHROMIUM, pages
from tests.support.json_values import JsonValue

WAIT_S = 90.0
BUG = "<title>Bug</title><script src='/static/app.js'></script>"
SCRIPT = "\n\nsetTimeout(() => { missing.call(); }, 0);\n"


class Launched:
    """A launched browser, and what the worker has told of it."""

    def __init__(self, client: BrowserClient, told: list[Change]) -> None:
        self.client, self.told = client, told
        self.target = self.browser = ""

    async def act(self, action: str, **arguments: object) -> JsonValue:
        return await self.client.act(self.target, action, arguments, WAIT_S)

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not condition():
                await asyncio.sleep(0.02)

    def of_kind(self, kind: str) -> list[Change]:
        return [change for change in self.told if change["kind"] == kind]

    def state(self) -> dict[str, JsonValue]:
        found = [each["state"] for each in self.told if each["kind"] == "state"]
        assert isinstance(found[-1], dict)
        return found[-1]


@asynccontextmanager
async def launched(root: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Launched]:
    monkeypatch.setenv("CHROMIUM", CHROMIUM)
    told: list[Change] = []
    made = Launched(BrowserClient(root, told.append), told)
    try:
        found = await made.client.call("launch", {"headless": True}, timeout_s=WAIT_S)
        assert isinstance(found, dict)
        made.browser, made.target = found["browser"], found["target"]
        await made.client.call("watch", made.target)
        yield made
    finally:
        await made.client.aclose()


@needs_chromium
async def test_what_a_page_does_is_told_and_what_is_new_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "web" / "static").mkdir(parents=True)
    (tmp_path / "web" / "static" / "app.js").write_text(SCRIPT)
    with pages({"/": BUG, "/static/app.js": SCRIPT, "/popup": "<title>Popup</title>"}) as site:
        async with launched(tmp_path, monkeypatch) as made:
            rows: JsonValue = await made.client.call("targets", "")
            assert rows[0]["launched"] is True
            await made.act("navigate", url=f"{site}/")
            await made.until(lambda: made.state()["errors"])
            await made.until(lambda: made.state()["title"] == "Bug")
            news = await made.act("take_news")
            assert "missing is not defined" in news["items"][0]["text"]
            assert "web/static/app.js:3" in news["items"][0]["text"]
            assert (await made.act("news"))["items"] == []
            errors = made.state()["errors"]
            await made.act("reload", ignore_cache=False)
            await made.until(lambda: made.state()["errors"] > errors)
            again = await made.act("news")
            assert [item["known"] for item in again["items"]] == [True]

            code = f"window.open('{site}/popup'); 1"
            how = {"persist": False, "await_promise": False, "return_value": True}
            await made.act("js", code=code, selection=None, **how)
            await made.until(lambda: len(made.of_kind("attached")) > 1)
            popup = made.of_kind("attached")[-1]
            assert (popup["launched"], popup["target"] != made.target) == (True, True)

            await made.client.call("quit", made.browser)
            await made.until(lambda: len(made.of_kind("detached")) == 2)
            assert await made.client.call("targets", "") == []


async def test_a_title_that_comes_after_everything_else_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Page:
        def state(self) -> dict[str, object]:
            return {"title": "late"}

    worker, _ = part(Jobs())
    told: list[object] = []
    monkeypatch.setattr(worker, "_emit", told.append)
    monkeypatch.setattr(worker, "_pages", {"t": Page()})
    worker._changed(TargetChange("updated", "t"))
    async with asyncio.timeout(WAIT_S):
        while len(told) < 2:
            await asyncio.sleep(0.01)
    assert told[1] == {"kind": "state", "target": "t", "state": {"title": "late"}}


@needs_chromium
async def test_the_browser_ends_with_the_worker_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profiles = tmp_path / "profiles"
    profiles.mkdir()
    monkeypatch.setenv("TMPDIR", str(profiles))
    async with launched(tmp_path, monkeypatch) as made:
        assert len(list(profiles.iterdir())) == 1
        await made.act("page")
    assert list(profiles.iterdir()) == []


async def test_groups_of_filters_are_kept_in_the_repository(tmp_path: Path) -> None:
    client = BrowserClient(tmp_path, lambda _change: None)
    try:
        hide = {"types": ["Image"], "urls": ["*ads*"]}
        added = await client.call("filters_add", "ads", hide)
        assert added == {"added": True, "name": "ads"}
        assert (tmp_path / ".jupyter_ac" / "browser-filters.json").is_file()
        assert await client.call("filters_enable_all") == {"enabled": ["ads"]}
        assert await client.call("filters_status") == {"ads": {"enabled": True, "hide": hide}}
        assert await client.call("filters_disable", "ads") == {"disabled": True, "name": "ads"}
        assert await client.call("filters_enable", "ads") == {"enabled": True, "name": "ads"}
        assert await client.call("filters_disable_all") == {"enabled": []}
        assert await client.call("filters_remove", "ads") == {"removed": True, "name": "ads"}
    finally:
        await client.aclose()


async def test_a_broken_file_of_filters_is_said_and_keeps_nothing_else_from_working(
    tmp_path: Path,
) -> None:
    (tmp_path / ".jupyter_ac").mkdir()
    (tmp_path / ".jupyter_ac" / "browser-filters.json").write_text("{")
    client = BrowserClient(tmp_path, lambda _change: None)
    try:
        with pytest.raises(Conflict):
            await client.call("filters_status")
        assert isinstance(await client.call("targets", ""), list)
    finally:
        await client.aclose()


def test_files_of_packages_and_hidden_ones_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("a.js", "src/b.js", "node_modules/x/c.js", ".git/config", "src/.cache/d.js"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    (tmp_path / "src" / "loop").symlink_to(tmp_path)
    assert sorted(list_files(tmp_path)) == ["a.js", "src/b.js"]
    assert MAX_FILES > 2
    monkeypatch.setattr("jupyter_ac.worker.browser.MAX_FILES", 1)
    assert len(list_files(tmp_path)) == 1
    assert list_files(tmp_path / "none") == []
