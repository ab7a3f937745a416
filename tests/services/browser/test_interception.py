import pytest

from tests.services.browser.fake_browser import Caller, World, world


async def allowed(made: World) -> Caller:
    caller = made.caller()
    await caller.result("connect", {"page_id": "a"})
    await caller.result("Browser.grant", {"target": "a", "actions": ["fetch"]})
    return caller


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("fetch.enable", {}),
        ("fetch.disable", {}),
        ("fetch.resume", {"id": 1}),
        ("fetch.fail", {"id": 1}),
        ("fetch.fulfill", {"id": 1}),
        ("Browser.set_fetch_rules", {"rules": {}}),
    ],
)
async def test_interception_needs_consent(method: str, params: dict[str, object]) -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        answer = await caller.message(method, params)
        assert answer["error"]["data"]["consent"] == ["fetch"]
        assert not [name for name, _ in made.browser.asked if name == "act"]


async def test_requests_are_intercepted_at_the_stages_asked_for() -> None:
    async with world() as made:
        caller = await allowed(made)
        made.browser.answers["fetch_enable"] = {
            "enabled": True,
            "stages": ["request"],
            "paused": 0,
        }
        enabled = await caller.result("fetch.enable")
        assert enabled == {"enabled": True, "stages": ["request"], "paused": 0}
        assert made.browser.acted("fetch_enable") == [{"request": True, "response": False}]
        assert await caller.result("fetch.disable") == {"enabled": False}


@pytest.mark.parametrize("spelling", ["id", "request"])
async def test_a_request_is_named_as_in_the_seed_and_as_in_its_code(spelling: str) -> None:
    async with world() as made:
        caller = await allowed(made)
        for method, action in (
            ("fetch.resume", "fetch_resume"),
            ("fetch.fail", "fetch_fail"),
            ("fetch.fulfill", "fetch_fulfill"),
        ):
            await caller.result(method, {spelling: 7})
            assert made.browser.acted(action)[0]["row_id"] == 7
            assert (await caller.error(method))["code"] == "INVALID_PARAMS"


async def test_the_defaults_are_the_seeds() -> None:
    async with world() as made:
        caller = await allowed(made)
        for name in ("resume", "fail", "fulfill"):
            await caller.result(f"fetch.{name}", {"id": 7})
        acted = made.browser.acted
        assert acted("fetch_resume") == [{"row_id": 7, "modifications": None, "wait": 0.5}]
        assert acted("fetch_fail") == [{"row_id": 7, "reason": "BlockedByClient"}]
        assert acted("fetch_fulfill") == [
            {"row_id": 7, "response_code": 200, "response_headers": None, "body": ""}
        ]


async def test_filters_are_listed_and_edited_in_any_state_and_switched_when_connected() -> None:
    async with world() as made:
        caller = made.caller()
        assert await caller.result("filters.status") == {}
        hide = {"types": ["Image"], "urls": ["*ads*"]}
        await caller.result("filters.add", {"name": "ads", "hide": hide})
        await caller.result("filters.remove", {"name": "ads"})
        for name in ("enable", "disable"):
            error = await caller.error(f"filters.{name}", {"name": "ads"})
            assert error["code"] == "INVALID_STATE"
        await caller.result("connect", {"page_id": "a"})
        await caller.result("filters.enable", {"name": "ads"})
        await caller.result("filters.disable", {"name": "ads"})
        await caller.result("filters.enableAll")
        await caller.result("filters.disableAll")
        assert [name for name, _ in made.browser.asked if name.startswith("filters")] == [
            *("filters_status", "filters_add", "filters_remove", "filters_enable"),
            *("filters_disable", "filters_enable_all", "filters_disable_all"),
        ]
