"""Notebooks of published packages: one cell is edited, and all else keeps its bytes."""

import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from jupyter_ac.errors import Unsupported
from jupyter_ac.notebook.cells import Cell, read_notebook
from jupyter_ac.notebook.editing import edited_notebook
from jupyter_ac.notebook.json_layout import layout_of
from jupyter_ac.notebook.percent import percent_text, read_cells, write_cells

FEW = ("nbclient==0.10.2", "nbformat==5.10.4", "papermill==2.6.0")
MANY = (
    *(*FEW, "jupytext==1.17.2", "nbconvert==7.16.6", "ipywidgets==8.1.7", "nbval==0.11.0"),
    *("holoviews==1.20.2", "hvplot==0.12.2", "nbdime==4.0.2", "nbsphinx==0.9.7"),
)
_REFUSED = ("no valid notebook", "version 3", "version 2, is unknown", "not a notebook")
_EDITED_CELLS = 5


def notebooks(folder: Path, packages: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Download the sources of packages, and yield names and texts of the notebooks in them."""
    options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--dest", str(folder))
    for package in packages:
        from_source = ("--no-binary", package.partition("==")[0])
        command = (sys.executable, "-m", "pip", "download", *options, *from_source, package)
        subprocess.run(command, check=True, timeout=200)
    for archive in sorted(folder.glob("*.tar.gz")):
        with tarfile.open(archive) as files:
            for member in files:
                if member.name.endswith(".ipynb") and (file := files.extractfile(member)):
                    yield member.name, file.read().decode()


def require_exact(file: str) -> None:
    """Edit some cells, one at a time; all bytes outside of each must stay."""
    text, language = percent_text(file), read_notebook(file).language
    assert edited_notebook(file, text, text) == file
    cells, spans = read_cells(text, language), layout_of(file).cells
    for at, cell in enumerate(cells[:_EDITED_CELLS]):
        new = Cell(cell.kind, f"{cell.source}\nedited = 'é'", cell.metadata, cell.cell_id)
        after = write_cells([*cells[:at], new, *cells[at + 1 :]], language)
        result = edited_notebook(file, text, after)
        end = len(file) - spans[at].stop
        assert result[: spans[at].start] == file[: spans[at].start]
        assert result[len(result) - end :] == file[spans[at].stop :]
        assert percent_text(result) == after


def tried(folder: Path, packages: Sequence[str]) -> int:
    """Edit all notebooks of packages; return how many there were that may be edited."""
    count, refused = 0, dict[str, str]()
    for name, file in notebooks(folder, packages):
        try:
            require_exact(file)
            count += 1
        except Unsupported as error:
            refused[name] = error.message
    assert [each for each in refused.items() if not any(word in each[1] for word in _REFUSED)] == []
    return count


@pytest.mark.programs
@pytest.mark.soak
def test_some_notebooks(tmp_path: Path) -> None:
    assert tried(tmp_path, FEW) >= 40


@pytest.mark.soak
def test_many_notebooks(tmp_path: Path) -> None:
    assert tried(tmp_path, MANY) >= 300
