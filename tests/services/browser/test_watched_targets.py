import asyncio

import pytest

from jupyter_ac.errors import NotConnected
from jupyter_ac.ids import Identity
from jupyter_ac.services.browser.watched_targets import ACTIONS
from tests.services.browser.fake_browser import LOST, view, world


async def test_nothing_is_started_before_it_is_asked_for() -> None:
    async with world() as made:
        caller = made.caller()
        assert (await caller.result("status"))["connectionState"] == "disconnected"
        assert (await caller.error("network"))["code"] == "INVALID_STATE"
        assert made.made == []


async def test_a_watched_target_has_a_state_and_an_epoch_of_its_own() -> None:
    async with world() as made:
        caller = made.caller()
        row = await caller.result("Browser.watch", {"target": "a"})
        assert (row["watched"], row["state"], row["epoch"], row["granted"]) == (
            True,
            "connected",
            1,
            [],
        )
        assert made.machines.state == "disconnected"
        made.browser.report({"kind": "state", "target": "a", "state": view()})
        rows = (await caller.result("Browser.targets"))["targets"]
        assert [(each["id"], each["watched"], each["events"]) for each in rows] == [
            ("a", True, 3),
            ("b", False, 0),
            ("w", False, 0),
        ]
        assert await caller.result("Browser.unwatch", {"target": "a"}) == {"success": True}
        assert made.targets.find("a") is None


async def test_a_target_that_cannot_be_watched_leaves_no_trace() -> None:
    async with world() as made:
        caller = made.caller()
        for name in ("nowhere", "a"):
            made.browser.answers = {} if name == "nowhere" else {"watch": LOST}
            await caller.error("Browser.watch", {"target": name})
            assert made.targets.find(name) is None
            error = await caller.error("Browser.start_inspect", {"target": name})
            assert error["data"]["type"] == "not_found"


async def test_what_was_launched_is_watched_and_everything_is_allowed() -> None:
    async with world() as made:
        caller = made.caller()
        launched = await caller.result("Browser.launch", {"url": "about:blank"})
        assert launched == {"browser": "b2", "target": "new", "error": None}
        known = made.targets.find("new")
        assert known is not None
        assert known.allowed(Identity("anybody")) == set(ACTIONS)
        assert await caller.result("Browser.js", {"code": "1", "target": "new"}) == {}


async def test_what_acts_needs_consent_which_can_be_taken_back() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        error = await caller.error("js", {"code": "1"})
        assert error["code"] == "INVALID_STATE"
        assert error["data"] == {
            "current_state": "connected",
            "required_states": ["connected"],
            "consent": ["js"],
        }
        assert not made.browser.acted("js")
        granted = await caller.result("Browser.grant", {"target": "a", "actions": ["js", "cdp"]})
        assert granted == {"granted": ["cdp", "js"]}
        await caller.result("js", {"code": "1"})
        assert made.browser.acted("js")[0]["code"] == "1"
        assert (await caller.error("navigate", {"url": "x"}))["data"]["consent"] == ["navigate"]
        await caller.result("Browser.grant", {"target": "a", "actions": []})
        assert (await caller.error("js", {"code": "1"}))["data"]["consent"] == ["js"]


async def test_consent_ends_with_the_target() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("Browser.watch", {"target": "a"})
        await caller.result("Browser.grant", {"target": "a", "actions": ["js"]})
        await caller.result("Browser.unwatch", {"target": "a"})
        await caller.result("Browser.watch", {"target": "a"})
        known = made.targets.find("a")
        assert known is not None
        assert known.allowed(Identity("ann")) == set()


@pytest.mark.parametrize("is_launched", [False, True])
async def test_a_popup_that_the_worker_watches_is_watched_here_too(is_launched: bool) -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("Browser.watch", {"target": "a"})
        popup = {"kind": "attached", "target": "b", "launched": is_launched}
        made.browser.report(popup)
        known = made.targets.find("b")
        assert known is not None
        assert known.machine.state == "connected"
        assert bool(known.allowed(Identity("ann"))) is is_launched
        made.browser.report(popup)
        assert known.machine.epoch == 1
        made.browser.report({"kind": "detached", "target": "b", "reason": "closed"})
        assert made.targets.find("b") is None


async def test_consent_is_one_persons() -> None:
    async with world() as made:
        ann, ben = made.caller(), made.caller(identity="ben")
        await ann.result("Browser.watch", {"target": "a"})
        await ann.result("Browser.grant", {"target": "a", "actions": ["js"]})
        await ann.result("Browser.js", {"code": "1", "target": "a"})
        error = await ben.error("Browser.js", {"code": "1", "target": "a"})
        assert error["data"]["consent"] == ["js"]
        granted = {}
        for name, caller in (("ann", ann), ("ben", ben)):
            rows = (await caller.result("Browser.targets"))["targets"]
            granted[name] = rows[0]["granted"]
        assert granted == {"ann": ["js"], "ben": []}


async def test_consent_to_something_else_is_refused() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("Browser.watch", {"target": "a"})
        error = await caller.error("Browser.grant", {"target": "a", "actions": ["js", "all"]})
        assert "js, cdp, fetch, input, navigate, not 'all'" in str(error)
        error = await caller.error("Browser.grant", {"target": "b", "actions": ["js"]})
        assert error["data"]["type"] == "not_connected"
        with pytest.raises(NotConnected, match="No page is connected"):
            made.targets.id_of("")
        error = await caller.error("Browser.js", {"code": "1", "target": "a"})
        assert "Browser.grant" in error["message"]


async def test_two_that_watch_at_once_wait_for_one_connection() -> None:
    async with world() as made:
        first, second = made.caller(), made.caller()
        made.browser.gate.clear()
        one = asyncio.create_task(first.message("Browser.watch", {"target": "a"}))
        while made.machines.add("a").state != "connecting":
            await asyncio.sleep(0)
        refused = await second.error("Browser.watch", {"target": "a"})
        assert refused["data"]["type"] == "invalid_state"
        made.browser.gate.set()
        assert (await one)["result"]["watched"] is True


async def test_without_a_login_everything_is_refused() -> None:
    async with world() as made:
        caller = made.caller(has_login=False)
        for name in made.table:
            error = (await caller.message(name))["error"]
            assert "without a token" in str(error), name
        assert made.made == []


async def test_the_worker_ends_with_the_workspace() -> None:
    async with world() as made:
        await made.caller().result("Browser.watch", {"target": "a"})
    assert made.browser.is_ended
