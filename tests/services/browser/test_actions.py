import pytest

from tests.services.browser.fake_browser import Caller, World, world

ACTING = [
    ("navigate", {"url": "http://127.0.0.1/"}, "navigate"),
    ("reload", {}, "navigate"),
    ("back", {}, "navigate"),
    ("forward", {}, "navigate"),
    ("js", {"code": "1"}, "js"),
    ("cdp", {"command": "Page.getLayoutMetrics"}, "cdp"),
    ("Browser.click", {"selector": "#b"}, "input"),
    ("Browser.type_text", {"text": "x"}, "input"),
]


async def connected(made: World) -> Caller:
    caller = made.caller()
    await caller.result("connect", {"page_id": "a"})
    return caller


@pytest.mark.parametrize(("method", "params", "action"), ACTING)
async def test_each_needs_its_own_consent(
    method: str, params: dict[str, object], action: str
) -> None:
    async with world() as made:
        caller = await connected(made)
        others = [each for each in ("js", "cdp", "input", "navigate", "fetch") if each != action]
        await caller.result("Browser.grant", {"target": "a", "actions": others})
        answer = await caller.message(method, params)
        assert answer["error"]["data"]["consent"] == [action]
        await caller.result("Browser.grant", {"target": "a", "actions": [action]})
        assert await caller.result(method, params) == {}
        assert made.browser.acted(method.removeprefix("Browser."))


async def test_a_command_is_named_as_in_the_seed_and_as_in_its_code() -> None:
    async with world() as made:
        caller = await connected(made)
        await caller.result("Browser.grant", {"target": "a", "actions": ["cdp"]})
        for spelling in ("method", "command"):
            await caller.result("cdp", {spelling: "Page.x", "params": {"a": 1}})
            assert made.browser.acted("cdp")[-1] == {"method": "Page.x", "params": {"a": 1}}
        assert (await caller.error("cdp", {"params": {}}))["code"] == "INVALID_PARAMS"


async def test_reading_needs_no_consent() -> None:
    async with world() as made:
        caller = await connected(made)
        for method in ("history", "page", "Browser.screenshot"):
            assert (await caller.message(method))["result"] == {}
        waited = await caller.message("Browser.wait_for", {"text": "Done", "timeout_s": 2})
        assert waited["result"] == {}


@pytest.mark.parametrize("seconds", [0, -1, 61, 1e300])
async def test_a_wait_is_bounded(seconds: float) -> None:
    async with world() as made:
        caller = await connected(made)
        answer = await caller.message("Browser.wait_for", {"text": "x", "timeout_s": seconds})
        assert "at most 60" in str(answer["error"])
