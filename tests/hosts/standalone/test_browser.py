import webbrowser
from pathlib import Path

import pytest

from jupyter_ac.hosts.standalone.browser import PageOpener, has_screen

ADDRESS = "http://127.0.0.1:18080/?token=s3cret&x=1"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, int]]:
    """What the browser was given: the address, the file's content, its mode."""
    given: list[tuple[str, str, int]] = []

    def record(url: str, new: int = 0) -> bool:
        lead = Path(url.removeprefix("file://"))
        given.append((url, lead.read_text(encoding="utf-8"), lead.stat().st_mode & 0o777))
        return new == 2

    monkeypatch.setattr(webbrowser, "open", record)
    return given


def test_the_browser_gets_a_file_of_its_owner_s_without_the_token_in_its_name(
    opened: list[tuple[str, str, int]], tmp_path: Path
) -> None:
    with PageOpener(18080, tmp_path / "runtime") as opener:
        opener.open(ADDRESS).join(30)
        ((url, content, mode),) = opened
    assert "s3cret" not in url
    assert 'href="http://127.0.0.1:18080/?token=s3cret&amp;x=1"' in content
    assert mode == 0o600
    assert list((tmp_path / "runtime").iterdir()) == []


def test_a_file_left_behind_is_replaced(opened: list[tuple[str, str, int]], tmp_path: Path) -> None:
    left = tmp_path / "jupyter-ac-18080.html"
    left.write_text("old", encoding="utf-8")
    left.chmod(0o644)
    with PageOpener(18080, tmp_path) as opener:
        opener.open(ADDRESS).join(30)
    assert opened[0][2] == 0o600
    assert "s3cret" in opened[0][1]


def test_without_a_browser_nothing_happens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(*_args: object, **_options: object) -> bool:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "open", missing)
    with PageOpener(18080, tmp_path) as opener:
        thread = opener.open(ADDRESS)
        thread.join(30)
    assert thread.daemon
    assert not thread.is_alive()


@pytest.mark.parametrize(
    ("environ", "platform", "has"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"BROWSER": "firefox"}, "linux", True),
        ({}, "darwin", True),
    ],
)
def test_a_browser_needs_a_screen(environ: dict[str, str], platform: str, has: bool) -> None:
    assert has_screen(environ, platform) is has
