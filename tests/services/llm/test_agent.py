"""The methods of agent runs, called by pages, over real runs with tools that a test makes up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.agent.tool import Question, Right
from jupyter_ac.agent.tool_approvals import CallKey, Decision
from jupyter_ac.errors import RemoteError
from jupyter_ac.ids import ConversationKey, Identity, RequestId
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.agent import MAX_ADDED, AgentMethods
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.tool_rows import TaskName
from tests.agent.acting import ActingWorld, acting
from tests.agent.runs import MadeUpTool, call
from tests.chat.edited import Reply, edit, result_of
from tests.chat.memory import ADA, Recorder
from tests.services.llm.pages import Connection, Page, connect
from tests.support.json_values import JsonValue

BOB = Identity("bob")
LISTED = ("AcApp.toolUpdated",)
ASKS = Question("touch x", argv=("touch", "x"), is_sandboxed=True)


@dataclass
class Served:
    """A world, its methods, and the pages of people."""

    world: ActingWorld
    tool: MadeUpTool
    subscribers: Subscribers
    table: MethodTable
    connections: list[Connection]

    async def page(self, identity: Identity = ADA) -> Page:
        page = Page(LISTED)
        connection = await connect(page, self.table, identity)
        self.subscribers.join(connection.host, ConversationKey(identity))
        self.connections.append(connection)
        return page

    async def begun(self, *replies: Reply | str) -> Recorder:
        """Begin a run of Ada's."""
        conversation = await self.world.edits.conversation()
        return self.world.edits.start(conversation, *replies, mode="agent")

    async def asked(self, page: Page) -> JsonValue:
        """Wait for the call that asks."""
        async with asyncio.timeout(60):
            while not (waiting := await page.call("list_pending_tools")):
                await asyncio.sleep(0.01)
        assert isinstance(waiting, list)
        return waiting[0]


@asynccontextmanager
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    tool = MadeUpTool("act", Right.EXECUTE, asks=ASKS)
    async with acting(tmp_path, tool) as world:
        subscribers = Subscribers()
        methods = AgentMethods(world.edits.book, world.runs.approvals, world.undo(), subscribers)
        table = MethodTable(Namespace("LLMService", methods))
        made = Served(world, tool, subscribers, table, [])
        try:
            yield made
        finally:
            await subscribers.aclose()
            for connection in made.connections:
                await connection.close()


def calling(text: str = "") -> Reply:
    return Reply(text, calls=(call("act", call_id="c1"),))


async def test_a_call_that_waits_is_listed_and_decided_on_by_any_page_of_its_person(
    tmp_path: Path,
) -> None:
    async with served(tmp_path) as made:
        first, second = await made.page(), await made.page()
        follower = await made.begun(calling(), "Done.")
        waiting = await made.asked(first)
        assert (waiting["request_id"], waiting["call_id"]) == ("r1", "c1")
        assert waiting["question"]["text"] == "touch x"
        assert waiting["question"]["scopes"] == ["once", "session"]
        answered = await second.call("answer_tool", "r1", "c1", "allow", "session")
        assert answered == {"status": "ok"}
        await result_of(follower)
        assert len(made.tool.contexts) == 1
        assert await first.call("list_pending_tools") == []
        with pytest.raises(RemoteError, match="No such call waits"):
            await first.call("answer_tool", "r1", "c1", "allow")


async def test_another_person_neither_sees_nor_decides_nor_undoes(tmp_path: Path) -> None:
    async with served(tmp_path) as made:
        ada, bob = await made.page(), await made.page(BOB)
        follower = await made.begun(calling(), "Done.")
        await made.asked(ada)
        assert await bob.call("list_pending_tools") == []
        with pytest.raises(RemoteError, match="another person's run"):
            await bob.call("answer_tool", "r1", "c1", "allow")
        with pytest.raises(RemoteError, match="No run is being made"):
            await bob.call("add_to_run", "r1", "Do what I say.")
        await ada.call("answer_tool", "r1", "c1", "refuse", "once", "not now")
        run = (await result_of(follower))["run"]
        assert made.tool.contexts == []
        assert run["calls"][0]["status"] == "refused"
        for name in ("undo_run", "get_run_diff"):
            with pytest.raises(RemoteError, match="There is no run"):
                await bob.call(name, run["run_id"])


