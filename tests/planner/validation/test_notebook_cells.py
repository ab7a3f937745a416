from jupyter_ac.notebook.cells import Cell, Notebook
from jupyter_ac.planner.validation.notebook_cells import code_cells


def test_magics_are_blank_lines_and_cells_keep_their_numbers() -> None:
    notebook = Notebook(
        "python",
        [
            Cell("markdown", "# Title"),
            Cell("code", "%time x\nif a:\n    !ls\n    b?\nc = 5 % 3"),
            Cell("raw", "%%x"),
            Cell("code", "\n%%bash\nif"),
            Cell("code", ""),
        ],
    )
    assert list(code_cells(notebook)) == [(2, "\nif a:\n\n\nc = 5 % 3\n"), (5, "\n")]


def test_other_languages_have_their_own_magics() -> None:
    notebook = Notebook("rust", [Cell("code", ":dep x\nlet a = 1;")])
    assert [cell.code for cell in code_cells(notebook)] == ["\nlet a = 1;\n"]
