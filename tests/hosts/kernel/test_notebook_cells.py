"""Which cell of the notebook each run was of."""

from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel import notebook_cells
from jupyter_ac.hosts.kernel.notebook_cells import NotebookCells


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


@pytest.fixture
def cells(shell: InteractiveShell) -> NotebookCells:
    noted = NotebookCells(shell)
    noted.register()
    return noted


def test_each_counted_run_has_the_id_of_its_cell(
    shell: InteractiveShell, cells: NotebookCells
) -> None:
    shell.run_cell("1", store_history=True, cell_id="a")
    shell.run_cell("1", store_history=False, cell_id="b")
    shell.run_cell("1 / 0", store_history=True, cell_id="c")
    shell.run_cell("2", store_history=True)
    ids = [cells.id_of(number) for number in (None, 1, 2, 3, 4)]
    assert ids == [None, "a", "c", None, None]


def test_the_oldest_are_forgotten(
    shell: InteractiveShell, cells: NotebookCells, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook_cells, "MOST_RUNS", 2)
    for name in "abc":
        shell.run_cell("1", store_history=True, cell_id=name)
    assert [cells.id_of(number) for number in (1, 2, 3)] == [None, "b", "c"]


def test_a_page_draws_below_the_run_that_it_has_announced_and_no_other(
    shell: InteractiveShell, cells: NotebookCells
) -> None:
    drawn: list[bool] = []
    shell.user_ns["note"] = lambda: drawn.append(cells.is_drawn())
    cells.note_drawn("a")
    for name in ("b", "a", "a", None):
        shell.run_cell("note()", cell_id=name)
    assert drawn == [False, True, False, False]


def test_nothing_is_noted_after_its_end(shell: InteractiveShell, cells: NotebookCells) -> None:
    cells.unregister()
    cells.unregister()
    shell.run_cell("1", store_history=True, cell_id="a")
    assert cells.id_of(1) is None
