"""Cells in real kernels of a real Jupyter server, requested and approved by a page."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol, cast

import pytest
from jupyter_client.channels import HBChannel
from jupyter_client.manager import AsyncKernelManager
from jupyter_server.auth.authorizer import Authorizer
from jupyter_server.serverapp import ServerApp

from tests.hosts.conftest import OpenPage
from tests.support.pages import EVENTS, CallFailedError, Page

WAIT_S = 120.0
HEARD = (*EVENTS, "cellRunUpdated")
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    "AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
IMAGE = f"""
from base64 import b64decode
from IPython.display import Image, display
print("before")
display(Image(b64decode({PIXEL!r})))
"""

Row = dict[str, object]
StartKernel = Callable[[], Awaitable[str]]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let cells run."""
    folder = tmp_path / "settings"
    folder.mkdir()
    monkeypatch.setenv("JUPYTER_AC_CONFIG_DIR", str(folder))
    (folder / "app.json").write_text(json.dumps({"kernel": {"run_cells": True}}))
    return folder / "app.json"


class Kernels(Protocol):
    """The server's kernel manager, which is typed as one for threads."""

    def start_kernel(self, *, kernel_name: str) -> Awaitable[str]: ...
    def shutdown_all(self, *, now: bool) -> Awaitable[None]: ...
    def get_kernel(self, kernel_id: str) -> AsyncKernelManager: ...


def kernels_of(app: ServerApp) -> Kernels:
    return cast("Kernels", app.kernel_manager)


@pytest.fixture
def start_kernel(
    jp_serverapp: ServerApp, jp_asyncio_loop: asyncio.AbstractEventLoop
) -> Iterator[StartKernel]:
    """Start a kernel of the server; all are ended later."""
    manager = kernels_of(jp_serverapp)

    async def start() -> str:
        return await manager.start_kernel(kernel_name="python3")

    yield start
    jp_asyncio_loop.run_until_complete(manager.shutdown_all(now=True))


async def run(page: Page, kernel_id: str, code: str, limit_s: float = 60) -> Row:
    """Request a cell, approve it, and wait for its end."""
    asked = await page.call("LLMService.request_cell_run", "a.ipynb", kernel_id, code, limit_s)
    assert isinstance(asked, dict)
    assert asked["status"] == "waiting"
    approved = await page.call("LLMService.approve_cell_run", asked["run_id"])
    assert approved == asked | {"status": "running"}
    return await end(page, str(asked["run_id"]))


async def end(page: Page, run_id: str) -> Row:
    async with asyncio.timeout(WAIT_S):
        while True:
            (row,) = await page.event("cellRunUpdated", wait_s=WAIT_S)
            assert isinstance(row, dict)
            if row["run_id"] == run_id and row["status"] not in {"waiting", "running"}:
                return row


def texts(row: Row) -> list[tuple[object, object]]:
    outputs = row["outputs"]
    assert isinstance(outputs, list)
    return [(output["kind"], output["text"]) for output in outputs]


async def listed(page: Page) -> list[Row]:
    rows = await page.call("LLMService.list_cell_runs")
    assert isinstance(rows, list)
    return rows


@pytest.mark.usefixtures("settings")
async def test_cells_run_and_are_written_down(connect: OpenPage, start_kernel: StartKernel) -> None:
    page, kernel_id = await connect(events=HEARD), await start_kernel()
    row = await run(page, kernel_id, "x = 6\nprint('hello')\nx * 7")
    assert (row["status"], texts(row)) == ("ok", [("text", "hello\n42\n")])
    assert row["approved_by"] == "local"

    row = await run(page, kernel_id, "x / 0")
    assert row["status"] == "error"
    ((kind, text),) = texts(row)
    assert kind == "error"
    assert "ZeroDivisionError" in str(text)
    assert "\x1b" not in str(text)

    row = await run(page, kernel_id, IMAGE)
    assert [kind for kind, _ in texts(row)] == ["text", "image"]
    image = await page.call("LLMService.get_cell_run_image", row["run_id"], 1)
    assert image == {"data_uri": f"data:image/png;base64,{PIXEL}"}

    rows = await listed(page)
    assert [row["status"] for row in rows] == ["ok", "error", "ok"]
    assert [row["code"] for row in rows][1:] == ["x / 0", "x = 6\nprint('hello')\nx * 7"]


@pytest.mark.usefixtures("settings")
async def test_a_cell_is_interrupted_at_its_time_limit_and_on_request(
    connect: OpenPage, start_kernel: StartKernel
) -> None:
    page, kernel_id = await connect(events=HEARD), await start_kernel()
    assert (await run(page, kernel_id, "'has started'", 600))["status"] == "ok"
    sleep = "import time\ntime.sleep(600)"
    row = await run(page, kernel_id, sleep, 5)
    assert row["status"] == "timed_out"
    assert "5 seconds" in str(row["reason"])

    asked = await page.call("LLMService.request_cell_run", "", kernel_id, sleep, 600)
    assert isinstance(asked, dict)
    await page.call("LLMService.approve_cell_run", asked["run_id"])
    ended = asyncio.create_task(end(page, asked["run_id"]))
    while not ended.done():  # before it runs there is nothing to interrupt
        await page.call("LLMService.interrupt_cell_run", asked["run_id"])
        await asyncio.wait({ended}, timeout=0.5)
    assert ended.result()["status"] == "interrupted"
    assert (await run(page, kernel_id, "'free again'"))["status"] == "ok"


