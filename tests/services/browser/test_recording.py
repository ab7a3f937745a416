from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.rpc.context import Caller as RpcCaller
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.methods import Access
from tests.services.browser.fake_browser import world


async def test_requests_are_listed_with_the_seeds_defaults() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        made.browser.answers["network"] = {"requests": [{"id": 1}]}
        assert await caller.result("network") == {"requests": [{"id": 1}]}
        asked = made.browser.acted("network")[0]
        assert (asked["limit"], asked["order"], asked["show_all"]) == (50, "desc", False)
        assert asked["reveal"] is False
        await caller.result("network", {"url": "*api*", "status": 500, "state": "failed"})
        again = made.browser.acted("network")[1]
        assert (again["url"], again["status"], again["state"]) == ("*api*", 500, "failed")


async def test_a_request_and_the_console_are_read() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        made.browser.answers = {"request": {"entry": {"x": 1}}, "console": {"messages": []}}
        found = await caller.result("request", {"id": 4, "fields": ["*"], "expr": "x"})
        assert found == {"entry": {"x": 1}}
        assert made.browser.acted("request")[0] == {
            "row_id": 4,
            "fields": ["*"],
            "expr": "x",
            "reveal": False,
        }
        assert await caller.result("console", {"level": "error"}) == {"messages": []}


async def test_what_the_worker_refuses_is_said_with_the_seeds_codes() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        made.browser.answers = {
            "request": NotFound("There is no request 9."),
            "network": InvalidParams("limit must be 1 to 1000."),
        }
        for method, params in (("request", {"id": 9}), ("network", {"limit": 0})):
            assert (await caller.error(method, params))["code"] == "INVALID_PARAMS"


async def test_secrets_are_revealed_to_those_only_who_may_execute_code() -> None:
    def may_read(_caller: RpcCaller, access: Access) -> bool:
        return access is not Access.EXECUTE

    async with world() as made:
        person = made.caller()
        await person.result("connect", {"page_id": "a"})
        reader = made.caller(guards=CallGuards(authorize=may_read, targets=made.machines))
        await person.result("network", {"reveal": True})
        assert made.browser.acted("network")[-1]["reveal"] is True
        for method in ("network", "console", "Browser.get_har"):
            error = (await reader.message(method, {"reveal": True}))["error"]
            assert "execute access" in str(error)
        await reader.result("network")


async def test_records_are_cleared_as_the_seed_says() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        made.browser.answers["clear"] = {"cleared": ["events"]}
        assert await caller.result("clear") == {"cleared": ["events"]}
        assert made.browser.acted("clear") == [{"events": True, "console": False}]


async def test_news_are_read_and_taken() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        made.browser.answers = {"news": {"items": [1]}, "take_news": {"items": [1]}}
        assert await caller.result("Browser.get_news") == {"items": [1]}
        assert await caller.result("Browser.take_news", {"target": "a"}) == {"items": [1]}
