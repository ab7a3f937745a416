from pathlib import Path

import pytest

from jupyter_ac.settings.paths import cache_dir, config_dir


def test_the_variables_are_the_strongest(tmp_path: Path) -> None:
    environ = {
        "JUPYTER_AC_CONFIG_DIR": str(tmp_path / "config"),
        "JUPYTER_AC_CACHE_DIR": str(tmp_path / "cache"),
        "XDG_CACHE_HOME": str(tmp_path / "xdg"),
    }
    assert config_dir(environ) == tmp_path / "config"
    assert cache_dir(environ) == tmp_path / "cache"


def test_the_configuration_is_beside_jupyters_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path))
    assert config_dir({}) == tmp_path / "jupyter_ac"
    assert config_dir({"JUPYTER_AC_CONFIG_DIR": "  "}) == tmp_path / "jupyter_ac"


def test_the_cache_is_where_the_platform_keeps_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_dir({}, "linux") == tmp_path / ".cache" / "jupyter_ac"
    assert cache_dir({"XDG_CACHE_HOME": "/x"}, "linux") == Path("/x/jupyter_ac")
    assert cache_dir({}, "darwin") == tmp_path / "Library" / "Caches" / "jupyter_ac"
    assert cache_dir({"LOCALAPPDATA": "/l"}, "win32") == Path("/l/jupyter_ac/Cache")


def test_names_are_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert config_dir({"JUPYTER_AC_CONFIG_DIR": "~/c"}) == tmp_path / "c"
    assert cache_dir({"JUPYTER_AC_CACHE_DIR": "rel"}) == tmp_path / "rel"
