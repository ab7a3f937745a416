"""A panel in a file of its own."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, NotFound, NotReady
from jupyter_ac.hosts.panels.panel_file import MODULE, PanelFile

HEAD = "from jupyter_ac.panels import Plugin, component, html\n"
APP = HEAD + "@component\ndef App():\n    return html.p('app')\n"


@pytest.fixture(autouse=True)
def own_modules() -> Iterator[None]:
    """Take out the modules and the folders that a test has loaded."""
    modules, folders = set(sys.modules), list(sys.path)
    yield
    for name in set(sys.modules) - modules:
        del sys.modules[name]
    sys.path[:] = folders


def panel(folder: Path, code: str) -> PanelFile:
    (folder / "panel.py").write_text(code)
    return PanelFile(folder / "panel.py")


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (APP, "panel"),
        (APP + "other = Plugin(App, name='only')\nagain = other\n", "only"),
        (APP + "one = Plugin(App, name='one')\nplugin = Plugin(App, name='this')\n", "this"),
    ],
)
def test_the_panel_is_found(tmp_path: Path, code: str, name: str) -> None:
    assert panel(tmp_path, code).load().name == name
    assert not list(tmp_path.glob("__pycache__/panel*"))


@pytest.mark.parametrize(
    ("code", "kind", "reason"),
    [
        ("", NotFound, "panel.py has no panel"),
        (HEAD + "App = 3\n", NotFound, "panel.py has no panel"),
        (APP + "a = Plugin(App)\nb = Plugin(App)\n", InvalidParams, "has 2 panels"),
    ],
)
def test_a_file_without_one_panel_is_refused(
    tmp_path: Path, code: str, kind: type[Exception], reason: str
) -> None:
    with pytest.raises(kind, match=reason):
        panel(tmp_path, code).load()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"no file panel.py"):
        PanelFile(tmp_path / "panel.py").load()


def test_it_is_loaded_anew_also_within_the_same_second(tmp_path: Path) -> None:
    file = panel(tmp_path, APP + "plugin = Plugin(App, title='1')\n")
    first = file.load()
    panel(tmp_path, APP + "plugin = Plugin(App, title='2')\n")
    second = file.load()
    assert (first.title, second.title) == ("1", "2")
    assert sys.modules[MODULE].__file__ == str(file.path)


def test_modules_beside_it_are_loaded_anew_too(tmp_path: Path) -> None:
    (tmp_path / "words_beside.py").write_text("TITLE = 'one'\n")
    code = APP + "from words_beside import TITLE\nplugin = Plugin(App, title=TITLE)\n"
    file = panel(tmp_path, code)
    assert file.load().title == "one"
    beside = tmp_path / "words_beside.py"
    assert file.files() == {str(file.path), str(beside)}
    beside.write_text("TITLE = 'two and longer'\n")
    assert file.load().title == "two and longer"


def test_errors_name_file_and_line(tmp_path: Path) -> None:
    file = panel(tmp_path, APP + "\nraise ValueError('no')\n")
    with pytest.raises(ValueError, match="no") as caught:
        file.load()
    report = file.report(caught.value)
    assert report["message"] == "panel.py: ValueError: no"
    assert report["stack"].splitlines()[0].startswith("  panel.py:6, in <module>")
    file = panel(tmp_path, "def broken(:\n")
    with pytest.raises(SyntaxError) as syntax:
        file.load()
    assert "panel.py, line 1" in file.report(syntax.value)["message"]


def test_a_file_may_display_its_panel_as_in_a_notebook(tmp_path: Path) -> None:
    found = panel(tmp_path, APP + "plugin = Plugin(App, name='shown')\nplugin.display()\n").load()
    assert found.name == "shown"
    with pytest.raises(NotReady):
        found.display()
