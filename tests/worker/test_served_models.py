import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from jupyter_ac.errors import ProviderAuth, ProviderBadRequest, ProviderUnavailable
from jupyter_ac.models.client import ModelsClient
from jupyter_ac.worker.served_models import MAX_NAMES, served_models
from jupyter_ac.workers.wire import ServedModelsRequest
from tests.support.model_process import BackgroundLoop, RunningModelServer

NAMES = {"data": [{"id": "one"}, {"id": "one"}, {"id": 7}, {"id": "a b"}, {"id": "x" * 201}, 3]}


class Seen(BaseHTTPRequestHandler):
    answers: dict[str, tuple[int, bytes]]
    asked: list[tuple[str, str | None]]

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers.get("Authorization")))
        status, data = self.answers.get(self.path, (404, b"{}"))
        self.send_response(status)
        if status == 302:
            self.send_header("Location", data.decode())
            data = b""
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_request(self, *_: object) -> None:
        pass


@contextmanager
def served(
    answers: dict[str, tuple[int, bytes]],
) -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    asked: list[tuple[str, str | None]] = []
    handler = type("Handler", (Seen,), {"answers": answers, "asked": asked})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def ok(value: object) -> tuple[int, bytes]:
    return 200, json.dumps(value).encode()


async def test_openais_list_is_found_where_the_version_was_left_out() -> None:
    with served({"/v1/models": ok(NAMES)}) as (address, asked):
        found = await served_models(ServedModelsRequest("hosted_vllm", address, "sk-own"))
    assert (found.api_base, found.names) == (f"{address}/v1", ("one",))
    assert asked == [("/v1/models", "Bearer sk-own")]


async def test_a_list_without_a_version_in_its_path_is_found_too() -> None:
    with served({"/models": ok(NAMES)}) as (address, asked):
        found = await served_models(ServedModelsRequest("hosted_vllm", address))
    assert (found.api_base, found.names) == (address, ("one",))
    assert asked == [("/v1/models", None), ("/models", None)]


async def test_ollamas_list_is_read() -> None:
    tags = {"models": [{"name": "qwen3:4b"}, {"name": "llama3:8b"}]}
    with served({"/api/tags": ok(tags)}) as (address, _):
        found = await served_models(ServedModelsRequest("ollama_chat", f"{address}/v1"))
    assert (found.api_base, found.names) == (address, ("qwen3:4b", "llama3:8b"))


async def test_names_are_bounded() -> None:
    many = {"data": [{"id": f"m{at}"} for at in range(MAX_NAMES + 9)]}
    with served({"/v1/models": ok(many)}) as (address, _):
        found = await served_models(ServedModelsRequest("hosted_vllm", address))
    assert len(found.names) == MAX_NAMES


@pytest.mark.parametrize(
    "answer",
    [
        (200, b"<html>"),
        (200, b"[]"),
        ok({"data": "x"}),
        (500, b""),
        (302, b"/secret"),
        (200, b"[" * 9999),
    ],
)
async def test_what_is_no_list_is_said_without_its_content(answer: tuple[int, bytes]) -> None:
    with (
        served({"/v1/models": answer, "/secret": ok(NAMES)}) as (address, asked),
        pytest.raises(ProviderBadRequest, match="has no list of models") as raised,
    ):
        await served_models(ServedModelsRequest("hosted_vllm", f"{address}/v1"))
    assert "html" not in raised.value.message
    assert [path for path, _ in asked] == ["/v1/models"]


@pytest.mark.parametrize(("key", "says"), [("", "Enter its key"), ("sk-wrong", "Correct the key")])
async def test_a_refused_key_is_said(key: str, says: str) -> None:
    with (
        served({"/v1/models": (401, b"sk-wrong")}) as (address, _),
        pytest.raises(ProviderAuth, match=says) as raised,
    ):
        await served_models(ServedModelsRequest("hosted_vllm", address, key))
    assert "sk-wrong" not in raised.value.message


async def test_a_server_that_is_not_there_is_said() -> None:
    with pytest.raises(ProviderUnavailable, match="can't be reached"):
        await served_models(ServedModelsRequest("hosted_vllm", "http://127.0.0.1:9"))


@pytest.mark.parametrize("host", ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.1.1]"])
async def test_link_local_addresses_are_refused(host: str) -> None:
    with pytest.raises(ProviderBadRequest, match="no address of a model server"):
        await served_models(ServedModelsRequest("hosted_vllm", f"http://{host}"))


def test_the_worker_asks_for_the_host(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    request = ServedModelsRequest("hosted_vllm", model_server.anthropic)
    found = background.run(models.served(request))
    assert (found.api_base, found.names) == (model_server.openai, ("scripted",))
