import asyncio
from collections import Counter

import pytest

from jupyter_ac.errors import TimedOut
from tests.services.browser.fake_browser import LOST, view, world


async def test_a_page_is_connected_by_its_id_and_gets_an_epoch() -> None:
    async with world() as made:
        caller = made.caller()
        answer = await caller.message("connect", {"page_id": "a"})
        assert answer["epoch"] == 1
        assert answer["result"] == {
            "connected": True,
            "title": "Page a",
            "url": "http://127.0.0.1/a",
            "already_connected": False,
        }
        status = await caller.result("status")
        assert (status["connectionState"], status["connected"]) == ("connected", True)
        assert status["page"] == {"id": "a", "title": "Page a", "url": "http://127.0.0.1/a"}
        again = await caller.message("connect", {"page_id": "a"}, epoch=1)
        assert again["result"]["already_connected"] is True
        assert again["epoch"] == 1


async def test_a_page_is_connected_by_its_position() -> None:
    async with world() as made:
        caller = made.caller()
        pages = (await caller.result("pages"))["pages"]
        assert [page["id"] for page in pages] == ["a", "b"]
        assert (await caller.result("connect", {"page": 1}))["title"] == "Page b"
        error = await caller.error("connect", {"page": 2})
        assert error["code"] == "NOT_CONNECTED"


@pytest.mark.parametrize(
    "params", [{}, {"page_id": "a", "page": 0}, {"page_id": 3}, {"page": "0"}, {"pageId": "a"}]
)
async def test_wrong_parameters_leave_the_page_disconnected(params: dict[str, object]) -> None:
    async with world() as made:
        caller = made.caller()
        assert (await caller.error("connect", params))["code"] == "INVALID_PARAMS"
        assert made.machines.state == "disconnected"
        assert (await caller.message("connect", {"page_id": "a"}))["epoch"] == 1


@pytest.mark.parametrize("failure", [LOST, TimedOut("The page doesn't answer.")])
async def test_a_page_that_cannot_be_connected_is_said_and_can_be_tried_again(
    failure: Exception,
) -> None:
    async with world() as made:
        caller = made.caller()
        made.browser.answers["watch"] = failure
        answer = await caller.message("connect", {"page_id": "a"})
        assert answer["error"]["code"] == "NOT_CONNECTED"
        assert answer["epoch"] == 0
        status = await caller.result("status")
        assert status["connectionState"] == "disconnected"
        assert status["error"]["message"] == str(failure)
        assert await caller.result("errors.dismiss") == {"success": True}
        assert (await caller.result("status"))["error"] is None
        made.browser.answers.clear()
        assert (await caller.message("connect", {"page_id": "a"}))["epoch"] == 1


async def test_another_page_is_disconnected_first_and_has_the_next_epoch() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        answer = await caller.message("connect", {"page_id": "b"}, epoch=1)
        assert answer["epoch"] == 2
        assert ("unwatch", ("a",)) in made.browser.asked
        assert (await caller.result("status"))["page"]["id"] == "b"


async def test_a_page_that_is_watched_in_the_panel_stays_watched() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("Browser.watch", {"target": "a"})
        await caller.result("connect", {"page_id": "a"})
        assert await caller.result("disconnect") == {"disconnected": True}
        assert ("unwatch", ("a",)) not in made.browser.asked
        assert made.targets.find("a") is not None
        assert made.machines.state == "disconnected"


async def test_disconnecting_always_ends_disconnected() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        made.browser.answers["unwatch"] = LOST
        assert await caller.result("disconnect") == {"disconnected": True}
        status = await caller.result("status")
        assert status["connectionState"] == "disconnected"
        assert status["error"]["message"] == str(LOST)
        error = await caller.error("disconnect")
        assert error["code"] == "INVALID_STATE"
        assert error["data"] == {
            "current_state": "disconnected",
            "required_states": ["connected", "inspecting"],
        }


async def test_of_fifty_clients_that_race_one_connects() -> None:
    async with world() as made:
        callers = [made.caller() for _ in range(50)]
        made.browser.gate.clear()
        tries = [
            asyncio.create_task(caller.message("connect", {"page_id": "ab"[number % 2]}))
            for number, caller in enumerate(callers)
        ]
        while made.machines.state != "connecting":
            await asyncio.sleep(0)
        made.browser.gate.set()
        answers = await asyncio.gather(*tries)
        codes = Counter(answer.get("error", {}).get("code", "ok") for answer in answers)
        assert codes["ok"] == 1
        assert codes["INVALID_STATE"] == 49
        assert {str(answer["error"]["data"]) for answer in answers if "error" in answer} == {
            str({"current_state": "connecting", "required_states": ["disconnected"]})
        }
        assert made.machines.epoch == 1


