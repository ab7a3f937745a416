from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jupyter_server.services.contents.filecheckpoints import FileCheckpoints
from jupyter_server.services.contents.fileio import path_to_intermediate, path_to_invalid

from jupyter_ac.git.generated_files import environments, generated_folder, is_of_jupyter
from tests.support.jupyter_files import BESIDE


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("node_modules/x/y.js", "node_modules"),
        ("web/node_modules/x/node_modules/y.js", "web/node_modules"),
        ("dist/a.js", "dist"),
        ("Build/a.o", "Build"),
        ("src/__pycache__/a.pyc", "src/__pycache__"),
        (".venv/bin/python", ".venv"),
        ("my.egg-info/PKG-INFO", "my.egg-info"),
        ("tools/py/lib/a.py", "tools/py"),
        ("build", ""),
        ("src/building/a.py", ""),
        ("distance.py", ""),
    ],
)
def test_folders_that_tools_make_are_known_by_their_names(path: str, folder: str) -> None:
    made = environments(["tools/py/pyvenv.cfg", "pyvenv.cfg", "a.py"])
    assert made == {"tools/py"}
    assert generated_folder(path, made) == folder


PIECES = (
    *(".ipynb_checkpoints", ".virtual_documents", "ipynb_checkpoints", ".ipynb_checkpointsx"),
    *(".jupyter_ystore.db", ".jupyter_ystore.db-shm", ".jupyter_ystore.dbx", ".jupyter"),
    *(".~a.ipynb", ".~", "a.~b", ".~lock.a.ods#", ".~lock.ipynb", "~a", ".~a\nb"),
    *("n.ipynb.invalid", "n.invalid", "n.ipynb", ".ipynb.invalid", "n.ipynb.invalidx", "a", "b\n"),
)


def told_by_parts(path: str) -> bool:
    """Say the same as `is_of_jupyter`, slowly and in other words."""
    *folders, name = path.split("/")
    if {".ipynb_checkpoints", ".virtual_documents"}.intersection(folders):
        return True
    if name.startswith(".~"):
        return len(name) > 2 and not (name.startswith(".~lock.") and name.endswith("#"))
    store = ".jupyter_ystore.db"
    stores = {store, *(f"{store}-{end}" for end in ("wal", "shm", "journal"))}
    return name in stores or name.endswith(".ipynb.invalid")


@pytest.mark.parametrize("path", BESIDE)
def test_what_jupyter_writes_beside_documents_is_known(path: str) -> None:
    assert is_of_jupyter(path)
    assert is_of_jupyter(f"further/up/{path}")


def test_the_names_are_those_of_the_installed_jupyter(tmp_path: Path) -> None:
    checkpoints = FileCheckpoints(root_dir=str(tmp_path))
    for path in ("plot.ipynb", "deep/notes.md"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        checkpoint = Path(checkpoints.checkpoint_path("checkpoint", path))
        assert is_of_jupyter(checkpoint.relative_to(tmp_path).as_posix())
        assert is_of_jupyter(path_to_intermediate(path))
    assert is_of_jupyter(path_to_invalid("deep/plot.ipynb"))


@pytest.mark.parametrize(
    "path",
    [
        "plot.ipynb",
        "Untitled.ipynb",
        "Untitled1.ipynb",
        "plot-checkpoint.ipynb",
        ".ipynb_checkpoints",
        "ipynb_checkpoints/plot.py",
        "my.ipynb_checkpoints/plot.py",
        ".~lock.table.ods#",
        ".~plot/inner.py",
        "plot.py~",
        ".jupyter/lab.json",
        ".jupyter_ystore.db/file",
        "data.invalid",
    ],
)
def test_other_names_are_somebodys_work(path: str) -> None:
    assert not is_of_jupyter(path)


def test_a_folder_is_told_by_the_stroke_at_its_end() -> None:
    assert is_of_jupyter(".ipynb_checkpoints/")
    assert is_of_jupyter("deep/.virtual_documents/n.ipynb/")
    assert not is_of_jupyter(".~plot/")
    assert not is_of_jupyter("deep/")


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text("a.~#/\n", max_size=6)), min_size=1))
def test_any_path_is_told_as_by_its_parts(parts: list[str]) -> None:
    path = "/".join(parts)
    assert is_of_jupyter(path) == told_by_parts(path)
