import pytest

from jupyter_ac.rpc.context import Caller as RpcCaller
from jupyter_ac.rpc.dialect import EPOCH, JRPC_OO
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.methods import Access
from tests.services.browser.fake_browser import row, world


async def test_targets_of_an_endpoint_are_asked_for_there() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("Browser.targets", {"endpoint": "9222"})
        await caller.result("Browser.targets")
        assert made.browser.asked == [("targets", ("9222", 0)), ("targets", ("", 0))]


async def test_listing_starts_nothing_and_only_the_seeds_methods_look_for_a_browser() -> None:
    async with world() as made:
        caller = made.caller()
        assert await caller.result("Browser.targets") == {"targets": []}
        assert made.browser.asked == []
        await caller.result("pages")
        assert made.browser.asked == [("targets", ("", 1))]


async def test_attaching_needs_the_right_to_write() -> None:
    def may_read(_caller: RpcCaller, access: Access) -> bool:
        return access is Access.READ

    async with world() as made:
        guards = CallGuards(authorize=may_read, targets=made.machines)
        caller = made.caller(guards=guards)
        assert "write access" in str(await caller.error("Browser.targets", {"endpoint": "9222"}))
        assert await caller.result("Browser.targets") == {"targets": []}


async def test_a_launched_page_that_cannot_be_opened_is_said() -> None:
    async with world() as made:
        caller = made.caller()
        made.browser.answers["navigate"] = {"error": "net::ERR_CONNECTION_REFUSED"}
        made.browser.targets["new"] = row("new", launched=True)
        found = await caller.result("Browser.launch", {"url": "http://127.0.0.1:9/"})
        assert found["error"] == "net::ERR_CONNECTION_REFUSED"


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


@pytest.mark.parametrize(("epoch", "code"), [(9, "STALE_EPOCH"), ("abc", "INVALID_PARAMS")])
async def test_a_client_that_is_not_up_to_date_connects_nobody(epoch: int, code: str) -> None:
    async with world() as made:
        caller = made.caller(EPOCH)
        await caller.result("connect", {"page_id": "a"})
        assert (await caller.error("connect", {"page_id": "b"}, epoch))["code"] == code
        assert (await caller.result("status"))["page"]["id"] == "a"


async def test_a_page_that_is_not_there_leaves_the_present_one() -> None:
    async with world() as made:
        caller = made.caller(EPOCH)
        await caller.result("connect", {"page_id": "a"})
        assert (await caller.error("connect", {"page_id": "gone"}))["code"] == "NOT_CONNECTED"
        assert (await caller.result("status"))["page"]["id"] == "a"


async def test_the_status_has_the_hashes_that_the_stream_has() -> None:
    async with world() as made:
        status = await made.caller().result("status")
        assert {name: len(status[name]) for name in status if name.endswith("_hash")} == {
            f"{name}_hash": 16 for name in ("selections", "filters", "fetch", "page", "error")
        }
