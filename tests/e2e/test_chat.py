"""The main job: tick, ask, stream, stop, reload, restart."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import (
    PANEL_CELLS,
    open_notebook,
    run_all,
    save,
    wait_for_kernel,
    write_notebook,
)
from tests.e2e.panel import SECONDS, Panel
from tests.support.model_process import RunningModelServer
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
StartLab = Callable[..., Lab]


def panel_in_notebook(page: Page, lab: Lab, repository: Path) -> Panel:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    return panel


def test_a_person_ticks_two_files_asks_and_sees_the_answer(
    page: Page,
    start_serve: Callable[..., ServeProcess],
    repository: Path,
    model: RunningModelServer,
) -> None:
    page.goto(start_serve(repository, "scripted-markdown").page)
    panel = Panel(page, "#panel")
    panel.wait_for("ready")
    before = panel.total()
    panel.tick("weather/summary.py", "README.md")
    files = panel.part("breakdown-row", '[data-category="files"][data-path]')
    expect(files).to_have_count(2)
    assert panel.total() > before
    panel.ask("What does the summary do?")
    answer = panel.answer()
    expect(answer.locator("pre code .hljs-keyword").first).to_be_visible()
    body = str(model.bodies()[-1])
    assert "weather/summary.py" in body
    assert "What does the summary do?" in body


def test_stop_works_before_the_first_word(
    page: Page,
    start_serve: Callable[..., ServeProcess],
    repository: Path,
    model: RunningModelServer,
) -> None:
    page.goto(start_serve(repository, "scripted-hang").page)
    panel = Panel(page, "#panel")
    panel.wait_for("ready")
    panel.ask("Anyone there?")
    model.wait_until(lambda rows: len(rows) == 1)
    panel.part("stop").click()
    panel.answer("cancelled")
    model.wait_until(lambda rows: bool(rows[-1]["closed_early"]))
    assert len(model.requests()) == 1


def test_a_reload_finds_the_conversation_and_the_running_answer_which_can_be_stopped(
    page: Page, start_lab: StartLab, repository: Path, model: RunningModelServer
) -> None:
    panel = panel_in_notebook(page, start_lab(repository.parent, "scripted-long@0.03"), repository)
    panel.ask("A long story, please.")
    expect(panel.message("assistant").last).to_contain_text("word", timeout=90 * SECONDS)
    save(page)
    page.reload()
    wait_for_kernel(page)
    panel.wait_for("streaming", seconds=90)
    expect(panel.message("user")).to_contain_text("A long story, please.")
    seen = len(panel.message("assistant").last.inner_text())
    expect(panel.message("assistant")).to_have_count(1)
    page.wait_for_function(
        """([within, seen]) => {
            const walk = node => [...node.querySelectorAll('*')].flatMap(
                child => [child, ...(child.shadowRoot ? walk(child.shadowRoot) : [])]);
            const last = walk(document).filter(
                node => node.matches('[data-ac="message"][data-role="assistant"]')).pop();
            return last && last.innerText.length > seen + 20;
        }""",
        arg=[panel.within, seen],
        timeout=90 * SECONDS,
    )
    panel.part("stop").click()
    panel.answer("cancelled")
    panel.wait_for("ready")
    model.wait_until(lambda rows: bool(rows[-1]["closed_early"]))


def test_a_restart_of_the_server_is_survived(
    page: Page, start_own_lab: StartLab, repository: Path
) -> None:
    lab = start_own_lab(repository.parent)
    panel = panel_in_notebook(page, lab, repository)
    panel.tick("README.md")
    panel.ask("Remember me.")
    panel.answer()
    lab.stop()
    panel.wait_for("offline")
    lab.start()
    panel.wait_for("ready", seconds=90)
    expect(panel.message("user")).to_contain_text("Remember me.")
    expect(panel.part("toast").filter(has_text="Reconnected")).to_be_visible()
    expect(panel.row("README.md").locator('[data-ac="picker-check"]')).to_be_checked()
