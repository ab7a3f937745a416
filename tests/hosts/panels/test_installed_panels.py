"""Panels of installed packages."""

import sys
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.hosts.panels.installed_panels import (
    InstalledPanel,
    installed_panels,
    is_panel_name,
    load_installed,
)

CODE = """
from jupyter_ac.panels import Plugin, component, html

@component
def Shown():
    return html.p("shown")

plugin = Plugin(Shown, name="other-name", calls=["Repo.get_file_tree"])
number = 3
"""


def install(folder: Path, distribution: str, points: dict[str, str]) -> None:
    """Lay out a package as an installer would."""
    info = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[jupyter_ac.panels]", *lines]))


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages: one with panels, and one that pretends to be another's."""
    (tmp_path / "panels_of_test.py").write_text(CODE)
    points = {
        "shown-panel": "panels_of_test:plugin",
        "component-panel": "panels_of_test:Shown",
        "number-panel": "panels_of_test:number",
        "Bad Name": "panels_of_test:plugin",
        "missing": "no_such_module:plugin",
    }
    install(tmp_path, "panels-of-test", points)
    install(tmp_path, "z-second", {"shown-panel": "no_such_module:plugin"})
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "panels_of_test", raising=False)
    return tmp_path


def test_they_are_listed_without_being_imported(packages: Path) -> None:
    del packages
    found = {panel.name: panel for panel in installed_panels()}
    assert found["shown-panel"] == InstalledPanel("shown-panel", is_own=False)
    assert {"component-panel", "missing"} <= found.keys()
    assert "Bad Name" not in found
    assert "panels_of_test" not in sys.modules


def test_those_of_this_package_are_its_own(packages: Path) -> None:
    install(packages / "own", "Jupyter_AC", {"shown-panel": "panels_of_test:Shown"})
    sys.path.insert(0, str(packages / "own"))
    try:
        found = {panel.name: panel for panel in installed_panels()}
    finally:
        sys.path.remove(str(packages / "own"))
    assert found["shown-panel"].is_own
    assert not found["component-panel"].is_own


def test_a_plugin_or_a_component_is_loaded(packages: Path) -> None:
    del packages
    plugin = load_installed("shown-panel")
    assert plugin.name == "other-name"
    assert plugin.calls == {"Repo.get_file_tree"}
    assert load_installed("component-panel").name == "component-panel"
    with pytest.raises(InvalidParams, match="'number-panel' must be a Plugin or a component"):
        load_installed("number-panel")
    with pytest.raises(NotFound, match="No installed package has a panel 'nothing'"):
        load_installed("nothing")


@pytest.mark.parametrize("name", ["", "A", "a b", "-a", "a--b", "a" * 65, "a/b", "../x"])
def test_names_are_lower_case_words(name: str) -> None:
    assert not is_panel_name(name)
    assert is_panel_name("a-1b")
