import asyncio

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.models.client import CompletionRequest, ModelsClient
from jupyter_ac.workers.process import Worker
from tests.support.model_process import BackgroundLoop, RunningModelServer


def test_only_its_own_methods_are_on_the_wire(
    background: BackgroundLoop, models_worker: Worker
) -> None:
    for name in (
        "Models.part",
        "Models._jobs",
        "Tokens.count",
        "Models.__init__",
    ):
        with pytest.raises(RemoteError) as raised:
            background.run(models_worker.call(name))
        assert raised.value.remote_code == -32601


def test_calls_with_other_variables_do_not_disturb_each_other(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    async def both() -> None:
        messages = [{"role": "user", "content": "hello"}]
        requests = [
            CompletionRequest(
                "openai/scripted-secret",
                messages,
                api_base=model_server.openai,
                env={"OPENAI_API_KEY": f"plain-words-{number}"},
            )
            for number in range(4)
        ]
        calls = [models.complete(request, lambda _text: None) for request in requests]
        await asyncio.gather(*calls, return_exceptions=True)

    background.run(both())
    assert sorted(str(row["key_end"]) for row in model_server.requests()) == list("0123")
