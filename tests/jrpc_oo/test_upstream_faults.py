"""Faults of upstream's Python API, each shown to be absent from ours.

The numbers are those of the list in `docs/decisions/0002-rpc-core.md`. What the peer alone shows is
in `tests/rpc/test_upstream_faults.py`; some have their test beside the module that they concern: 1
and 14 (`test_server`, `test_socket`), 12 and 16 (`test_remotes`).
"""

import asyncio
import logging
import subprocess
import sys
import threading

import pytest

from jupyter_ac.errors import AccessDenied, ConnectionClosed, RemoteError
from jupyter_ac.jrpc_oo import JRPCClient, JRPCServer
from tests.jrpc_oo.objects import WAIT_S, Page, Probe, client_of, connected, only, serving, until


async def test_fault_3_no_failure_looks_like_a_value() -> None:
    class Fails:
        async def silently(self) -> None:
            raise ValueError

        def plainly(self) -> None:
            raise KeyError

    async with serving(Fails()) as server:
        client = client_of(server)
        async with connected(client):
            for name in ("silently", "plainly"):
                for functions in (client.server, client.call):
                    with pytest.raises(RemoteError, match="Error"):
                        await functions[f"Fails.{name}"]()


async def test_fault_6_more_than_a_mebibyte_passes() -> None:
    async with serving(Probe()) as server:
        client = client_of(server)
        async with connected(client):
            text = "x" * (1 << 21)
            assert await client.server["Probe.echo"](text) == text


async def test_fault_7_plain_methods_hold_up_neither_each_other_nor_the_loop() -> None:
    together = threading.Barrier(5)

    class Slow:
        def work(self) -> int:
            # Passed only when five are running at once.
            return together.wait(WAIT_S) >= 0

    async with serving(Slow(), Probe()) as server:
        client = client_of(server)
        async with connected(client):
            calls = [asyncio.create_task(client.server["Slow.work"]()) for _ in range(4)]
            await until(lambda: together.n_waiting == 4)
            assert await client.server["Probe.slow_add"](1, 2) == 3
            assert await client.server["Slow.work"]() is True
            assert await asyncio.gather(*calls) == [True] * 4


async def test_fault_8_calls_leave_no_task_behind() -> None:
    async with serving(Probe()) as server:
        client = client_of(server, Page())
        async with connected(client):
            await client.server["Probe.add"](1, 2)
            await server.call["Page.event"](1)
            before = len(asyncio.all_tasks())
            for _ in range(100):
                await client.server["Probe.add"](1, 2)
                await server.call["Page.event"](1)
            await until(lambda: len(asyncio.all_tasks()) <= before)
            (end,) = server.remotes.values()
            assert len(end.peer._pending) == 0


async def test_fault_10_a_broadcast_to_nobody_is_no_error_and_errors_are_no_values() -> None:
    async with serving() as server:
        assert await server.call["AcApp.streamChunk"]("r", "text") == {}
        good, bad = client_of(server, Page()), client_of(server, Page())
        async with connected(good), connected(bad):
            uuids = list(server.remotes)
            answers = await server.call["Page.event"](1)
            assert answers == dict.fromkeys(uuids, True)
            with pytest.raises(RemoteError, match="the page is broken"):
                await server.call["Page.fails"]()


async def test_fault_10_open_calls_end_with_their_connection() -> None:
    page = Page()
    async with serving() as server:
        client = client_of(server, page)
        async with connected(client):
            calling = asyncio.create_task(server.call["Page.never"]())
            await until(lambda: page.seen)
            await client.disconnect()
            async with asyncio.timeout(WAIT_S):
                with pytest.raises(ConnectionClosed):
                    await calling


@pytest.mark.parametrize("code", [1000, 1001, 1011])
async def test_fault_11_after_any_close_the_client_knows_and_is_told(code: int) -> None:
    class Recording(JRPCClient):
        gone = ""

        def remote_disconnected(self, uuid: str) -> None:
            self.gone = uuid

    async with serving(Probe()) as server:
        client = Recording(f"ws://127.0.0.1:{server.port}")
        connection = asyncio.create_task(client.connect())
        await until(lambda: client.connected and server.remotes)
        (uuid,) = client.remotes
        (end,) = server.remotes.values()
        await end.peer.close(code)
        async with asyncio.timeout(WAIT_S):
            await asyncio.wait([connection])
        assert (connection.exception() is None) == (code in {1000, 1001})
        assert (client.connected, client.gone) == (False, uuid)
        assert list(client.call) == []
        with pytest.raises(ConnectionClosed):
            await client.server["Probe.add"](1, 2)


async def test_fault_11_a_refusal_is_raised() -> None:
    async with serving(token="secret") as server:
        with pytest.raises(AccessDenied, match="refuses"):
            await client_of(server).connect()


async def test_fault_13_nothing_is_printed(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with serving(Probe()) as server:
            client = client_of(server)
            async with connected(client):
                with pytest.raises(RemoteError):
                    await client.server["Probe.fails"]()
        with pytest.raises(ConnectionClosed):
            await client.connect()
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")
    assert "Probe.fails failed" in caplog.text
    assert "listening on 127.0.0.1" in caplog.text


def test_fault_15_servers_and_clients_are_made_without_a_loop_and_import_little() -> None:
    JRPCServer(0).add_class(Probe())
    JRPCClient("ws://127.0.0.1:1").add_class(Probe())
    heavy = {"websockets", "litellm", "jupyter_server", "IPython", "anywidget"}
    program = f"import sys, jupyter_ac.jrpc_oo; print({heavy} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "set()\n"


async def test_fault_16_a_server_may_call_as_soon_as_it_hears_of_a_remote() -> None:
    class Eager(JRPCServer):
        answer: object = None

        async def remote_is_up(self) -> None:
            self.answer = only(await self.call["Page.event"]("first"))

    server = Eager(0)
    await server.start()
    async with connected(client_of(server, Page())):
        await until(lambda: server.answer)
        assert server.answer is True
    await server.stop()
