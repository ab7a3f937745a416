import os
from pathlib import Path

import pytest

from jupyter_ac.browser.executables import find_browser
from jupyter_ac.errors import NotFound


def program(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_the_variable_comes_first(tmp_path: Path) -> None:
    chosen = program(tmp_path / "mine")
    program(tmp_path / "bin/chromium")
    environ = {"CHROMIUM": chosen, "PATH": str(tmp_path / "bin")}
    assert find_browser(environ, "linux") == chosen


@pytest.mark.parametrize("name", ["chromium", "google-chrome", "microsoft-edge"])
def test_programs_are_found_by_name(tmp_path: Path, name: str) -> None:
    found = program(tmp_path / name)
    environ = {"PATH": f"{tmp_path / 'none'}{os.pathsep}{tmp_path}"}
    assert find_browser(environ, "linux") == found


@pytest.mark.parametrize("chosen", ["/nowhere/chromium", "chromium", "/tmp"])
def test_a_variable_that_names_no_program_is_an_error(chosen: str) -> None:
    with pytest.raises(NotFound, match="CHROMIUM"):
        find_browser({"CHROMIUM": chosen, "PATH": os.environ["PATH"]}, "linux")


def test_relative_folders_of_the_path_are_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "chromium")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFound, match="No Chromium"):
        find_browser({"PATH": f".{os.pathsep}{os.pathsep}bin"}, "linux")


def test_applications_of_macos_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    app = "Applications/Chromium.app/Contents/MacOS/Chromium"
    found = program(tmp_path / app)
    assert find_browser({"PATH": "/nowhere"}, "darwin") == found
    with pytest.raises(NotFound):
        find_browser({"PATH": "/nowhere"}, "linux")
