"""Whole turns of an agent whose edits wait for the user, and whose commands go on."""

import asyncio
import json
import shlex
import sys
from pathlib import Path

from jupyter_ac.settings.app import EditSettings
from tests.agent.acting import (
    GOOD,
    READ,
    acting,
    calling,
    require_whole,
    run_of,
    text_of,
)
from tests.agent.runs import MadeUpTool, call
from tests.chat.edited import Reply, edit, result_of
from tests.chat.memory import ADA


async def test_a_run_waits_for_the_users_word_on_each_edit(tmp_path: Path) -> None:
    async with acting(tmp_path, files={"a.txt": "one\ntwo\nthree\n"}) as world:
        world.edits.settings = EditSettings(review=True)
        conversation = await world.edits.conversation()
        edits = GOOD + edit("a.txt", "three\n", "3\n") + edit("b.txt", "", "b\n")
        replies: list[Reply | str] = [calling(READ), edits + "Is that right?", "Then so."]
        follower = world.edits.start(conversation, *replies, mode="agent")
        assert "-one\n+ONE" in await world.decide(allow=False, text="keep one")
        assert world.edits.text("a.txt") == "one\ntwo\nthree\n"
        assert "-three\n+3" in await world.decide(allow=True)
        assert await world.decide(allow=True) == "b.txt\n+b"
        result = await result_of(follower)
        run = run_of(result)
        assert (world.edits.text("a.txt"), world.edits.text("b.txt")) == ("one\ntwo\n3\n", "b\n")
        assert run["files_changed"] == ["a.txt", "b.txt"]
        statuses = [row["status"] for row in result["edit_results"]]
        assert statuses == ["rejected", "applied", "applied"]
        assert [row["status"] for row in run["calls"]] == ["done", "refused", "done", "done"]
        assert (run["state"], len(world.requests)) == ("done", 3)
        assert "They say: keep one" in text_of(world.sent()[-1])
        undone = await world.undo().undo(conversation, run["run_id"], 1)
        assert sorted(undone.restored) == ["a.txt", "b.txt"]
        assert world.edits.text("a.txt") == "one\ntwo\nthree\n"


async def test_a_rejection_goes_back_as_a_result(tmp_path: Path) -> None:
    tool = MadeUpTool()
    async with acting(tmp_path, tool) as world:
        world.edits.settings = EditSettings(review=True)
        conversation = await world.edits.conversation()
        replies: list[Reply | str] = [calling(READ), calling(call(), text=GOOD), "I see."]
        follower = world.edits.start(conversation, *replies, mode="agent")
        await world.decide(allow=False, text="keep one")
        assert run_of(await result_of(follower))["state"] == "done"
        assert len(tool.contexts) == 1
        assert "- a.txt: rejected: The user has refused it. They say: keep one" in text_of(
            world.sent()[-1]
        )


async def test_a_stop_ends_the_wait_for_the_users_word_and_the_edits_go_on_waiting(
    tmp_path: Path,
) -> None:
    async with acting(tmp_path) as world:
        world.edits.settings = EditSettings(review=True)
        conversation = await world.edits.conversation()
        follower = world.edits.start(conversation, calling(READ), GOOD, mode="agent")
        async with asyncio.timeout(90):
            while not world.runs.approvals.pending(ADA):
                await asyncio.sleep(0.001)
        world.edits.turns.stop(conversation, "r1")
        result = await result_of(follower)
        assert (result["cancelled"], result["run"]["state"]) == (True, "stopped")
        assert [row["status"] for row in result["run"]["calls"]] == ["done", "cancelled"]
        assert [row["status"] for row in result["edit_results"]] == ["pending"]
        assert world.runs.approvals.pending(ADA) == []
        await world.edits.decider.accept(conversation, "r1", [0])
        assert world.edits.text("a.txt") == "ONE\ntwo\n"
        await world.edits.ask(conversation, "Of course.", number=2)
        require_whole(world.sent())


async def test_edits_that_nobody_can_be_asked_about_wait_and_the_run_goes_on(
    tmp_path: Path,
) -> None:
    async with acting(tmp_path) as world:
        world.edits.settings = EditSettings(review=True)
        world.runs.is_watched = False
        conversation = await world.edits.conversation()
        replies: list[Reply | str] = [calling(READ), GOOD + "There."]
        result = await world.edits.ask(conversation, *replies, mode="agent")
        assert run_of(result)["state"] == "done"
        assert [row["status"] for row in result["edit_results"]] == ["pending"]
        assert world.edits.text("a.txt") == "one\ntwo\n"


async def test_a_command_in_the_background_ends_with_its_run_and_can_be_undone(
    tmp_path: Path,
) -> None:
    async with acting(tmp_path) as world:
        conversation, go = await world.edits.conversation(), tmp_path / "go"
        script = (
            "import os, time\n"
            f"while not os.path.exists({str(go)!r}): time.sleep(0.01)\n"
            "open('a.txt', 'a').write('late')\n"
            "open('done.txt', 'w').close()\n"
            "time.sleep(900)"
        )
        line = shlex.join([sys.executable, "-c", script])
        begin = json.dumps({"command": line, "background": True})
        end = Reply("Done.", hold=asyncio.Event())
        follower = world.edits.start(
            conversation, calling(call("run_command", begin, "c1")), end, mode="agent"
        )
        await world.decide(allow=True)
        await asyncio.to_thread(go.touch)
        async with asyncio.timeout(90):
            while not (world.edits.folder.root / "done.txt").exists():
                await asyncio.sleep(0.01)
        assert end.hold is not None
        end.hold.set()
        run = run_of(await result_of(follower))
        assert run["files_changed"] == ["a.txt", "done.txt"]
        assert [one.state for one in world.runs.background.list()] == ["stopped"]
        undone = await world.undo().undo(conversation, run["run_id"], 1)
        assert sorted(undone.restored) == ["a.txt", "done.txt"]
        assert world.edits.text("a.txt") == "one\ntwo\n"
