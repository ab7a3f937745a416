"""10,000 chunks at about 500 a second through the kernel's comm, in JupyterLab and Chromium.

Beside it: the same answer in the same page through the server's WebSocket.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.figure import at_most, reported
from benchmarks.host.projects import make_project
from tests.e2e.conftest import CHROMIUM_FLAGS
from tests.e2e.installed import Installed
from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, open_notebook, run_cell, write_notebook
from tests.e2e.panel import Panel
from tests.e2e.relay_page import Recorded, busiest_second, read_record, start_record
from tests.support.model_process import running_model_server
from tests.support.model_server import LONG_CHUNKS

ROUNDS: Final = 5
FILES: Final = 100
LIMIT_S: Final = 120.0
# Has each task with the processor time that it took.
TRACED: Final = ["disabled-by-default-devtools.timeline"]
# A little less than 2 ms, because each chunk costs the provider some time as well.
MODEL: Final = "openai/scripted-long@0.0016"
DOOR: Final = "door => localStorage.setItem('jupyter-ac.door', door)"


@contextmanager
def running_lab(folder: Path) -> Iterator[Lab]:
    """JupyterLab of this environment, with a small project and the scripted model."""
    home = folder / "home"
    home.mkdir()
    with running_model_server(folder / "requests") as model:
        variables = {
            "JUPYTER_AC_MODEL": MODEL,
            "JUPYTER_AC_API_BASE": model.openai,
            "OPENAI_API_KEY": "sk-scripted-0000",
        }
        venv = Path(sys.prefix)
        path = f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}"
        lab = Lab(Installed(venv, path), folder / "root", home, variables)
        try:
            lab.start()
            yield lab
        finally:
            lab.stop()


@dataclass(frozen=True)
class Round:
    """One answer through one door.

    Attributes:
        record: what the page saw.
        longest_ms: its longest task of 50 ms and more; 0 when there was none.
        longest_cpu_ms: what its most costly task took of a processor, whoever else used it.
    """

    record: Recorded
    longest_ms: float
    longest_cpu_ms: float


def costliest_task_ms(trace: bytes) -> float:
    """Processor time of the costliest task on a page's main thread."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks_us = [
        float(event.get("tdur", 0))
        for event in events
        if event.get("name") == "RunTask" and (event["pid"], event["tid"]) in mains
    ]
    return max(tasks_us) / 1000


def stream(browser: Browser, page: Page, lab: Lab, door: str) -> Round:
    """One answer through one door."""
    open_notebook(page, lab, "garden/chat.ipynb")
    page.evaluate(DOOR, door)
    for number in range(len(PANEL_CELLS)):
        run_cell(page, number)
    panel = Panel(page)
    panel.wait_for("ready", seconds=60)
    assert panel.app.get_attribute("data-door") == (door or "server")
    if panel.message("user").count():
        page.get_by_role("button", name="New conversation").first.click()
        panel.message("user").first.wait_for(state="detached")
    start_record(page)
    browser.start_tracing(page=page, categories=TRACED)
    panel.ask("Tell me everything.")
    text = panel.answer("done", seconds=LIMIT_S).inner_text()
    trace = browser.stop_tracing()
    assert text.count("word") == LONG_CHUNKS
    record = read_record(page)
    return Round(record, max(record.long_tasks_ms, default=0.0), costliest_task_ms(trace))


def lost(record: Recorded) -> float:
    """Chunks that never came, as the streamed increments say it."""
    return LONG_CHUNKS - record.text_of_stream().count("word")


def show(relay: list[Round], server: list[Round]) -> None:
    """Print the figures."""
    records = [each.record for each in relay]
    reported("relay: chunks", [LONG_CHUNKS / record.seconds for record in records], "/s").emit()
    at_most("relay: chunks lost", [lost(record) for record in records], "", 0).emit()
    iopub = [record.iopub / record.seconds for record in records]
    at_most("relay: iopub messages of all kinds", iopub, "/s", 20).emit()
    busiest = [float(busiest_second(record.arrivals_s)) for record in records]
    at_most("relay: comm messages in the busiest second", busiest, "", 20).emit()
    beside = ("through the server", [each.longest_ms for each in server])
    longest = [each.longest_ms for each in relay]
    at_most("relay: longest task in the page", longest, "ms", 50, beside).emit()
    beside = ("through the server", [each.longest_cpu_ms for each in server])
    costly = [each.longest_cpu_ms for each in relay]
    reported("relay: costliest task in the page, CPU", costly, "ms", beside).emit()


def main() -> None:
    """Measure both doors in turn."""
    relay: list[Round] = []
    server: list[Round] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        make_project(folder / "root" / "garden", FILES)
        write_notebook(folder / "root" / "garden" / "chat.ipynb", *PANEL_CELLS)
        lab = stack.enter_context(running_lab(folder))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=CHROMIUM_FLAGS
        )
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        for _ in range(ROUNDS):
            relay.append(stream(browser, page, lab, "relay"))
            server.append(stream(browser, page, lab, ""))
        browser.close()
    show(relay, server)


if __name__ == "__main__":
    main()
