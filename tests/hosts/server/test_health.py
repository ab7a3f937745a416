"""`GET jupyter-ac/health`."""

import json
import os
from collections.abc import Awaitable, Callable

import pytest
from jupyter_server.serverapp import ServerApp
from pytest_jupyter.pytest_tornasync import AsyncHTTPServerClient
from tornado.httpclient import HTTPClientError, HTTPResponse

from jupyter_ac.version import PROTOCOL, __version__


async def test_it_answers_without_a_login(
    http_server_client: AsyncHTTPServerClient, jp_base_url: str
) -> None:
    answer = await http_server_client.fetch(f"{jp_base_url}jupyter-ac/health")
    assert answer.headers["Content-Type"].startswith("application/json")
    assert json.loads(answer.body) == {
        "status": "ok",
        "version": __version__,
        "protocol": PROTOCOL,
        "pid": os.getpid(),
    }


async def test_asking_is_no_activity(
    jp_serverapp: ServerApp, jp_fetch: Callable[..., Awaitable[HTTPResponse]]
) -> None:
    await jp_fetch("jupyter-ac", "health")
    assert "api_last_activity" not in jp_serverapp.web_app.settings


async def test_it_only_answers_get(jp_fetch: Callable[..., Awaitable[HTTPResponse]]) -> None:
    with pytest.raises(HTTPClientError) as caught:
        await jp_fetch("jupyter-ac", "health", method="POST", body="")
    assert caught.value.code == 405
