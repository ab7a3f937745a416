"""The `fetch` worker over its pipes."""

from dataclasses import asdict
from pathlib import Path

import pytest

from jupyter_ac.errors import ConnectionClosed, RemoteError
from jupyter_ac.web.fetch_request import FetchRequest
from jupyter_ac.workers.process import Worker
from tests.web.hostile_server import hostile_server, ok


async def test_a_page() -> None:
    with hostile_server() as server:
        worker = Worker("fetch")
        counts: list[object] = []
        server.answers["/large"] = ok("x" * 300_000, "text/plain")
        request = FetchRequest(server.url("/large"), "", let_through=(server.place,))
        try:
            answer = await worker.run(
                "Fetch.fetch", asdict(request), on_event=counts.append, timeout_s=60
            )
        finally:
            await worker.aclose()
    assert isinstance(answer, dict)
    assert (answer["content"], answer["final_url"]) == ("x" * 300_000, server.url("/large"))
    assert counts


async def test_a_refusal_has_its_sentence() -> None:
    worker = Worker("fetch")
    try:
        with pytest.raises(RemoteError, match="private network"):
            await worker.run(
                "Fetch.fetch",
                asdict(FetchRequest("http://127.0.0.1/", "")),
                on_event=lambda _: None,
                timeout_s=60,
            )
    finally:
        await worker.aclose()


async def test_a_parser_that_takes_all_memory_ends_the_process_alone(tmp_path: Path) -> None:
    deep = "<div>" * 1_000_000
    with hostile_server() as server:
        server.answers["/deep"] = ok(deep)
        worker = Worker("fetch")
        request = FetchRequest(server.url("/deep"), str(tmp_path), let_through=(server.place,))
        try:
            with pytest.raises((RemoteError, ConnectionClosed)):
                await worker.run(
                    "Fetch.fetch", asdict(request), on_event=lambda _: None, timeout_s=60
                )
        finally:
            await worker.aclose()
