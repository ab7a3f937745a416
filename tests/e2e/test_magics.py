"""`%%ac` and `panel.ask()` in JupyterLab: what a person sees below the cell and in the panel."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import command, open_notebook, run_cell, write_notebook
from tests.e2e.panel import SECONDS, Panel
from tests.support.model_process import RunningModelServer

pytestmark = pytest.mark.e2e
StartLab = Callable[..., Lab]

LOAD = "%load_ext jupyter_ac"
START = 60 * SECONDS

EVIL = """
EVIL = '''<img src=x onerror="window.{0} = 1">

<script>window.{0} = 1</script>

[click](javascript:window.{0}=1) ![picture](http://127.0.0.1:9/{0}.png)

```py
if a<b: pass
```'''
"""
RAW = 'display({"text/markdown": EVIL.replace("{0}", "raw")}, raw=True)'
OURS = """
from jupyter_ac.hosts.kernel.rendering import Picture, markdown
display({"text/markdown": markdown(Picture(EVIL.replace("{0}", "ours")))}, raw=True)
"""


def notebook(page: Page, lab: Lab, repository: Path, *cells: str) -> None:
    write_notebook(repository / "magic.ipynb", *cells)
    open_notebook(page, lab, f"{repository.name}/magic.ipynb")


def output(page: Page, number: int) -> Locator:
    return page.locator(".jp-Notebook .jp-CodeCell").nth(number).locator(".jp-OutputArea-output")


def busy(page: Page) -> Locator:
    return page.locator(".jp-InputPrompt").filter(has_text="[*]:")


def test_the_answer_grows_below_the_cell_and_an_interrupt_stops_it(
    page: Page, start_lab: StartLab, repository: Path, model: RunningModelServer
) -> None:
    lab = start_lab(repository.parent, "scripted-long@0.05")
    notebook(page, lab, repository, LOAD, "%%ac\nTell me everything.", "print('next')")
    run_cell(page, 0)
    run_cell(page, 1)
    shown = output(page, 1).first
    expect(shown).to_contain_text("word00003", timeout=START)
    last = shown.inner_text().split()[-1]
    later = f"word{int(last.removeprefix('word')) + 10:05d}"
    expect(shown).to_contain_text(later, timeout=90 * SECONDS)
    expect(busy(page)).to_have_count(1)
    command(page, "notebook:interrupt-kernel")
    expect(busy(page)).to_have_count(0, timeout=90 * SECONDS)
    expect(shown.locator("em")).to_have_text("Stopped: this is what had come.")
    model.wait_until(lambda seen: bool(seen[0]["closed_early"]))
    expect(output(page, 1).nth(1)).to_contain_text("KeyboardInterrupt: the answer was stopped")
    run_cell(page, 2)
    expect(output(page, 2)).to_have_text("next")


def test_markdown_is_rendered_and_the_conversation_can_be_loaded_in_the_panel(
    page: Page, start_lab: StartLab, repository: Path
) -> None:
    lab = start_lab(repository.parent, "scripted-markdown")
    notebook(page, lab, repository, LOAD, "%%ac -f README.md\nWhat does summary do?", "%ac")
    run_cell(page, 0)
    run_cell(page, 1)
    expect(output(page, 1).locator("table")).to_have_count(1, timeout=START)
    expect(output(page, 1).locator("pre code")).to_contain_text("def mean(readings):")
    expect(busy(page)).to_have_count(0, timeout=START)
    run_cell(page, 2)
    panel = Panel(page)
    panel.wait_for("ready")
    expect(panel.message("user")).to_have_count(0)
    panel.part("sessions").click()
    row = panel.part("session-row").filter(has_text="What does summary do?")
    row.click()
    expect(panel.message("user")).to_contain_text("What does summary do?")


def test_files_are_assigned_ask_appears_in_the_panel_and_what_is_attached_goes_out_once(
    page: Page, start_lab: StartLab, repository: Path, model: RunningModelServer
) -> None:
    attach = "rates = [0.25, 0.5]\npanel.attach(rates)"
    ask = "print('got', await panel.ask('And that?'))"
    later = f"panel.attach('birch and alder', name='the log')\n{ask}"
    assign = "panel.selected_files = ['weather/summary.py']"
    cells = (LOAD, f"import jupyter_ac\npanel = jupyter_ac.Panel()\n{attach}\npanel", later, assign)
    notebook(page, start_lab(repository.parent), repository, *cells)
    run_cell(page, 0)
    run_cell(page, 1)
    panel = Panel(page)
    panel.wait_for("ready")
    # The kernel attaches it as soon as the page shows the panel.
    page.wait_for_function(
        """async () => {
            const app = document.querySelector('[data-ac="app"], [data-door]');
            const rows = await app.session.rpc.rpcExtract('LLMService.get_context_items');
            return rows.length === 1 && rows[0].name === 'rates';
        }""",
        timeout=START,
    )
    panel.ask("What is this?")
    panel.answer()
    run_cell(page, 2)
    expect(panel.message("user").last).to_contain_text("And that?", timeout=START)
    expect(output(page, 2)).to_contain_text("got You asked: **And that?**", timeout=START)
    panel.answer()
    expect(panel.message("user")).to_have_count(2)
    first, second = (json.dumps(body) for body in model.bodies())
    assert "rates: list" in first
    assert "birch and alder" not in first
    assert second.count("rates: list") == 1  # once, in the log
    assert "the log (variable of the Python session" in second
    run_cell(page, 3)
    check = panel.row("weather/summary.py").locator('[data-ac="picker-check"]')
    expect(check).to_be_checked(timeout=90 * SECONDS)


def test_what_a_model_writes_is_shown_and_does_nothing(
    page: Page, start_lab: StartLab, repository: Path
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    notebook(page, start_lab(repository.parent), repository, LOAD, EVIL, RAW, OURS)
    for number in (0, 1, 2, 3):
        run_cell(page, number)
    expect(output(page, 3)).to_contain_text("if a<b: pass", timeout=START)
    expect(output(page, 3)).to_contain_text("<script>window.ours = 1</script>")
    # JupyterLab trusts the Markdown of a cell that has just run: without our care, this happens.
    page.wait_for_function("window.raw === 1")
    assert page.evaluate("window.ours") is None
    expect(output(page, 3).locator("img, script, [href^='javascript']")).to_have_count(0)
    assert not [url for url in asked if "ours.png" in url]