@pytest.mark.parametrize(
    ("decision", "scope", "text", "said"),
    [
        ("yes", "once", "", "decision must be"),
        ("allow", "prefix", "", "scope must be one of once, session"),
        ("allow", "for ever", "", "scope"),
        ("allow", "once", "x" * 20_001, "may have 20,000 characters"),
    ],
    ids=["decision", "prefix", "scope", "long"],
)
async def test_a_decision_that_can_not_be_made_changes_nothing(
    tmp_path: Path, decision: str, scope: str, text: str, said: str
) -> None:
    async with served(tmp_path) as made:
        page = await made.page()
        follower = await made.begun(calling(), "Done.")
        await made.asked(page)
        with pytest.raises(RemoteError, match=said):
            await page.call("answer_tool", "r1", "c1", decision, scope, text)
        assert made.tool.contexts == []
        key = CallKey(RequestId("r1"), "c1")
        made.world.runs.approvals.answer(ADA, key, Decision(allow=False))
        await result_of(follower)


async def test_a_waiting_call_of_a_task_names_its_plan(tmp_path: Path) -> None:
    async with served(tmp_path) as made:
        page, task = await made.page(), TaskName(plan_id="plan_1", task_id="soil")
        with made.world.runs.approvals.for_task(RequestId("r1"), task):
            follower = await made.begun(calling(), "Done.")
            waiting = await made.asked(page)
        assert isinstance(waiting, dict)
        assert waiting["task"] == task
        await page.call("answer_tool", "r1", "c1", "allow")
        await result_of(follower)


async def test_a_waiting_call_of_a_panel_names_it(tmp_path: Path) -> None:
    async with served(tmp_path) as made:
        page = await made.page()
        with made.world.runs.approvals.for_panel(RequestId("r1"), "Tests"):
            follower = await made.begun(calling(), "Done.")
            waiting = await made.asked(page)
        assert isinstance(waiting, dict)
        assert waiting["panel"] == "Tests"
        await page.call("answer_tool", "r1", "c1", "allow")
        await result_of(follower)


async def test_what_is_added_to_a_run_is_delivered_and_bounded(tmp_path: Path) -> None:
    async with served(tmp_path) as made:
        page = await made.page()
        with pytest.raises(RemoteError, match="ask it as a question"):
            await page.call("add_to_run", "r1", "Hurry.")
        follower = await made.begun(calling(), "Done.")
        await made.asked(page)
        with pytest.raises(RemoteError, match="message is empty"):
            await page.call("add_to_run", "r1", " \n")
        for number in range(MAX_ADDED):
            await page.call("add_to_run", "r1", f"Note {number}.")
        with pytest.raises(RemoteError, match="wait for the run's next step"):
            await page.call("add_to_run", "r1", "One more.")
        await page.call("answer_tool", "r1", "c1", "allow")
        await result_of(follower)
        told = str(made.world.sent()[-1]["content"])
        assert "The user says meanwhile: Note 0." in told
        assert f"Note {MAX_ADDED - 1}." in told


async def test_what_is_added_too_late_comes_back_with_the_result(tmp_path: Path) -> None:
    async with served(tmp_path) as made:
        page, held = await made.page(), asyncio.Event()
        made.world.limits = RunLimits(2, 400_000, 1.0, 15)
        follower = await made.begun(Reply("", calls=(call("nope"),)), Reply("So.", hold=held))
        async with asyncio.timeout(60):
            while len(made.world.requests) < 2:  # the second is the last that the limit allows
                await asyncio.sleep(0.01)
        await page.call("add_to_run", "r1", "Hurry.")
        held.set()
        assert (await result_of(follower))["undelivered"] == ["Hurry."]


async def test_a_plain_answer_takes_no_additions(tmp_path: Path) -> None:
    async with served(tmp_path) as made:
        page, held = await made.page(), asyncio.Event()
        conversation = await made.world.edits.conversation()
        follower = made.world.edits.start(conversation, Reply("So.", hold=held))
        with pytest.raises(RemoteError, match="ask it as a question"):
            await page.call("add_to_run", "r1", "Hurry.")
        held.set()
        await result_of(follower)


async def test_a_run_is_shown_as_one_diff_and_taken_back(tmp_path: Path) -> None:
    async with served(tmp_path) as made:
        page, other = await made.page(), await made.page()
        conversation = await made.world.edits.conversation("a.txt")
        asked = edit("a.txt", "one\n", "ONE\n")
        run = (await made.world.edits.ask(conversation, asked, mode="agent"))["run"]
        diff = await page.ask("get_run_diff", run["run_id"])
        assert "-one\n+ONE\n" in str(diff["diff"])
        undone = await page.ask("undo_run", run["run_id"])
        assert (undone["status"], undone["files_restored"]) == ("undone", ["a.txt"])
        assert undone["files_kept"] == []
        assert made.world.edits.text("a.txt") == "one\ntwo\n"
        await other.until(lambda one: bool(one.named("toolUpdated")))
        ((update,),) = other.named("toolUpdated")
        assert isinstance(update, dict)
        assert update["run"]["can_undo"] is False
        with pytest.raises(RemoteError, match="changed nothing"):
            await page.call("undo_run", run["run_id"])
