from jupyter_ac.errors import TimedOut
from tests.services.browser.fake_browser import view, world


async def test_inspecting_begins_and_ends() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        started = await caller.result("browser.startInspect", {}, epoch=1)
        assert started == {"success": True, "inspect_active": True}
        status = await caller.result("status")
        assert status["browser"]["inspect_active"] is True
        again = await caller.error("browser.startInspect")
        assert again["data"] == {"current_state": "inspecting", "required_states": ["connected"]}
        stopped = await caller.result("browser.stopInspect")
        assert stopped == {"success": True, "inspect_active": False}
        cleared = await caller.result("browser.clear")
        assert cleared == {"success": True, "selections": {}}


async def test_a_page_that_does_not_answer_is_not_left_inspecting() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        made.browser.answers["start_inspect"] = TimedOut("The page is too busy.")
        assert (await caller.error("browser.startInspect"))["code"] == "TIMEOUT"
        assert made.machines.state == "connected"
        known = made.targets.find("a")
        assert known is not None
        assert known.machine.state == "connected"


async def test_a_selection_is_fetched_by_its_id() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        made.browser.answers["selection"] = {"selector": "#x"}
        found = await caller.result("Browser.get_selection", {"id": "1"})
        assert found == {"selector": "#x"}
        assert made.browser.acted("selection") == [{"element_id": "1"}]


async def test_escape_in_the_page_ends_the_choosing() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        made.browser.report({"kind": "state", "target": "a", "state": view()})
        await caller.result("browser.startInspect")
        made.browser.report({"kind": "state", "target": "a", "state": view()})
        assert made.machines.state == "inspecting"
        choosing = view(inspect_active=True)
        made.browser.report({"kind": "state", "target": "a", "state": choosing})
        made.browser.report({"kind": "state", "target": "a", "state": view()})
        assert made.machines.state == "connected"
        known = made.targets.find("a")
        assert known is not None
        assert known.machine.state == "connected"
        await caller.result("browser.startInspect")
