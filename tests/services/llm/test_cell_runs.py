import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.events import CellRunUpdated
from jupyter_ac.execution.cell_runner import CellRunner
from jupyter_ac.execution.cell_runs import CellRun, RunState
from jupyter_ac.execution.outputs import OutputCapture
from jupyter_ac.ids import ConversationKey
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.cell_execution import CellExecution
from jupyter_ac.services.llm.cell_runs import CellRunMethods
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.memory import ADA
from tests.services.llm.pages import Page, connect
from tests.services.llm.test_shapes import EVENTS
from tests.support.cells import Kernel, journal_in
from tests.support.conformance import problems
from tests.support.pictures import png
from tools.api.surface import result_of

PICTURE = png()


class DrawingKernel(Kernel):
    """Puts a picture out."""

    async def execute(self, run: CellRun, capture: OutputCapture) -> RunState:
        """Draw, then run as others do."""
        data = {"image/png": base64.b64encode(PICTURE).decode()}
        capture.add({"output_type": "display_data", "data": data})
        return await super().execute(run, capture)


class Service:
    """The methods behind a connection; answers are held against their types."""

    def __init__(self, page: Page, table: MethodTable, kernel: Kernel) -> None:
        self.page, self.table, self.kernel = page, table, kernel

    async def call(self, name: str, *args: object) -> object:
        answer = await self.page.call(name, *args)
        assert problems(answer, result_of(self.table[f"LLMService.{name}"]), name) == []
        return answer

    async def request(self, code: str = "x = 1") -> str:
        asked = await self.call("request_cell_run", "a.ipynb", "k1", code)
        assert isinstance(asked, dict)
        return str(asked["run_id"])

    async def until(self, status: str) -> None:
        def is_there(page: Page) -> bool:
            rows = [args[0] for args in page.named("cellRunUpdated")]
            return any(isinstance(row, dict) and row["status"] == status for row in rows)

        await self.page.until(is_there)


async def no_renewal() -> None:
    """The settings are those that there are."""


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Service]:
    subscribers, kernel = Subscribers(), DrawingKernel()
    execution = CellExecution(subscribers, kernel)

    def publish(run: CellRun) -> None:
        subscribers.publish(CellRunUpdated(run.row()))

    runner = CellRunner(execution, journal_in(folder), lambda: True, publish)
    methods = CellRunMethods(runner, execution, no_renewal)
    table = MethodTable(Namespace("LLMService", methods))
    page = Page(["AcApp.cellRunUpdated"])
    connection = await connect(page, table)
    subscribers.join(connection.host, ConversationKey(ADA))
    try:
        yield Service(page, table, kernel)
    finally:
        await runner.aclose()
        await subscribers.aclose()
        await connection.close()


async def test_a_cell_from_its_request_to_its_end(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        run_id = await service.request()
        answer = await service.call("approve_cell_run", run_id)
        assert isinstance(answer, dict)
        assert (answer["run_id"], answer["status"]) == (run_id, "running")
        await service.kernel.end(RunState.OK)
        await service.until("ok")
        statuses = []
        for args in service.page.named("cellRunUpdated"):
            assert problems(args[0], EVENTS["cellRunUpdated"].__annotations__["run"], "run") == []
            assert isinstance(args[0], dict)
            statuses.append(args[0]["status"])
        assert statuses == ["waiting", "running", "ok"]
        (row,) = await service.page.rows("list_cell_runs")
        await service.call("list_cell_runs")
        assert row["outputs"] == [
            {"kind": "image", "text": "", "mime_type": "image/png", "bytes": len(PICTURE)},
            {"kind": "text", "text": "of x = 1"},
        ]
        image = await service.call("get_cell_run_image", run_id, 0)
        data = base64.b64encode(PICTURE).decode()
        assert image == {"data_uri": f"data:image/png;base64,{data}"}
        for position in (-1, 1, 2):
            with pytest.raises(RemoteError) as caught:
                await service.call("get_cell_run_image", run_id, position)
            assert caught.value.remote_type == "not_found"


async def test_a_cell_is_refused_or_interrupted(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        refused = await service.call("refuse_cell_run", await service.request())
        assert isinstance(refused, dict)
        assert refused["status"] == "refused"
        run_id = await service.request()
        await service.call("approve_cell_run", run_id)
        await asyncio.wait_for(service.kernel.came.wait(), 60)
        await service.call("interrupt_cell_run", run_id)
        await service.until("interrupted")


@pytest.mark.parametrize(
    ("args", "remote_type"),
    [
        (("a", "", "1"), "invalid_params"),
        (("a", "k1", ""), "invalid_params"),
        (("a", "k1", "1", 601), "invalid_params"),
        (("a", "k1", "1", "x"), "invalid_params"),
        (("a", "k2", "1"), "unsupported"),
        (("a", "k1", "x" * 300_000), "too_large"),
    ],
)
async def test_a_wrong_request_is_refused(
    tmp_path: Path, args: tuple[object, ...], remote_type: str
) -> None:
    async with serving(tmp_path) as service:
        with pytest.raises(RemoteError) as caught:
            await service.call("request_cell_run", *args)
        found = caught.value.remote_type or str(caught.value.remote_code)
        assert found in {remote_type, "-32602"}
        assert await service.page.rows("list_cell_runs") == []
