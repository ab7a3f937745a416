"""Approved cells run on the session of the notebook that a page has open."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Page, WebSocket

from tests.e2e.lab import Lab
from tests.e2e.notebook import command, open_notebook, write_notebook
from tests.e2e.panel import SECONDS, SIDE, Panel

pytestmark = pytest.mark.e2e

LINK = f"""() => {{
    const inside = document.querySelector('{SIDE} [data-ac="app"]');
    return inside?.link ?? inside?.getRootNode().host?.link;
}}"""
KERNEL = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"
HEAR = f"""() => {{
    window.cellRuns = [];
    ({LINK})().on('cellRunUpdated', run => window.cellRuns.push(run));
}}"""
PIXEL = (
    "import base64\nfrom IPython.display import Image, display\n"
    "display(Image(base64.b64decode('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),"
    " format='gif'))"
)


class StartLab(Protocol):
    def __call__(self, root: Path, *, variables: Mapping[str, str]) -> Lab: ...


class Sent:
    """The code that a page has sent to kernels by its own sockets."""

    def __init__(self, page: Page) -> None:
        self.executed: list[str] = []
        page.on("websocket", self._follow)

    def _follow(self, socket: WebSocket) -> None:
        if "/channels" in socket.url:
            socket.on("framesent", self._hear)

    def _hear(self, frame: str | bytes) -> None:
        text = frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
        if "execute_request" in text:
            self.executed.append(text)


class Cells:
    """Requests and approves cells as the side panel's connection does."""

    def __init__(self, page: Page) -> None:
        self._page = page
        page.wait_for_function(f"() => ({LINK})()?.connected", timeout=90 * SECONDS)
        page.evaluate(HEAR)
        kernel: str = page.evaluate(f"() => ({KERNEL})().id")
        self.kernel = kernel

    def call(self, method: str, *args: object) -> dict[str, object]:
        answer: dict[str, object] = self._page.evaluate(
            f"([method, args]) => ({LINK})().rpcExtract(`LLMService.${{method}}`, ...args)",
            [method, list(args)],
        )
        return answer

    def approve(self, code: str, limit_s: float = 60) -> str:
        asked = self.call("request_cell_run", "a.ipynb", self.kernel, code, limit_s)
        self.call("approve_cell_run", asked["run_id"])
        return str(asked["run_id"])

    def end(self, run_id: str) -> dict[str, object]:
        ended = """run_id => window.cellRuns.find(
            run => run.run_id === run_id && !['waiting', 'running'].includes(run.status))"""
        self._page.wait_for_function(ended, arg=run_id, timeout=90 * SECONDS)
        row: dict[str, object] = self._page.evaluate(ended, run_id)
        return row

    def run(self, code: str, limit_s: float = 60) -> dict[str, object]:
        return self.end(self.approve(code, limit_s))


def test_approved_cells_run_in_the_page_that_has_the_notebook_open(
    page: Page, start_own_lab: StartLab, repository: Path, tmp_path: Path
) -> None:
    settings = tmp_path / "settings"
    settings.mkdir()
    (settings / "app.json").write_text(json.dumps({"kernel": {"run_cells": True}}))
    lab = start_own_lab(repository.parent, variables={"JUPYTER_AC_CONFIG_DIR": str(settings)})
    write_notebook(repository / "a.ipynb", "x = 20")
    sent = Sent(page)
    open_notebook(page, lab, f"{repository.name}/a.ipynb")
    command(page, "jupyter-ac:open")
    Panel(page, SIDE).wait_for("ready")
    cells = Cells(page)

    row = cells.run("y = 21\nprint('from the page')\ny * 2")
    assert row["status"] == "ok", row
    assert row["outputs"] == [{"kind": "text", "text": "from the page\n42\n"}]
    assert "from the page" in sent.executed[-1]  # by the page's own session

    row = cells.run("y / 0")
    assert row["status"] == "error"
    assert "ZeroDivisionError" in json.dumps(row["outputs"])

    row = cells.run(PIXEL)
    assert row["outputs"] == [{"kind": "image", "text": "", "mime_type": "image/gif", "bytes": 42}]

    row = cells.run("import time\ntime.sleep(600)", 5)
    assert row["status"] == "timed_out", row

    run_id = cells.approve("time.sleep(600)")
    page.wait_for_function(f"() => ({KERNEL})().status === 'busy'", timeout=90 * SECONDS)
    cells.call("interrupt_cell_run", run_id)
    assert cells.end(run_id)["status"] == "interrupted"
    assert cells.run("'still ' + 'alive'")["outputs"] == [
        {"kind": "text", "text": "'still alive'\n"}
    ]
