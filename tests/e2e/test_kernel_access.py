"""The kernel of the active notebook for panels on the page, with a cell that runs or not."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import WITHOUT_SUBSHELLS, Lab
from tests.e2e.notebook import open_notebook, run_cell, wait_for_kernel, write_notebook

pytestmark = pytest.mark.e2e

ACCESS = "globalThis[Symbol.for('jupyter-ac.kernel')]"
SLEEP = "import time; time.sleep(300)"


class KernelOfPage:
    """Calls what the extension provides to panels."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def wait_for(self, state: str) -> None:
        self._page.wait_for_function(
            f"async state => (await {ACCESS}.state()).state === state", arg=state, timeout=90_000
        )

    def names(self) -> list[str]:
        """The variables, asked for until the kernel answers: the machine may be busy as well."""
        self._page.wait_for_function(
            f"""async () => {{
                window.listed = await {ACCESS}.listVariables().catch(() => null);
                return window.listed !== null;
            }}""",
            timeout=90_000,
        )
        found: list[str] = self._page.evaluate(
            "() => window.listed.variables.map(({ name }) => name)"
        )
        return found

    def load(self) -> None:
        self._page.evaluate(f"() => {ACCESS}.loadExtension()")
        self.wait_for("ready")

    def text_of(self, call: str) -> str:
        """The message of a call's rejection."""
        found: str = self._page.evaluate(
            f"() => {ACCESS}.{call}.then(() => '', (error) => error.message)"
        )
        return found


def expect_count(page: Page, number: int) -> None:
    prompt = page.locator(".jp-InputPrompt").filter(has_text=f"[{number}]:")
    expect(prompt).to_have_count(1, timeout=90_000)


def begin(page: Page, number: int) -> None:
    run_cell(page, number)
    expect(page.locator(".jp-InputPrompt").filter(has_text="[*]:")).to_have_count(1)


def test_variables_are_read_while_a_cell_runs(
    page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    write_notebook(repository / "data.ipynb", "apples = [1, 2]", SLEEP)
    lab = start_lab(repository.parent)
    open_notebook(page, lab, f"{repository.name}/data.ipynb")
    kernel = KernelOfPage(page)
    kernel.wait_for("not-loaded")
    assert "load it" in kernel.text_of("listVariables()")
    kernel.load()
    run_cell(page, 0)
    expect_count(page, 1)  # the magic is no input of the user's
    assert kernel.names() == ["apples"]
    begin(page, 1)
    assert kernel.names() == ["apples", "time"]
    represented = f"async () => (await {ACCESS}.describeVariable('apples', true)).repr.text"
    assert page.evaluate(represented) == "[1, 2]"
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    wait_for_kernel(page)
    kernel.wait_for("not-loaded")


@pytest.mark.soak  # `test_context_chips.py` has what a person sees of it
def test_without_subshells_a_busy_kernel_is_said_so(
    page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    write_notebook(repository / "data.ipynb", "%load_ext jupyter_ac", SLEEP)
    lab = start_lab(repository.parent, settings=WITHOUT_SUBSHELLS)
    open_notebook(page, lab, f"{repository.name}/data.ipynb")
    kernel = KernelOfPage(page)
    run_cell(page, 0)
    expect_count(page, 1)
    kernel.wait_for("ready")
    begin(page, 1)
    assert "The kernel is busy" in kernel.text_of("listVariables()")
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:interrupt-kernel')")
    assert kernel.names() == ["time"]


@pytest.mark.soak
def test_variables_in_notebook_7(
    page: Page, start_lab: Callable[..., Lab], repository: Path
) -> None:
    write_notebook(repository / "data.ipynb", "apples = [1, 2]")
    lab = start_lab(repository.parent, app="notebook")
    open_notebook(page, lab, f"{repository.name}/data.ipynb")
    kernel = KernelOfPage(page)
    kernel.wait_for("not-loaded")
    kernel.load()
    run_cell(page, 0)
    expect_count(page, 1)
    assert kernel.names() == ["apples"]
