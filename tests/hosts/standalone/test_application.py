"""Each address leads to its handler."""

import pytest

from jupyter_ac.hosts.standalone.server import Address
from tests.hosts.standalone.conftest import get, talk, upgrade


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/health", 200), ("/static/page.js", 200), ("/rpc", 403), ("/api", 404)],
)
async def test_plain_requests(address: Address, path: str, status: int) -> None:
    assert (await get(address.port, path))[0] == status


@pytest.mark.parametrize(
    ("path", "status"), [("/", 101), ("/rpc", 101), ("/health", 200), ("/socket", 404)]
)
async def test_sockets(address: Address, path: str, status: int) -> None:
    lines = upgrade(f"{path}?token={address.token}", "localhost")
    assert (await talk(address.port, *lines))[0] == status
