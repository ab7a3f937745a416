"""The panel through the kernel: in JupyterLab without our server extension."""

import hashlib
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.lab import WITHOUT_SUBSHELLS, Lab
from tests.e2e.notebook import (
    PANEL_CELLS,
    command,
    open_notebook,
    run_cell,
    save,
    wait_for_kernel,
    write_notebook,
)
from tests.e2e.panel import SECONDS, Panel
from tests.e2e.relay_page import busiest_second, figures, read_record, start_record
from tests.support.model_server import LONG_CHUNKS, SOME_CHUNKS
from tests.support.repositories import RepositoryFolder

pytestmark = pytest.mark.e2e
StartLab = Callable[..., Lab]

# The first question starts the model's worker; loading its library from a cold disk takes long.
FIRST_WORD = 90 * SECONDS
WITHOUT_EXTENSION = "--ServerApp.jpserver_extensions={'jupyter_ac': False}"
# Publishes what nothing shows, so often that the server drops messages, ours with them; from a
# thread, since without subshells the relay needs the main one. When there is enough of it, it
# writes down when the widget's own messages went out, dropped or not.
NOISE = """
import json, pathlib, threading, time
kernel, times = get_ipython().kernel, []
send = kernel.session.send

def noting(stream, kind, content=None, *more, **options):
    if kind == "comm_msg" and content["data"].get("method") == "custom":
        times.append(time.monotonic())
    return send(stream, kind, content, *more, **options)

def make_noise():
    unseen = {"data": {"text/plain": "-"}, "metadata": {}, "transient": {"display_id": "x"}}
    while not pathlib.Path("../enough").exists():
        send(kernel.iopub_socket, "update_display_data", unseen)
        time.sleep(0.01)
    pathlib.Path("../times.part").write_text(json.dumps(times))
    pathlib.Path("../times.part").rename("../times.json")

kernel.session.send = noting
threading.Thread(target=make_noise, daemon=True).start()
"""
LONG_CELL = "import time; time.sleep(600)"
# Longer than the test takes, whatever else the machine does.
BUSY = "import time\nend = time.time() + 300\nwhile time.time() < end: pass"


BARE = {"expects_extension": False, "arguments": (WITHOUT_EXTENSION,)}


@pytest.fixture
def start_bare_lab(start_lab: StartLab) -> StartLab:
    """Have a JupyterLab without our server extension."""
    return partial(start_lab, **BARE)


def open_panel(page: Page, lab: Lab, repository: Path, *cells: str) -> Panel:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS, *cells)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    return show_panel(page)


def show_panel(page: Page) -> Panel:
    run_cell(page, 0)
    run_cell(page, 1)
    panel = Panel(page)
    panel.wait_for("ready", seconds=90)
    expect(panel.app).to_have_attribute("data-door", "relay")
    return panel


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("kernel", "scenario", "chunks"),
    [
        ("busy, subshells", "scripted-some@0.001", SOME_CHUNKS),
        pytest.param("busy, subshells", "scripted-long@0.001", LONG_CHUNKS, marks=pytest.mark.soak),
        pytest.param("no subshells", "scripted-some@0.001", SOME_CHUNKS, marks=pytest.mark.soak),
        pytest.param("ipykernel 6", "scripted-some@0.001", SOME_CHUNKS, marks=pytest.mark.soak),
    ],
)
def test_nothing_of_thousands_of_chunks_is_lost_though_the_server_drops_messages(
    page: Page,
    start_own_lab: StartLab,
    repository: Path,
    request: pytest.FixtureRequest,
    kernel: str,
    scenario: str,
    chunks: int,
) -> None:
    options: dict[str, object] = {}
    if kernel == "ipykernel 6":
        options["venv"] = request.getfixturevalue("installed_with_ipykernel_6")
    elif kernel == "no subshells":
        options["settings"] = WITHOUT_SUBSHELLS
    limit = "--ZMQChannelsWebsocketConnection.iopub_msg_rate_limit=3"
    options |= BARE | {"arguments": (WITHOUT_EXTENSION, limit)}
    lab = start_own_lab(repository.parent, scenario, **options)
    panel = open_panel(page, lab, repository, NOISE, LONG_CELL)
    start_record(page)
    run_cell(page, 2)
    if kernel == "busy, subshells":
        run_cell(page, 3)
    panel.ask("Go on.")
    done = panel.message("assistant", "done")
    expect(done).to_have_count(1, timeout=150 * SECONDS)
    shown = " ".join(done.locator(".prose").inner_text().split())
    # Messages may go on coming: those that the figures know are in the record that is read later.
    counted, record, times_s = figures(page), read_record(page), times_of_messages(repository)
    sent = "".join(f"word{number:05d} " for number in range(chunks))
    assert counted["resendRequests"] > 0, "no message was dropped: this test shows nothing"
    known = sorted(part for part in record.parts if part <= counted["received"])
    assert known == list(range(min(record.parts), counted["received"] + 1))
    assert digest(record.text_of_stream()) == digest(sent)
    assert digest(shown) == digest(sent.strip())
    assert len(times_s) > len(record.arrivals_s)
    assert busiest_second(times_s) <= 20


def times_of_messages(repository: Path) -> list[float]:
    """End the noise; give the seconds at which the kernel sent the widget's messages."""
    (repository.parent / "enough").touch()
    deadline = time.monotonic() + 90
    while not (written := repository.parent / "times.json").exists():
        assert time.monotonic() < deadline, "the kernel wrote nothing"
        time.sleep(0.05)
    times_s: list[float] = json.loads(written.read_text())
    return times_s