@asynccontextmanager
async def other_work(app: ServerApp, kernel_id: str, folder: Path) -> AsyncIterator[Path]:
    """Keep a kernel busy until a file exists; give the file."""
    client = kernels_of(app).get_kernel(kernel_id).client()
    client.start_channels(hb=False)
    try:
        await client.wait_for_ready(timeout=WAIT_S)
        mark, go = folder / "begun", folder / "go"
        client.execute(
            f"import time, pathlib\npathlib.Path({str(mark)!r}).touch()\n"
            f"while not pathlib.Path({str(go)!r}).exists(): time.sleep(0.05)\nother = 'done'"
        )
        async with asyncio.timeout(WAIT_S):
            while not mark.exists():
                await asyncio.sleep(0.05)
        yield go
    finally:
        client.stop_channels()


@pytest.mark.usefixtures("settings")
async def test_a_kernel_that_is_busy_with_other_work_is_not_interrupted(
    connect: OpenPage, start_kernel: StartKernel, jp_serverapp: ServerApp, tmp_path: Path
) -> None:
    page, kernel_id = await connect(events=HEARD), await start_kernel()
    async with other_work(jp_serverapp, kernel_id, tmp_path) as go:
        row = await run(page, kernel_id, "ours = 1", 1)
        assert row["status"] == "error"
        assert "busy" in str(row["reason"])
        go.touch()
        row = await run(page, kernel_id, "other, 'ours' in globals()")
    assert texts(row) == [("text", "('done', False)\n")]


@pytest.mark.usefixtures("settings")
async def test_a_cell_that_is_interrupted_while_it_waits_for_a_busy_kernel_is_not_run(
    connect: OpenPage, start_kernel: StartKernel, jp_serverapp: ServerApp, tmp_path: Path
) -> None:
    page, kernel_id = await connect(events=HEARD), await start_kernel()
    async with other_work(jp_serverapp, kernel_id, tmp_path) as go:
        asked = await page.call("LLMService.request_cell_run", "", kernel_id, "ours = 1", 600)
        assert isinstance(asked, dict)
        await page.call("LLMService.approve_cell_run", asked["run_id"])
        await page.call("LLMService.interrupt_cell_run", asked["run_id"])
        row = await end(page, asked["run_id"])
        assert (row["status"], row["outputs"]) == ("interrupted", [])
        go.touch()
        row = await run(page, kernel_id, "other, 'ours' in globals()")
    assert texts(row) == [("text", "('done', False)\n")]


@pytest.mark.usefixtures("settings")
async def test_a_run_has_no_heartbeat_that_could_outlive_it(
    connect: OpenPage, start_kernel: StartKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine its thread begins after its end, and then never ends by itself."""
    begun: list[HBChannel] = []
    monkeypatch.setattr(HBChannel, "start", begun.append)
    page, kernel_id = await connect(events=HEARD), await start_kernel()
    assert (await run(page, kernel_id, "1"))["status"] == "ok"
    assert begun == []


@pytest.mark.usefixtures("settings")
async def test_an_approval_is_good_once(connect: OpenPage, start_kernel: StartKernel) -> None:
    page, kernel_id = await connect(events=HEARD), await start_kernel()
    row = await run(page, kernel_id, "1")
    with pytest.raises(CallFailedError) as caught:
        await page.call("LLMService.approve_cell_run", row["run_id"])
    assert caught.value.kind == "conflict"
    refused = await page.call("LLMService.request_cell_run", "", kernel_id, "2")
    assert isinstance(refused, dict)
    await page.call("LLMService.refuse_cell_run", refused["run_id"])
    with pytest.raises(CallFailedError, match="was refused"):
        await page.call("LLMService.approve_cell_run", refused["run_id"])
    assert [row["status"] for row in await listed(page)] == ["refused", "ok"]


@pytest.mark.usefixtures("settings")
async def test_an_unknown_kernel_is_refused(connect: OpenPage) -> None:
    page = await connect()
    with pytest.raises(CallFailedError, match="host doesn't know it") as caught:
        await page.call("LLMService.request_cell_run", "", "no-such-kernel", "1")
    assert caught.value.kind == "unsupported"


async def test_without_the_setting_everything_is_refused_with_the_remedy(
    settings: Path, connect: OpenPage, start_kernel: StartKernel
) -> None:
    page, kernel_id = await connect(), await start_kernel()
    asked = await page.call("LLMService.request_cell_run", "", kernel_id, "1")
    assert isinstance(asked, dict)
    settings.write_text("{}")
    await page.call("Settings.reload_app_config")
    for name, args in (("request", ("", kernel_id, "1")), ("approve", (asked["run_id"],))):
        with pytest.raises(
            CallFailedError, match=r"kernel\.run_cells is false.*app\.json"
        ) as caught:
            await page.call(f"LLMService.{name}_cell_run", *args)
        assert caught.value.kind == "access_denied"


class ReadersOnly(Authorizer):
    """Lets everybody read only."""

    def is_authorized(self, handler: object, user: object, action: str, resource: str) -> bool:
        del handler, user, resource
        return action == "read"


@pytest.mark.usefixtures("settings")
async def test_a_connection_with_read_rights_never_runs_cells(
    connect: OpenPage, start_kernel: StartKernel, jp_serverapp: ServerApp
) -> None:
    jp_serverapp.web_app.settings["authorizer"] = ReadersOnly()
    page, kernel_id = await connect(), await start_kernel()
    assert await listed(page) == []
    calls: tuple[tuple[str, tuple[object, ...]], ...] = (
        ("request", ("", kernel_id, "1")),
        *((name, ("run_1",)) for name in ("approve", "refuse", "interrupt")),
    )
    for name, args in calls:
        with pytest.raises(CallFailedError) as caught:
            await page.call(f"LLMService.{name}_cell_run", *args)
        assert caught.value.kind == "access_denied"
        assert "run_cells" not in str(caught.value)
