import pytest

from jupyter_ac.rpc.dialect import EPOCH, JRPC_OO
from tests.services.browser.fake_browser import world


async def test_targets_of_an_endpoint_are_asked_for_there() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("Browser.targets", {"endpoint": "9222"})
        await caller.result("Browser.targets")
        assert made.browser.asked == [("targets", ("9222",)), ("targets", ("",))]


async def test_a_browser_is_quit_by_its_name() -> None:
    async with world() as made:
        caller = made.caller()
        assert await caller.result("Browser.quit", {"browser": "b2"}) == {"success": True}
        assert made.browser.asked == [("quit", ("b2",))]


async def test_by_position_with_the_epoch_as_one_more_argument() -> None:
    async with world() as made:
        caller = made.caller(JRPC_OO)
        await caller.result("Browser.connect", {"args": ["a"]})
        error = await caller.error("Browser.start_inspect", {"args": ["", 7]})
        assert error["data"] == {"type": "stale_epoch", "request_epoch": 7, "current_epoch": 1}
        started = await caller.result("Browser.start_inspect", {"args": ["", 1]})
        assert started == {"success": True, "inspect_active": True}


async def test_a_wrong_state_is_said_before_a_stale_epoch() -> None:
    async with world() as made:
        caller = made.caller(EPOCH)
        answer = await caller.message("disconnect", {}, epoch=9)
        assert answer["error"]["code"] == "INVALID_STATE"
        assert answer["epoch"] == 0


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Browser.watch", {"target": 3}),
        ("Browser.watch", {}),
        ("Browser.grant", {"target": "a", "actions": "js"}),
        ("Browser.launch", {"url": 1}),
        ("pages", {"port": 1}),
    ],
)
async def test_wrong_parameters_are_refused(method: str, params: dict[str, object]) -> None:
    async with world() as made:
        error = (await made.caller(EPOCH).message(method, params))["error"]
        assert error["code"] == "INVALID_PARAMS"
        assert made.made == []