def test_while_a_cell_runs_stop_reaches_the_model_and_what_happens_outside_appears(
    page: Page, start_bare_lab: StartLab, repository: Path, pictures: Path
) -> None:
    lab = start_bare_lab(repository.parent, "scripted-long@0.03")
    panel = open_panel(page, lab, repository, BUSY)
    note = panel.part("door-note")
    expect(note).to_contain_text("does not run jupyter_ac; the panel talks through the kernel")
    panel.tick("README.md")
    run_cell(page, 2)
    expect(busy_cell(page)).to_have_count(1)
    panel.ask("Go on while I work.")
    expect(panel.message("assistant").last).to_contain_text("word", timeout=FIRST_WORD)
    page.screenshot(path=pictures / "relay.png")
    panel.part("stop").click()
    panel.answer("cancelled")
    expect(busy_cell(page)).to_have_count(1)
    expect(note).not_to_contain_text("A cell is running")

    (repository / "README.md").write_text("another text\n", encoding="utf-8")
    readme = panel.row("README.md")
    expect(readme.locator(".badge")).to_have_text("M", timeout=90 * SECONDS)
    RepositoryFolder(repository).git("checkout", "-q", "-b", "elsewhere")
    branch = panel.part("app").get_by_title("Branch", exact=True)
    expect(branch).to_have_text("elsewhere", timeout=90 * SECONDS)
    expect(busy_cell(page)).to_have_count(1)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("version", [pytest.param(6, marks=pytest.mark.soak), 7])
def test_without_subshells_the_panel_says_that_stop_waits_for_the_cell(
    page: Page,
    start_bare_lab: StartLab,
    start_own_lab: StartLab,
    repository: Path,
    pictures: Path,
    request: pytest.FixtureRequest,
    version: int,
) -> None:
    if version == 6:
        venv = request.getfixturevalue("installed_with_ipykernel_6")
        lab = start_own_lab(repository.parent, "scripted-long@0.03", venv, **BARE)
    else:
        lab = start_bare_lab(repository.parent, "scripted-long@0.03", WITHOUT_SUBSHELLS)
    panel = open_panel(page, lab, repository, LONG_CELL)
    panel.ask("Go on while I work.")
    answer, note = panel.message("assistant").last, panel.part("door-note")
    expect(answer).to_contain_text("word", timeout=FIRST_WORD)
    run_cell(page, 2)
    expect(busy_cell(page)).to_have_count(1)
    panel.part("stop").click()
    expect(note).to_contain_text("A cell is running; Stop (and questions) reach the model when")
    page.screenshot(path=pictures / f"relay-waits-{version}.png")
    # What the kernel says still comes: the answer goes on.
    seen = answer.inner_text()
    expect(answer).not_to_have_text(seen, use_inner_text=True)
    command(page, "notebook:interrupt-kernel")
    panel.answer("cancelled")
    expect(busy_cell(page)).to_have_count(0)
    expect(note).to_contain_text("does not run jupyter_ac")


def test_a_reload_takes_the_answer_over_and_a_restart_ends_it(
    page: Page, start_bare_lab: StartLab, repository: Path
) -> None:
    lab = start_bare_lab(repository.parent, "scripted-long@0.03")
    panel = open_panel(page, lab, repository)
    panel.ask("Go on while I reload.")
    expect(panel.message("assistant").last).to_contain_text("word", timeout=FIRST_WORD)
    save(page)
    page.reload()
    wait_for_kernel(page)
    panel.wait_for("streaming")
    expect(panel.app).to_have_attribute("data-door", "relay")
    answer = panel.message("assistant").last
    expect(answer).to_contain_text("word00000 ")
    seen = answer.inner_text()
    expect(answer).not_to_have_text(seen, use_inner_text=True)
    restart_kernel(page)
    panel.wait_for("offline")
    expect(panel.app).to_contain_text("run the cell with %ac again")
    expect(panel.app).not_to_contain_text("Trying to reconnect")
    wait_for_kernel(page)
    show_panel(page)
    expect(panel.message("user")).to_have_text("Go on while I reload.")


def test_the_relay_takes_over_where_the_server_refuses_the_folder(
    page: Page, start_own_lab: StartLab, repository: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "elsewhere" / "plain"
    folder.mkdir(parents=True)
    lab = start_own_lab(repository.parent)
    write_notebook(repository / "chat.ipynb", PANEL_CELLS[0], f"%ac {folder}")
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_cell(page, 0)
    run_cell(page, 1)
    panel = Panel(page)
    panel.part("init").click(timeout=90 * SECONDS)
    expect(panel.part("init-question")).to_contain_text(str(folder))
    panel.part("init-confirm").click()
    panel.wait_for("ready", seconds=90)
    expect(panel.app).to_have_attribute("data-door", "relay")
    expect(panel.part("door-note")).to_contain_text("; the panel talks through the kernel instead.")
    assert (folder / ".git").is_dir()
    panel.ask("Here as well?")
    expect(panel.answer()).to_contain_text("Here as well?")


def busy_cell(page: Page) -> Locator:
    """The cell that runs; the kernel's own word may come late."""
    return page.locator(".jp-InputPrompt").filter(has_text="[*]:")


def restart_kernel(page: Page) -> None:
    """Restart it as the menu would, without the question."""
    page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    )


def digest(text: str) -> tuple[int, str]:
    """What two long texts are compared by."""
    return len(text), hashlib.sha256(text.encode()).hexdigest()
