import asyncio

import pytest

from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.execution.cell_runs import CellRequest, CellRun, RunState
from jupyter_ac.execution.outputs import OutputCapture
from jupyter_ac.ids import ConversationKey, Identity
from jupyter_ac.services.llm.cell_execution import INTERRUPT, NOT_HERE, RUN, CellExecution
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.memory import ADA
from tests.services.llm.pages import WITH_DELTAS, Answer, Connection, Page, connect
from tests.support.cells import Kernel

BOB = Identity("bob")
RUN_CELL = CellRun.of(CellRequest("a.ipynb", "k1", "x = 1", 5), ADA)
ABSENT = {"status": NOT_HERE, "outputs": []}
HELLO = {"output_type": "stream", "name": "stdout", "text": "hello"}


class Pages:
    """Pages, and what runs cells in them."""

    def __init__(self, kernels: Kernel | None = None) -> None:
        self.subscribers = Subscribers()
        self.execution = CellExecution(self.subscribers, kernels)
        self.connections: list[Connection] = []

    async def open(
        self, answer: object, identity: Identity = ADA, status: str = "interrupted"
    ) -> Page:
        """Connect a page that answers like this when it is asked to run a cell.

        Args:
            answer: what it answers; an event: it answers with `status` when this is set.
            identity: of its user.
            status: see `answer`.
        """
        page = Page((RUN, INTERRUPT), _answering(answer, status))
        connection = await connect(page, {}, identity)
        self.subscribers.join(connection.host, ConversationKey(identity))
        self.connections.append(connection)
        return page

    async def run(self) -> tuple[RunState, list[str]]:
        capture = OutputCapture()
        async with asyncio.timeout(60):
            state = await self.execution.execute(RUN_CELL, capture)
        return state, [output.text for output in capture.outputs]

    async def close(self) -> None:
        for connection in self.connections:
            await connection.close()
        await self.subscribers.aclose()


def _answering(answer: object, status: str) -> Answer:
    async def say(name: str) -> object:
        if isinstance(answer, asyncio.Event):
            if RUN.endswith(name):
                await answer.wait()
            return {"status": status, "outputs": []}
        return answer

    return say


async def test_a_page_runs_the_cell_and_its_outputs_are_captured() -> None:
    pages = Pages()
    page = await pages.open({"status": "ok", "outputs": [HELLO, 3, None]})
    assert await pages.run() == (RunState.OK, ["hello"])
    assert page.events == [
        (
            "runCell",
            (
                {
                    "run_id": RUN_CELL.run_id,
                    "kernel_id": "k1",
                    "code": "x = 1",
                    "sha256": RUN_CELL.sha256,
                    "time_limit_s": 5,
                },
            ),
        )
    ]
    await pages.close()


async def test_the_approving_page_is_first_then_the_one_used_last_and_one_runs_it() -> None:
    pages = Pages()
    approving = await pages.open(ABSENT)
    idle, used = [await pages.open({"status": "ok", "outputs": []}) for _ in range(2)]
    pages.connections[1].host.calls.last_s = 1.0
    pages.connections[2].host.calls.last_s = 2.0
    pages.execution.prefer(RUN_CELL.run_id, pages.connections[0].host)
    assert await pages.run() == (RunState.OK, [])
    assert [len(page.events) for page in (approving, used, idle)] == [1, 1, 0]
    await pages.close()


async def test_pages_of_others_and_pages_without_notebooks_are_not_asked() -> None:
    kernel = Kernel()
    pages = Pages(kernel)
    others = await pages.open({"status": "ok", "outputs": []}, BOB)
    plain = Page(WITH_DELTAS)
    pages.connections.append(await connect(plain, {}))
    pages.subscribers.join(pages.connections[-1].host, ConversationKey(ADA))
    running = asyncio.create_task(pages.run())
    await kernel.end(RunState.OK)
    assert await running == (RunState.OK, ["of x = 1"])
    assert (others.events, plain.events) == ([], [])
    await pages.close()


