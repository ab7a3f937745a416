"""The stand-alone server's door for plugins."""

import asyncio

import pytest

from jupyter_ac.errors import AccessDenied, RemoteError
from jupyter_ac.hosts.panels.plugin_socket import open_socket
from jupyter_ac.hosts.standalone.server import Address
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.peer import Peer
from tests.hosts.panels.panel_sockets import page_at, plugin_at
from tests.hosts.standalone.conftest import Serve, talk, upgrade

DOOR = "/jupyter-ac/panel"


async def handshake(address: Address, query: str, *headers: str) -> tuple[int, str]:
    lines = upgrade(f"{DOOR}?{query}", "localhost", *headers)
    status, _, body = await talk(address.port, *lines)
    return status, body


async def test_who_may_come_in(address: Address) -> None:
    token = f"token={address.token}"
    for status, query, headers in (
        (101, f"{token}&name=a", ()),
        (101, "name=a%20b&title=x&protocol=kkrpc", (f"Authorization: token {address.token}",)),
        (101, f"{token}&name=a", ("Origin: http://localhost:3000",)),
        (403, "name=a", ()),
        (403, "token=wrong&name=a", ()),
        (403, f"{token}&name=a", ("Origin: https://evil.example",)),
        (400, token, ()),
        (400, f"{token}&name=%2Fetc", ()),
        (400, f"{token}&name={'x' * 65}", ()),
        (400, f"{token}&name=a&title={'x' * 101}", ()),
        (400, f"{token}&name=a&protocol=grpc", ()),
    ):
        assert (await handshake(address, query, *headers))[0] == status, (query, headers)
    foreign = upgrade(f"{DOOR}?{token}&name=a", "evil.example")
    assert (await talk(address.port, *foreign))[0] == 403
    plain = [f"GET {DOOR}?{token}&name=a HTTP/1.1", "Host: localhost"]
    assert (await talk(address.port, *plain))[0] == 426


async def test_a_server_without_a_token_has_no_such_door(serve: Serve) -> None:
    address = await serve(asks_token=False)
    status, body = await handshake(address, "name=a")
    assert status == 403
    assert "asks for no token" in body


async def test_a_panel_comes_goes_and_comes_back(address: Address) -> None:
    url = address.socket
    async with page_at(url) as page:
        async with plugin_at(url, title="The counter"):
            await page.until(lambda: page.state("connected/counter") == "stopped")
            host = await page.show("connected/counter")
            await page.until(lambda: page.state("connected/counter") == "running")
            row = next(row for row in page.rows if row["id"] == "connected/counter")
            assert (row["title"], row["origin"], row["calls"]) == ("The counter", "connected", [])
            await page.fire("connected/counter", "onClick")
            await page.until(lambda: host.text() == "1 clicks")
        await page.until(lambda: page.state("connected/counter") == "failed")
        assert "is not connected any more" in host.errors[-1]
        with pytest.raises(RemoteError, match="restart it"):
            await page.call("executeHandler", "connected/counter", "a:onClick", [])
        async with plugin_at(url):
            await page.until(lambda: host.text() == "0 clicks")
            await page.until(lambda: page.state("connected/counter") == "running")
            await page.fire("connected/counter", "onClick")
            await page.until(lambda: host.text() == "1 clicks")
            await page.call("restart", "connected/counter")
            await page.until(lambda: host.text() == "0 clicks")
            await page.call("destroy", "connected/counter")


async def test_one_that_nobody_shows_is_not_listed_after_its_end(address: Address) -> None:
    async with page_at(address.socket) as page:
        async with plugin_at(address.socket):
            await page.until(lambda: page.state("connected/counter") == "stopped")
        await page.until(lambda: page.state("connected/counter") is None)


async def test_a_later_one_of_the_same_name_takes_the_place(address: Address) -> None:
    url = address.socket
    async with page_at(url) as page, plugin_at(url):
        host = await page.show("connected/counter", props={"start": 3})
        async with plugin_at(url):
            await page.until(lambda: host.names().count("updateTree") > 1)
            await page.fire("connected/counter", "onClick")
            await page.until(lambda: host.text() == "4 clicks")


async def test_it_may_call_nothing_of_the_server(address: Address) -> None:
    door = f"ws://127.0.0.1:{address.port}{DOOR}?token={address.token}&name=spy"
    async with open_socket(door) as transport:
        peer = Peer(transport, {}, profile=JSONRPC2)
        running = asyncio.create_task(peer.run())
        await peer.call("describe", {"name": "spy", "calls": ["Repo.get_file_tree"]})
        for name in ("Repo.get_file_tree", "Panels.list", "system.listComponents"):
            with pytest.raises(RemoteError, match=f"{name} can't be called") as refused:
                await peer.call(name)
            assert refused.value.remote_type == "access_denied"
        await peer.close()
        await running


async def test_another_repository_is_refused(address: Address) -> None:
    door = f"ws://127.0.0.1:{address.port}{DOOR}?token={address.token}&name=a&repo=/etc"
    async with open_socket(door) as transport:
        with pytest.raises(Exception, match="serves the repository") as refused:
            await transport.receive()
    assert getattr(refused.value, "close_code", 0) == 4403


async def test_a_message_that_is_too_long_ends_the_connection(address: Address) -> None:
    door = f"ws://127.0.0.1:{address.port}{DOOR}?token={address.token}&name=a"
    async with open_socket(door) as transport:
        transport.send('"' + "x" * (2 << 20) + '"')
        with pytest.raises(Exception, match="at most 2 MiB") as refused:
            await transport.receive()
    assert getattr(refused.value, "close_code", 0) == 1009


async def test_the_refusal_is_a_sentence_for_the_command_line(address: Address) -> None:
    with pytest.raises(AccessDenied, match="HTTP status 403"):
        async with open_socket(f"ws://127.0.0.1:{address.port}{DOOR}?name=a"):
            pass
