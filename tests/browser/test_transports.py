import asyncio
import os
from pathlib import Path

import pytest

from jupyter_ac.browser.transports import PipeTransport, open_pipes, open_socket
from jupyter_ac.errors import NotConnected
from tests.browser.fake_cdp import LIMIT_S, PATH, FakeBrowser, over_pipes, over_socket


def open_descriptors() -> set[str]:
    return {path.name for path in Path("/proc/self/fd").iterdir()}


async def send_on_and_on(transport: PipeTransport) -> None:
    while True:
        await transport.send("x" * 100_000)


async def test_pipes_carry_messages_that_end_with_a_zero_byte() -> None:
    near_read, far_write = os.pipe()
    far_read, near_write = os.pipe()
    near = await open_pipes(near_read, near_write)
    try:
        await near.send('{"id": 1}')
        assert os.read(far_read, 100) == b'{"id": 1}\0'
        os.write(far_write, b'{"a": 1}\0{"b"')
        assert await near.receive() == b'{"a": 1}'
        os.write(far_write, b": 2}\0")
        assert await near.receive() == b'{"b": 2}'
    finally:
        await near.aclose()
        os.close(far_read)
        os.close(far_write)


async def test_a_pipe_that_ends_in_the_middle_of_a_message_is_an_end() -> None:
    near_read, far_write = os.pipe()
    far_read, near_write = os.pipe()
    near = await open_pipes(near_read, near_write)
    os.write(far_write, b'{"a": 1')
    os.close(far_write)
    with pytest.raises(NotConnected):
        await near.receive()
    os.close(far_read)
    with pytest.raises(NotConnected):
        await send_on_and_on(near)
    await near.aclose()
    await near.aclose()


async def test_a_closed_pipe_leaves_no_descriptor_behind() -> None:
    before = open_descriptors()
    async with over_pipes(FakeBrowser()) as near:
        await near.send('{"id": 1, "method": "A.b"}')
        assert await near.receive() == b'{"id": 1, "result": {}}'
        await near.aclose()
        with pytest.raises(NotConnected):
            await near.send("{}")
        with pytest.raises(NotConnected):
            await near.receive()
    async with asyncio.timeout(LIMIT_S):
        while open_descriptors() - before:
            await asyncio.sleep(0.01)


async def test_a_browser_that_reads_nothing_holds_back_who_sends() -> None:
    near_read, far_write = os.pipe()
    far_read, near_write = os.pipe()
    near = await open_pipes(near_read, near_write)
    sending = asyncio.create_task(send_on_and_on(near))
    await asyncio.wait([sending], timeout=0.2)
    assert not sending.done()
    sending.cancel()
    async with asyncio.timeout(LIMIT_S):
        await near.aclose()
    os.close(far_read)
    os.close(far_write)


async def test_a_socket_carries_messages_both_ways() -> None:
    async with over_socket(FakeBrowser()) as port:
        transport = await open_socket(f"ws://127.0.0.1:{port}{PATH}")
        await transport.send('{"id": 1, "method": "A.b"}')
        assert await transport.receive() == '{"id": 1, "result": {}}'
        await transport.aclose()
        with pytest.raises(NotConnected):
            await transport.send("{}")
        with pytest.raises(NotConnected):
            await transport.receive()


async def test_nobody_there_is_not_connected() -> None:
    async with over_socket(FakeBrowser()) as port:
        pass
    with pytest.raises(NotConnected, match="No browser answers"):
        await open_socket(f"ws://127.0.0.1:{port}{PATH}")


async def test_a_handshake_that_is_never_answered_ends_in_time() -> None:
    async def hold(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await released.wait()
        writer.close()

    released = asyncio.Event()
    server = await asyncio.start_server(hold, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(NotConnected, match="No browser answers"):
        await open_socket(f"ws://127.0.0.1:{port}{PATH}", timeout_s=0.1)
    released.set()
    server.close()
    await server.wait_closed()


async def test_a_redirect_to_another_program_is_not_followed() -> None:
    browser = FakeBrowser()

    async def redirect(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:{port}{PATH}\r\n"
        writer.write(f"{head}Content-Length: 0\r\n\r\n".encode())
        writer.close()

    async with over_socket(browser) as port:
        server = await asyncio.start_server(redirect, "127.0.0.1", 0)
        async with server:
            own = server.sockets[0].getsockname()[1]
            with pytest.raises(NotConnected, match="No browser answers"):
                await open_socket(f"ws://127.0.0.1:{own}{PATH}", LIMIT_S)
            with pytest.raises(NotConnected):
                await open_socket(f"ws://127.0.0.1:{own}/devtools/browser", LIMIT_S)
