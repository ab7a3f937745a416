"""Documents open in JupyterLab: waited for when unsaved, read again when changed elsewhere."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocket, expect

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edit_blocks.reading.markers import render
from tests.e2e.lab import Lab
from tests.e2e.notebook import (
    PANEL_CELLS,
    command,
    open_notebook,
    run_all,
    save,
    wait_for_kernel,
    write_notebook,
)
from tests.e2e.panel import SECONDS, SIDE, Panel
from tests.notebook.files import code, markdown, notebook_file
from tests.support.repositories import RepositoryFolder

pytestmark = pytest.mark.e2e

QUESTION = "AcApp.getUnsavedFiles"
FRONT = "() => window.jupyterapp.shell.currentWidget"
DOCUMENT = """path => [...window.jupyterapp.shell.widgets('main')]
    .find(widget => widget.context?.path === path)?.context"""


def _open(page: Page, path: str, factory: str) -> None:
    page.evaluate(
        "options => window.jupyterapp.commands.execute('docmanager:open', options)",
        {"path": path, "factory": factory},
    )
    page.wait_for_function(f"path => ({FRONT})()?.context?.path === path", arg=path)


def _is_dirty(page: Page, path: str) -> bool:
    dirty: bool = page.evaluate(f"path => ({DOCUMENT})(path).model.dirty", path)
    return dirty


def _wait_for_text(page: Page, path: str, text: str) -> None:
    page.wait_for_function(
        f"([path, text]) => ({DOCUMENT})(path).model.toString() === text",
        arg=[path, text],
        timeout=90 * SECONDS,
    )


class _Listed:
    """What the panels on a page list to the server."""

    def __init__(self, page: Page) -> None:
        self.names: set[str] = set()
        page.on("websocket", self._follow)

    def _follow(self, socket: WebSocket) -> None:
        if "jupyter-ac/rpc" in socket.url:
            socket.on("framesent", lambda frame: self._hear(str(frame)))

    def _hear(self, frame: str) -> None:
        if '"system.listComponents"' in frame:
            self.names.update(json.loads(frame).get("params") or ())


def test_an_edit_waits_for_an_unsaved_document_and_a_clean_one_is_read_again(
    page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    lab = start_lab(repository.parent, "scripted-edits")
    names = ("clean.txt", "dirty.txt")
    clean, dirty = (lab.path(f"{repository.name}/{name}") for name in names)
    for name in names:
        (repository / name).write_text("one\n", encoding="utf-8")
    page.goto(lab.page(f"{repository.name}/README.md"))
    command(page, "jupyter-ac:open")
    panel = Panel(page, SIDE)
    panel.wait_for("ready", 90)
    for path in (clean, dirty):
        _open(page, path, "Editor")
    page.evaluate(f"() => ({FRONT})().content.editor.replaceSelection('mine ')")
    assert _is_dirty(page, dirty)

    panel.tick(*names)
    edits = [render(EditBlock(0, BlockKind.EDIT, name, ("one",), ("two",))) for name in names]
    panel.ask(f"Change both.\n=====\n{''.join(edits)}")
    panel.answer()
    for name, status in (("clean.txt", "applied"), ("dirty.txt", "pending")):
        card = panel.part("edit-card", f'[data-path="{name}"]')
        expect(card).to_have_attribute("data-status", status)
    _wait_for_text(page, clean, "two\n")
    assert not _is_dirty(page, clean)
    assert (repository / "dirty.txt").read_text(encoding="utf-8") == "one\n"

    for name in reversed(names):  # by somebody else
        (repository / name).write_text("three\n", encoding="utf-8")
    _wait_for_text(page, clean, "three\n")
    _wait_for_text(page, dirty, "mine one\n")
    expect(page.locator(".jp-Dialog")).to_have_count(0)


def _open_notebooks(page: Page, *paths: str) -> None:
    for path in paths:
        _open(page, path, "Notebook")
        wait_for_kernel(page)
        page.wait_for_function(
            f"({FRONT})().content.model.sharedModel.getMetadata('language_info')"
        )
        save(page)


def _sources(page: Page, path: str) -> list[str]:
    found: list[str] = page.evaluate(
        f"path => ({DOCUMENT})(path).model.sharedModel.cells.map(cell => cell.source)", path
    )
    return found


def test_edits_of_open_notebooks_are_made_there_and_staged_when_saved(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    lab = start_lab(repository.parent, "scripted-edits")
    names = ("clean.ipynb", "dirty.ipynb")
    clean, dirty = (lab.path(f"{repository.name}/{name}") for name in names)
    for name in names:
        file = notebook_file(code("flow = 1", id="a"), markdown("# Pumps", id="b"))
        (repository / name).write_text(file, encoding="utf-8")
    page.goto(lab.page(f"{repository.name}/README.md"))
    command(page, "jupyter-ac:open")
    panel = Panel(page, SIDE)
    panel.wait_for("ready", 90)
    _open_notebooks(page, clean, dirty)
    page.evaluate(
        f"() => {{ ({FRONT})().content.model.cells.get(0).sharedModel"
        ".updateSource(8, 8, '\\nmine = 2') }"
    )
    assert _is_dirty(page, dirty)
    saved = (repository / "dirty.ipynb").read_text(encoding="utf-8")
    panel.tick(*names)
    changes = [
        EditBlock(0, BlockKind.EDIT, "clean.ipynb", ("flow = 1",), ("flow = 5",)),
        EditBlock(1, BlockKind.EDIT, "dirty.ipynb", ("mine = 2",), ("mine = 3", "", "# %%", "new")),
    ]
    panel.ask(f"Change both.\n=====\n{''.join(map(render, changes))}")
    panel.answer()
    cards = [panel.part("edit-card", f'[data-path="{name}"]') for name in names]
    for card in cards:
        expect(card).to_have_attribute("data-status", "applied")
        expect(card).to_contain_text("saving it stages the file")
    page.screenshot(path=pictures / "notebook-edits.png")
    assert _sources(page, clean) == ["flow = 5", "# Pumps"]
    assert _sources(page, dirty) == ["flow = 1\nmine = 3", "new", "# Pumps"]
    outputs = f"path => ({DOCUMENT})(path).model.cells.get(0).outputs.length"
    assert [page.evaluate(outputs, path) for path in (clean, dirty)] == [2, 2]
    assert _is_dirty(page, clean)
    assert (repository / "dirty.ipynb").read_text(encoding="utf-8") == saved

    # One step back takes away all of the second edit, and nothing that the user wrote.
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:undo-cell-action')")
    page.wait_for_function(
        f"path => ({DOCUMENT})(path).model.sharedModel.cells.length === 2", arg=dirty
    )
    assert _sources(page, dirty) == ["flow = 1\nmine = 2", "# Pumps"]
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:redo-cell-action')")
    assert _sources(page, dirty) == ["flow = 1\nmine = 3", "new", "# Pumps"]

    save(page)
    expect(cards[1]).to_contain_text("Saved and staged.")
    assert RepositoryFolder(repository).git("diff", "--cached", "--name-only") == "dirty.ipynb"
    expect(page.locator(".jp-Dialog")).to_have_count(0)

    cards[0].locator('[data-ac="edit-undo"]').click()
    expect(cards[0]).to_have_attribute("data-status", "undone")
    assert _sources(page, clean) == ["flow = 1", "# Pumps"]


def test_the_panel_in_a_notebook_does_the_same_for_a_saved_notebook(
    page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    listed = _Listed(page)
    lab = start_lab(repository.parent)
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    other = write_notebook(repository / "other.ipynb", "1")
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    Panel(page).wait_for("ready", 90)
    assert QUESTION in listed.names
    path = lab.path(f"{repository.name}/other.ipynb")
    _open(page, path, "Notebook")
    wait_for_kernel(page)
    page.wait_for_function(  # what the kernel tells goes into the notebook
        f"({FRONT})().content.model.sharedModel.getMetadata('language_info')?.name === 'python'"
    )
    save(page)
    assert not _is_dirty(page, path)
    saved = json.loads(other.read_text(encoding="utf-8"))
    saved["cells"][0]["source"] = "2"
    other.write_text(json.dumps(saved), encoding="utf-8")
    page.wait_for_function(
        f"({FRONT})().content.model.cells.get(0)?.sharedModel.source === '2'",
        timeout=90 * SECONDS,
    )
    assert not _is_dirty(page, path)
