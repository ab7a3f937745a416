import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    Busy,
    Conflict,
    NotFound,
    TimedOut,
    Unsupported,
)
from jupyter_ac.execution import cell_runner
from jupyter_ac.execution.cell_runner import MAX_KEPT, MAX_WAITING, CellRunner
from jupyter_ac.execution.cell_runs import CellRequest, CellRun, RunState, now_ms
from jupyter_ac.execution.run_journal import FILE
from jupyter_ac.ids import Identity
from tests.support.cells import Kernel, journal_in, runner_in

ADA, BOB = Identity("ada"), Identity("bob")
REQUEST = CellRequest("a.ipynb", "k1", "x = 1")


class World:
    """A runner and what it says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kernel = Kernel()
        self.is_on = True
        self.published: list[RunState] = []
        self.runner: CellRunner = runner_in(
            folder, self.kernel, is_on=lambda: self.is_on, publish=self._publish
        )

    def _publish(self, run: CellRun) -> None:
        self.published.append(run.state)

    async def approved(self, request: CellRequest = REQUEST) -> CellRun:
        run = self.runner.request(request, ADA)
        return await self.runner.approve(run.run_id, ADA)

    async def end_of(self, run: CellRun) -> CellRun:
        return await asyncio.wait_for(self.runner.ended(run.run_id, ADA), 60)


@pytest.fixture
def world(tmp_path: Path, jp_asyncio_loop: asyncio.AbstractEventLoop) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    jp_asyncio_loop.run_until_complete(made.runner.aclose())


async def test_a_cell_waits_runs_and_ends(world: World) -> None:
    run = world.runner.request(REQUEST, ADA)
    assert run.state is RunState.WAITING
    assert world.kernel.executed == []
    approved = await world.runner.approve(run.run_id, ADA)
    assert (approved.state, approved.approved_by) == (RunState.RUNNING, "ada")
    assert world.runner.is_running is True
    await world.kernel.end(RunState.OK)
    ended = await world.end_of(run)
    assert (ended.state, ended.reason) == (RunState.OK, "")
    assert [output.text for output in ended.outputs] == ["of x = 1"]
    assert world.published == [RunState.WAITING, RunState.RUNNING, RunState.OK]
    assert world.runner.is_running is False


async def test_it_is_in_the_journal_before_the_kernel_gets_it(world: World) -> None:
    await world.approved()
    await asyncio.wait_for(world.kernel.came.wait(), 60)
    with closing(sqlite3.connect(world.folder / FILE)) as db:
        rows = db.execute("SELECT state, code, approved_by FROM cell_runs").fetchall()
    assert rows == [("running", "x = 1", "ada")]


async def test_without_a_journal_nothing_is_run_and_it_can_be_approved_again(world: World) -> None:
    (world.folder / FILE).symlink_to("elsewhere")
    run = world.runner.request(REQUEST, ADA)
    with pytest.raises(AcError):
        await world.runner.approve(run.run_id, ADA)
    assert world.kernel.executed == []
    (world.folder / FILE).unlink()
    assert (await world.runner.approve(run.run_id, ADA)).state is RunState.RUNNING


async def test_a_decision_is_made_once(world: World) -> None:
    run = await world.approved()
    for decide in (world.runner.approve, world.runner.refuse):
        with pytest.raises(Conflict, match="is running already"):
            await decide(run.run_id, ADA)
    await world.kernel.end(RunState.OK)
    await world.end_of(run)
    with pytest.raises(Conflict, match="has run already"):
        await world.runner.approve(run.run_id, ADA)
    assert len(world.kernel.executed) == 1


async def test_two_approvals_at_once_run_it_once(world: World) -> None:
    run = world.runner.request(REQUEST, ADA)
    both = (world.runner.approve(run.run_id, ADA) for _ in range(2))
    results = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["CellRun", "Conflict"]
    await world.kernel.end(RunState.OK)
    await world.end_of(run)
    assert len(world.kernel.executed) == 1


async def test_a_refused_cell_never_runs(world: World) -> None:
    run = world.runner.request(REQUEST, ADA)
    assert (await world.runner.refuse(run.run_id, ADA)).state is RunState.REFUSED
    with pytest.raises(Conflict, match="was refused"):
        await world.runner.approve(run.run_id, ADA)
    assert (await world.end_of(run)).state is RunState.REFUSED
    assert world.kernel.executed == []


async def test_cells_of_others_cannot_be_decided_on_or_seen(world: World) -> None:
    run = world.runner.request(REQUEST, ADA)
    for call in (world.runner.approve, world.runner.refuse, world.runner.interrupt):
        with pytest.raises(NotFound):
            await call(run.run_id, BOB)
    with pytest.raises(NotFound):
        world.runner.known(run.run_id, BOB)
    assert await world.runner.recent(BOB) == []
    assert [each.run_id for each in await world.runner.recent(ADA)] == [run.run_id]


async def test_with_the_setting_off_nothing_is_requested_or_approved(world: World) -> None:
    run = world.runner.request(REQUEST, ADA)
    world.is_on = False
    with pytest.raises(AccessDenied, match=r"kernel\.run_cells is false"):
        world.runner.request(REQUEST, ADA)
    with pytest.raises(AccessDenied, match=r"app\.json"):
        await world.runner.approve(run.run_id, ADA)
    assert (await world.runner.refuse(run.run_id, ADA)).state is RunState.REFUSED
    assert world.kernel.executed == []


async def test_where_nothing_can_be_run_the_reason_is_said(world: World) -> None:
    world.kernel.reason = "No kernels here."
    with pytest.raises(Unsupported, match="No kernels here"):
        world.runner.request(REQUEST, ADA)


async def test_open_requests_are_bounded_for_each_person(world: World) -> None:
    first = world.runner.request(REQUEST, ADA)
    for _ in range(MAX_WAITING - 1):
        world.runner.request(REQUEST, ADA)
    with pytest.raises(Busy):
        world.runner.request(REQUEST, ADA)
    world.runner.request(REQUEST, BOB)
    await world.runner.refuse(first.run_id, ADA)
    world.runner.request(REQUEST, ADA)


async def test_a_request_without_a_decision_is_refused_later(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = world.runner.request(REQUEST, ADA)
    monkeypatch.setattr(cell_runner, "now_ms", lambda: now_ms() + 601_000)
    with pytest.raises(Conflict):
        await world.runner.approve(run.run_id, ADA)
    ended = await world.end_of(run)
    assert (ended.state, ended.reason) == (RunState.REFUSED, "Nobody decided within 10 minutes.")


async def test_an_interrupt_on_request_is_its_end(world: World) -> None:
    run = await world.approved()
    await asyncio.wait_for(world.kernel.came.wait(), 60)
    await world.runner.interrupt(run.run_id, ADA)
    ended = await world.end_of(run)
    assert ended.state is RunState.INTERRUPTED
    assert "on request" in ended.reason
    await world.runner.interrupt(run.run_id, ADA)
    assert len(world.kernel.interrupted) == 1


async def test_an_interrupt_that_fails_is_not_taken_for_the_end(world: World) -> None:
    run = await world.approved()
    await asyncio.wait_for(world.kernel.came.wait(), 60)
    world.kernel.unreachable = NotFound("No page.")
    with pytest.raises(NotFound, match="No page"):
        await world.runner.interrupt(run.run_id, ADA)
    await world.kernel.end(RunState.ERROR)
    assert (await world.end_of(run)).state is RunState.ERROR


@pytest.mark.parametrize(
    ("failure", "state", "reason"),
    [
        (RunState.TIMED_OUT, RunState.TIMED_OUT, "It was interrupted after 60 seconds."),
        (TimedOut("It is stuck."), RunState.TIMED_OUT, "It is stuck."),
        (Conflict("The kernel has ended."), RunState.ERROR, "The kernel has ended."),
        (ValueError("secret"), RunState.ERROR, "It could not be run; the server's log says why."),
    ],
)
async def test_each_way_to_end_has_its_reason(
    world: World, failure: RunState | Exception, state: RunState, reason: str
) -> None:
    run = await world.approved()
    await world.kernel.end(failure)
    ended = await world.end_of(run)
    assert (ended.state, ended.reason) == (state, reason)
    assert ended.outputs


async def test_at_the_end_of_the_host_what_runs_is_cancelled_and_written_down(
    tmp_path: Path,
) -> None:
    world = World(tmp_path)
    await world.approved()
    await asyncio.wait_for(world.kernel.came.wait(), 60)
    await world.runner.aclose()
    assert world.kernel.ending is not None
    assert world.kernel.ending.cancelled()
    journal = journal_in(tmp_path)
    (run,) = await journal.recent(ADA, 9, now_ms())
    assert run.state is RunState.INTERRUPTED
    assert "stopped" in run.reason
    await journal.aclose()


async def test_earlier_runs_are_listed_from_the_journal(world: World) -> None:
    for number in range(MAX_KEPT + 2):
        run = await world.approved(CellRequest("", "k1", f"x = {number}"))
        await world.kernel.end(RunState.OK)
        await world.end_of(run)
    rows = await world.runner.recent(ADA)
    assert len(rows) == MAX_KEPT + 2
    assert {run.state for run in rows} == {RunState.OK}
    with pytest.raises(NotFound):
        world.runner.known(rows[-1].run_id, ADA)
    assert world.runner.known(rows[0].run_id, ADA).outputs
