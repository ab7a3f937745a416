"""Every method that acts in a page asks for the user's consent; a new one has to be listed here."""

import pytest

from tests.services.browser.fake_browser import world

ACTS: dict[str, tuple[str, dict[str, object]]] = {
    "navigate": ("navigate", {"url": "http://127.0.0.1/"}),
    "reload": ("navigate", {}),
    "back": ("navigate", {}),
    "forward": ("navigate", {}),
    "js": ("js", {"code": "1"}),
    "cdp": ("cdp", {"command": "Page.getLayoutMetrics"}),
    "click": ("input", {"selector": "#b"}),
    "type_text": ("input", {"text": "x"}),
    "handle_dialog": ("input", {"accept": True}),
    "fetch_enable": ("fetch", {}),
    "fetch_disable": ("fetch", {}),
    "fetch_resume": ("fetch", {"id": 1}),
    "fetch_fail": ("fetch", {"id": 1}),
    "fetch_fulfill": ("fetch", {"id": 1}),
    "set_fetch_rules": ("fetch", {"rules": {}}),
}
READS = {
    *("connect", "disconnect", "pages", "status", "dismiss_errors", "targets", "launch", "quit"),
    *("watch", "unwatch", "grant", "clear", "network", "request", "console", "get_har"),
    *("get_news", "take_news", "start_inspect", "stop_inspect", "clear_selections"),
    *("get_selection", "get_fetch_rules", "filters_status", "filters_add", "filters_remove"),
    *("filters_enable", "filters_disable", "filters_enable_all", "filters_disable_all"),
    *("history", "page", "wait_for", "screenshot"),
}
SEED = {
    "fetch.enable": "fetch_enable",
    "fetch.disable": "fetch_disable",
    "fetch.resume": "fetch_resume",
    "fetch.fail": "fetch_fail",
    "fetch.fulfill": "fetch_fulfill",
}


async def test_no_method_is_forgotten() -> None:
    async with world() as made:
        names = {
            name.removeprefix("Browser.") for name in made.table if name.startswith("Browser.")
        }
        assert names == ACTS.keys() | READS
        keys = {made.table[name].key.removeprefix("Browser.") for name in made.table}
        assert keys == names


@pytest.mark.parametrize("name", [*(f"Browser.{each}" for each in ACTS), *SEED])
async def test_it_is_refused_without_consent_and_the_worker_hears_nothing(name: str) -> None:
    short = SEED.get(name, name.removeprefix("Browser."))
    action, params = ACTS[short]
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        others = [each for each in ("js", "cdp", "input", "navigate", "fetch") if each != action]
        await caller.result("Browser.grant", {"target": "a", "actions": others})
        error = await caller.error(name, params)
        assert error["data"]["consent"] == [action]
        assert made.browser.acted(short) == []
        await caller.result("Browser.grant", {"target": "a", "actions": [action]})
        assert "result" in await caller.message(name, params)


async def test_consent_ends_with_the_target_and_holds_for_no_other() -> None:
    async with world() as made:
        caller = made.caller()
        for target in ("a", "b"):
            await caller.result("Browser.watch", {"target": target})
        await caller.result("Browser.grant", {"target": "a", "actions": ["js"]})
        code = {"code": "1"}
        assert "consent" in (await caller.error("Browser.js", {**code, "target": "b"}))["data"]
        await caller.result("Browser.unwatch", {"target": "a"})
        await caller.result("Browser.watch", {"target": "a"})
        assert "consent" in (await caller.error("Browser.js", {**code, "target": "a"}))["data"]


async def test_a_popup_of_a_browser_that_runs_on_its_own_is_granted_nothing() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("Browser.watch", {"target": "a"})
        made.browser.report({"kind": "attached", "target": "b", "launched": False})
        error = await caller.error("Browser.js", {"code": "1", "target": "b"})
        assert error["data"]["consent"] == ["js"]
