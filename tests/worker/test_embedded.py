import pytest

from jupyter_ac.errors import ConnectionClosed, RemoteError
from jupyter_ac.workers.process import Worker
from tests.support.model_process import BackgroundLoop


def test_two_who_ask_at_once_get_one_server(background: BackgroundLoop) -> None:
    async def ask() -> None:
        worker = Worker("embedded")
        try:
            first = await worker.call("Embedded.serve")
            assert await worker.call("Embedded.serve") == first
            assert isinstance(first, str)
            assert first.startswith("http://127.0.0.1:")
            assert first.endswith("/v1")
        finally:
            await worker.aclose()

    background.run(ask(), limit_s=60)


def test_it_serves_nothing_else(background: BackgroundLoop) -> None:
    async def ask() -> None:
        worker = Worker("embedded")
        try:
            with pytest.raises((RemoteError, ConnectionClosed)):
                await worker.call("Models.complete", 1, {})
        finally:
            await worker.aclose()

    background.run(ask(), limit_s=60)
