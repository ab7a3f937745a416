import pytest

from jupyter_ac.git.generated_files import environments, generated_folder


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
