import nbformat

from jupyter_ac.notebook.document import TextCell, text_notebook


def test_it_is_a_valid_notebook_that_runs_nothing() -> None:
    cells = [
        TextCell("# One\n\nText"),
        TextCell("", ("user",)),
        TextCell("![x](attachment:a.png)", attachments={"a.png": {"image/png": "AAAA"}}),
    ]
    notebook = nbformat.reads(text_notebook(cells, {"session_id": "s"}), as_version=4)
    nbformat.validate(notebook)
    assert [cell.source for cell in notebook.cells] == [cell.text for cell in cells]
    assert {cell.cell_type for cell in notebook.cells} == {"markdown"}
    assert notebook.cells[1].metadata.tags == ["user"]
    assert notebook.metadata.jupyter_ac.session_id == "s"