async def test_without_a_page_that_has_the_kernel_the_host_runs_it() -> None:
    kernel = Kernel()
    pages = Pages(kernel)
    page = await pages.open(ABSENT)
    running = asyncio.create_task(pages.run())
    await kernel.end(RunState.ERROR)
    assert (await running)[0] is RunState.ERROR
    assert len(page.events) == 1
    await pages.close()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"status": "busy", "outputs": []}, "busy with another cell"),
        ({"status": "failed", "reason": "not the code"}, "The page says: not the code"),
        ("ok", "was no answer"),
        (None, "was no answer"),
    ],
)
async def test_a_page_that_fails_is_the_end_so_that_nothing_runs_twice(
    answer: object, reason: str
) -> None:
    kernel = Kernel()
    pages = Pages(kernel)
    await pages.open(answer)
    other = await pages.open({"status": "ok", "outputs": []})
    pages.execution.prefer(RUN_CELL.run_id, pages.connections[0].host)
    with pytest.raises(Conflict, match=reason):
        await pages.run()
    assert (other.events, kernel.executed) == ([], [])
    await pages.close()


async def test_a_page_that_goes_away_is_the_end() -> None:
    kernel = Kernel()
    pages = Pages(kernel)
    page = await pages.open(asyncio.Event())
    running = asyncio.create_task(pages.run())
    await page.until(lambda page: bool(page.events))
    await page.peer.close()
    with pytest.raises(Conflict, match="has gone"):
        await running
    assert kernel.executed == []
    await pages.close()


async def test_an_interrupt_goes_to_where_the_cell_runs() -> None:
    kernel, stop = Kernel(), asyncio.Event()
    pages = Pages(kernel)
    page = await pages.open(stop)
    running = asyncio.create_task(pages.run())
    await page.until(lambda page: bool(page.events))
    stop.set()
    await pages.execution.interrupt(RUN_CELL)
    assert page.named("interruptCell") == [(RUN_CELL.run_id,)]
    assert (await running)[0] is RunState.INTERRUPTED
    await pages.execution.interrupt(RUN_CELL)
    assert kernel.interrupted == [RUN_CELL]
    await pages.close()


async def test_a_cell_that_is_interrupted_while_a_page_is_asked_runs_nowhere_else() -> None:
    kernel, stop = Kernel(), asyncio.Event()
    pages = Pages(kernel)
    page = await pages.open(stop, status=NOT_HERE)
    running = asyncio.create_task(pages.run())
    await page.until(lambda page: bool(page.events))
    await pages.execution.interrupt(RUN_CELL)
    stop.set()
    assert (await running)[0] is RunState.INTERRUPTED
    assert kernel.executed == []
    await pages.close()


async def test_a_run_that_is_given_up_is_interrupted_in_its_page() -> None:
    pages = Pages()
    page = await pages.open(asyncio.Event())
    running = asyncio.create_task(pages.run())
    await page.until(lambda page: bool(page.events))
    running.cancel()
    await asyncio.wait({running}, timeout=60)
    assert running.cancelled()
    await page.until(lambda page: bool(page.named("interruptCell")))
    assert page.named("interruptCell") == [(RUN_CELL.run_id,)]
    await pages.close()


async def test_an_unknown_status_is_an_error() -> None:
    pages = Pages()
    await pages.open({"status": "fine", "outputs": "none"})
    assert await pages.run() == (RunState.ERROR, [])
    await pages.close()


async def test_it_is_said_beforehand_where_nothing_can_be_run() -> None:
    bare, known = Pages(), Pages(Kernel())
    assert "this host has no kernels" in bare.execution.refusal(ADA, "k1")
    assert "doesn't know it" in known.execution.refusal(ADA, "k2")
    assert known.execution.refusal(ADA, "k1") == ""
    await bare.open(ABSENT)
    assert bare.execution.refusal(ADA, "k1") == ""
    assert bare.execution.refusal(BOB, "k1") != ""
    with pytest.raises(NotFound):
        await bare.run()
    await bare.close()
    await known.close()
