"""A Jupyter server's door for plugins."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from jupyter_server.serverapp import ServerApp
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.rpc.methods import Access
from tests.hosts.panels.panel_sockets import page_at, plugin_at
from tests.hosts.server.test_refusals import FOREIGN, Gate, log_in
from tests.support.repositories import RepositoryFolder

__all__ = ["log_in"]


@pytest.fixture
def address(
    http_server_client: AsyncHTTPServerClient, jp_base_url: str, repository: RepositoryFolder
) -> Callable[[str], str]:
    """The address of a socket of the server, without its token."""

    def of(name: str, query: str = "") -> str:
        base = http_server_client.get_url(jp_base_url).replace("http", "ws")
        return f"{base}jupyter-ac/{name}?repo={repository.root.name}{query}"

    return of


async def status(url: str, **headers: str) -> int:
    """The handshake's status."""
    try:
        socket = await websocket_connect(HTTPRequest(url, headers=headers, connect_timeout=30))
    except HTTPClientError as error:
        return error.code
    socket.close()
    return 101


@pytest.mark.parametrize("jp_base_url", ["/user/x/"])
async def test_a_plugin_that_connects_is_shown(
    jp_serverapp: ServerApp, address: Callable[..., str]
) -> None:
    token = f"&token={jp_serverapp.identity_provider.token}"
    async with page_at(address("rpc", token)) as page, plugin_at(address("rpc", token)):
        await page.until(lambda: page.state("connected/counter") == "stopped")
        host = await page.show("connected/counter")
        await page.fire("connected/counter", "onClick")
        await page.until(lambda: host.text() == "1 clicks")


async def test_who_may_come_in(
    jp_serverapp: ServerApp,
    address: Callable[..., str],
    log_in: Callable[[], Awaitable[str]],
) -> None:
    token = f"&token={jp_serverapp.identity_provider.token}"
    assert await status(address("panel", f"{token}&name=a")) == 101
    assert await status(address("panel", "&name=a")) == 403
    assert await status(address("panel", "&token=wrong&name=a")) == 403
    assert await status(address("panel", token)) == 400
    assert await status(address("panel", f"{token}&name=a/b")) == 400
    cookie = await log_in()
    assert await status(address("panel", "&name=a"), Cookie=cookie) == 101
    assert await status(address("panel", "&name=a"), Cookie=cookie, Origin=FOREIGN) == 403


async def test_a_plugin_needs_the_right_to_execute(
    jp_serverapp: ServerApp, address: Callable[..., str]
) -> None:
    jp_serverapp.web_app.settings["authorizer"] = Gate({Access.READ, Access.WRITE}, is_late=False)
    token = f"&token={jp_serverapp.identity_provider.token}"
    socket = await websocket_connect(address("panel", f"{token}&name=a"))
    assert await socket.read_message() is None
    assert socket.close_code == 4401
    socket.close()


async def test_a_plugin_goes_to_a_repository_that_may_be_opened(
    jp_serverapp: ServerApp, address: Callable[..., str], tmp_path: Path
) -> None:
    token = f"&token={jp_serverapp.identity_provider.token}"
    url = address("panel", f"{token}&name=a").replace("repo=garden", f"repo={tmp_path}")
    socket = await websocket_connect(url)
    assert await socket.read_message() is None
    assert socket.close_code == 4403
    socket.close()
