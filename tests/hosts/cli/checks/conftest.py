"""CheckContext of a person who has set everything up, each test breaks what it is about."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from jupyter_ac.hosts.assembly import HostOptions
from jupyter_ac.hosts.cli.checks.context import CheckContext, look_around
from tests.support.repositories import RepositoryFolder, make_repository

Look = Callable[..., Awaitable[CheckContext]]


@pytest.fixture
def garden(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "garden", {"a.py": "print(1)\n"})


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Jupyter's configuration directory, the only one; ours is `jupyter_ac` in it."""
    folder = tmp_path / "config"
    (folder / "jupyter_ac").mkdir(parents=True)
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(folder))
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    return folder


@pytest.fixture
def look(garden: RepositoryFolder, config: Path, tmp_path: Path) -> Look:
    """Look around with these variables and nothing else in the environment."""

    async def look_here(
        folder: Path | None = None, model: str | None = None, **environ: str
    ) -> CheckContext:
        environ = {
            "JUPYTER_AC_CONFIG_DIR": str(config / "jupyter_ac"),
            "JUPYTER_AC_CACHE_DIR": str(tmp_path / "cache"),
            **environ,
        }
        return await look_around(environ, folder or garden.root, HostOptions(model))

    return look_here
