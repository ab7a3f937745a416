"""The front end, built and installed."""

import json
from pathlib import Path

import pytest

from jupyter_ac.hosts.assets import Build, load_build
from jupyter_ac.hosts.cli.checks import frontend
from jupyter_ac.hosts.cli.checks.context import CheckState
from jupyter_ac.version import __version__
from tests.hosts.cli.checks.conftest import Look


def described(version: str, entry: str) -> str:
    return json.dumps({"version": version, "jupyterlab": {"_build": {"load": entry}}})


@pytest.fixture(autouse=True)
def only_here(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave only the test's own folders to look in, and a package that brings build 1."""
    monkeypatch.setattr(frontend, "jupyter_path", lambda *parts: [str(tmp_path.joinpath(*parts))])
    monkeypatch.setattr(frontend, "jupyter_config_path", lambda: [str(config)])
    (tmp_path / "package.json").write_text(described(__version__, "remoteEntry.1.js"))
    monkeypatch.setattr(frontend, "_OURS", tmp_path / "package.json")


def install(tmp_path: Path, text: str) -> None:
    place = tmp_path / "labextensions" / "jupyter-ac"
    place.mkdir(parents=True)
    (place / "package.json").write_text(text)


async def test_package_and_front_end_fit(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    here = await look()
    monkeypatch.setattr(frontend, "load_build", lambda: Build("abc123", "ui.js", __version__))
    fits = await frontend.versions(here)
    assert (fits.state, "abc123" in fits.text) == (CheckState.OK, True)
    monkeypatch.setattr(frontend, "load_build", lambda: Build("abc123", "ui.js", "0.0.1"))
    differs = await frontend.versions(here)
    assert (differs.state, "0.0.1" in differs.text) == (CheckState.FAIL, True)


async def test_a_checkout_that_was_not_built(
    look: Look, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frontend, "load_build", lambda: load_build(tmp_path))
    found = await frontend.versions(await look())
    assert found.state is CheckState.FAIL
    assert "npm run build" in found.remedy


async def test_the_side_panel_is_the_packages_own(look: Look, tmp_path: Path) -> None:
    install(tmp_path, described(__version__, "remoteEntry.1.js"))
    assert (await frontend.labextension(await look())).state is CheckState.OK


@pytest.mark.parametrize(
    "other", [("0.0.1", "remoteEntry.1.js"), (__version__, "remoteEntry.2.js")]
)
async def test_the_side_panel_is_another_build(
    other: tuple[str, str], look: Look, tmp_path: Path
) -> None:
    install(tmp_path, described(*other))
    found = await frontend.labextension(await look())
    assert found.state is CheckState.WARN
    assert "another build" in found.text


async def test_the_side_panel_is_missing_or_damaged(look: Look, tmp_path: Path) -> None:
    here = await look()
    assert "not installed" in (await frontend.labextension(here)).text
    install(tmp_path, "{")
    assert (await frontend.labextension(here)).state is CheckState.WARN


@pytest.mark.parametrize("name", ["jupyter-ac", "jupyter-ac:plugin"])
async def test_the_side_panel_is_switched_off(
    name: str, look: Look, config: Path, tmp_path: Path
) -> None:
    install(tmp_path, described(__version__, "remoteEntry.1.js"))
    place = config / "labconfig" / "page_config.json"
    place.parent.mkdir()
    place.write_text(json.dumps({"disabledExtensions": {"another": True, name: True}}))
    found = await frontend.labextension(await look())
    assert found.text == f"disabled in {place}"
    assert found.remedy
