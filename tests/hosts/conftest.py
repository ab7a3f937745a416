"""A Jupyter server with the extension, a model behind it, and pages that connect."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from pytest_jupyter.jupyter_server import jp_server_cleanup
from traitlets.config import Config

from jupyter_ac.models.choice import PROVIDER_KEYS
from tests.support.model_process import RunningModelServer, model_server
from tests.support.pages import EVENTS, Page
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.worker_fork_server import forked_workers, forked_workers_of_module

__all__ = ["forked_workers", "forked_workers_of_module", "jp_server_cleanup", "model_server"]

OpenPage = Callable[..., Awaitable[Page]]


@pytest.fixture
def jp_server_config() -> Config:
    return Config({"ServerApp": {"jpserver_extensions": {"jupyter_ac": True}}})


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no model to choose, whatever this machine has."""
    for name in (*PROVIDER_KEYS, "JUPYTER_AC_MODEL", "JUPYTER_AC_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("jupyter_ac.models.embedded.available", lambda: False)


@pytest.fixture
def scripted(
    model_server: RunningModelServer, monkeypatch: pytest.MonkeyPatch
) -> RunningModelServer:
    """Make the scripted model the chosen one."""
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted")
    monkeypatch.setenv("JUPYTER_AC_API_BASE", model_server.openai)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-scripted-0123456789")
    return model_server


@pytest.fixture
def repository(jp_root_dir: Path) -> RepositoryFolder:
    """A small repository in the server's root."""
    return make_repository(
        jp_root_dir / "garden", {"a.py": "print(1)\n", "b.py": "print(2)\n", "docs/c.md": "# C\n"}
    )


@pytest.fixture
def connect(
    repository: RepositoryFolder,
    jp_ws_fetch: Callable[..., Awaitable[object]],
    jp_asyncio_loop: asyncio.AbstractEventLoop,
) -> Iterator[OpenPage]:
    """Open a page on the repository, or as the parameters of the URL say; all are closed later."""
    pages: list[Page] = []

    async def open_page(
        headers: dict[str, str] | None = None, events: tuple[str, ...] = EVENTS, **params: str
    ) -> Page:
        params.setdefault("repo", repository.root.name)
        async with asyncio.timeout(30):
            socket = await jp_ws_fetch("jupyter-ac", "rpc", params=params, headers=headers)
        page = Page(socket, events)  # type: ignore[arg-type]  # the fixture has no types
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        jp_asyncio_loop.run_until_complete(page.leave())
