import subprocess
import sys

from tests.services.browser.fake_browser import World

SEED = {
    *("connect", "disconnect", "pages", "status", "clear", "network", "request", "console", "cdp"),
    *("browser.startInspect", "browser.stopInspect", "browser.clear", "errors.dismiss"),
    *("fetch.enable", "fetch.disable", "fetch.resume", "fetch.fail", "fetch.fulfill"),
    *("filters.status", "filters.enable", "filters.disable"),
    *("filters.enableAll", "filters.disableAll", "filters.add", "filters.remove"),
    *("navigate", "reload", "back", "forward", "history", "page", "js"),
}
FURTHER = {
    *("launch", "targets", "watch", "unwatch", "screenshot", "click", "type_text", "wait_for"),
    *("start_inspect", "stop_inspect", "fetch_enable", "filters_enable_all", "grant"),
}


async def test_every_method_of_the_seed_is_there_and_as_browser_too() -> None:
    table = World().table
    assert {name for name in table if not name.startswith("Browser.")} == SEED
    assert {f"Browser.{name}" for name in FURTHER} <= set(table)
    handlers = {method.handler: name for name, method in table.items() if "Browser." in name}
    for name in SEED:
        assert table[name].handler in handlers, name
        assert table[name].key == handlers[table[name].handler], name


async def test_all_are_refused_where_no_token_is_asked_for() -> None:
    assert all(method.needs_login for method in World().table.values())


async def test_what_changes_a_page_is_refused_for_an_earlier_epoch() -> None:
    table = World().table
    changing = {name for name, method in table.items() if method.rules.changes_state}
    reading = {"network", "request", "console", "status", "pages", "page", "history"}
    assert not changing & (reading | {f"Browser.{name}" for name in reading})
    assert {"disconnect", "browser.startInspect", "fetch.resume", "js", "cdp", "clear"} <= changing


def test_nothing_of_a_browser_is_loaded_before_it_is_asked_for() -> None:
    code = (
        "import sys; import jupyter_ac.services.browser.names; "
        "print([name for name in ('websockets', 'jmespath', 'transitions', "
        "'jupyter_ac.browser.debugger', 'jupyter_ac.browser.watched_page') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