async def test_racing_over_epochs_never_acts_in_the_wrong_page() -> None:
    async with world() as made:
        callers = [made.caller() for _ in range(50)]
        await callers[0].result("connect", {"page_id": "a"})

        async def go(number: int) -> None:
            caller = callers[number]
            for turn in range(4):
                await caller.message("connect", {"page_id": "ab"[(number + turn) % 2]})
                epoch = made.machines.epoch
                answer = await caller.message("browser.clear", {}, epoch=epoch - turn % 2)
                assert answer["epoch"] >= epoch
                code = answer.get("error", {}).get("code", "ok")
                if turn % 2 and epoch > 1:
                    assert code in {"STALE_EPOCH", "INVALID_STATE"}

        await asyncio.gather(*[go(number) for number in range(50)])
        assert made.machines.state in {"connected", "disconnected"}


@pytest.mark.parametrize("reason", ["closed", "browser_gone"])
async def test_a_page_that_goes_is_disconnected_in_every_state(reason: str) -> None:
    async with world() as made:
        caller = made.caller()
        for number, state in enumerate(["connected", "inspecting"], 1):
            await caller.result("connect", {"page_id": "a"})
            if state == "inspecting":
                await caller.result("browser.startInspect")
            assert made.machines.state == state
            made.browser.report({"kind": "detached", "target": "a", "reason": reason})
            status = await caller.result("status")
            assert status["connectionState"] == "disconnected"
            assert status["error"]["message"]
            assert status["epoch"] == number
            assert made.targets.find("a") is None


async def test_a_worker_that_ends_while_a_page_is_connected_to_loses_nothing_else() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("Browser.watch", {"target": "b"})
        made.browser.gate.clear()
        connecting = asyncio.create_task(caller.message("connect", {"page_id": "a"}))
        while made.machines.state != "connecting":
            await asyncio.sleep(0)
        made.browser.report({"kind": "gone", "target": ""})
        made.browser.answers["watch"] = LOST
        made.browser.targets.clear()
        made.browser.gate.set()
        assert (await connecting)["error"]["code"] == "NOT_CONNECTED"
        assert made.machines.state == "disconnected"
        assert made.targets.find("b") is None


async def test_a_page_that_crashes_comes_back_with_the_next_epoch() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        made.browser.report({"kind": "detached", "target": "a", "reason": "crashed"})
        assert (await caller.result("status"))["connectionState"] == "disconnected"
        made.browser.report({"kind": "attached", "target": "a"})
        status = await caller.result("status")
        assert (status["connectionState"], status["epoch"]) == ("connected", 2)
        assert (await caller.error("browser.clear", {}, epoch=1))["code"] == "STALE_EPOCH"


async def test_the_state_shows_what_the_worker_reports() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        told = made.changes
        reported = view(
            fetch_enabled=True,
            paused_count=2,
            selections={"1": {"tag": "p"}},
            pending_count=1,
            filters_enabled=["ads"],
        )
        made.browser.report({"kind": "state", "target": "a", "state": reported})
        status = await caller.result("status")
        assert made.changes == told + 1
        assert status["events"] == {"total": 3}
        assert status["fetch"] == {"enabled": True, "response_stage": False, "paused_count": 2}
        assert status["filters"] == {"enabled": ["ads"], "disabled": ["assets"]}
        assert status["browser"]["selections"] == {"1": {"tag": "p"}}
        assert status["browser"]["pending_count"] == 1


async def test_both_machines_of_a_page_follow_each_other() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        await caller.result("browser.startInspect")
        known = made.targets.find("a")
        assert known is not None
        assert known.machine.state == "inspecting"
        await caller.result("Browser.stop_inspect", {"target": "a"})
        assert made.machines.state == "connected"


async def test_leaving_a_page_is_no_error_although_the_worker_tells_of_it_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        made.browser.report({"kind": "state", "target": "a", "state": view()})
        gate = asyncio.Event()
        answer = made.browser.call

        async def call(name: str, *args: object, timeout_s: float = 30.0) -> object:
            if name == "unwatch":
                told: dict[str, object] = {"kind": "detached", "target": "a", "reason": "unwatched"}
                made.browser.report(told)
                gate.set()
                assert made.machines.state == "disconnecting"
            return await answer(name, *args, timeout_s=timeout_s)

        monkeypatch.setattr(made.browser, "call", call)
        assert await caller.result("disconnect") == {"disconnected": True}
        assert gate.is_set()
        status = await caller.result("status")
        assert (status["connectionState"], status["error"]) == ("disconnected", None)


async def test_a_page_that_somebody_unwatches_is_disconnected_and_that_is_said() -> None:
    async with world() as made:
        caller = made.caller()
        await caller.result("connect", {"page_id": "a"})
        await caller.result("Browser.unwatch", {"target": "a"})
        status = await caller.result("status")
        assert status["connectionState"] == "disconnected"
        assert status["error"]["message"] == "The page is no longer watched."
