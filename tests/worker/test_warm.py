from jupyter_ac.models.client import CompletionRequest, ModelsClient
from jupyter_ac.workers.process import Worker
from tests.support.model_process import BackgroundLoop, RunningModelServer

HELLO = [{"role": "user", "content": "hello"}]


def test_warming_for_a_provider_sends_it_nothing(
    background: BackgroundLoop, models: ModelsClient, model_server: RunningModelServer
) -> None:
    for model in (
        "openai/scripted",
        "anthropic/claude-sonnet-4-5",
        "mistral/mistral-tiny",
    ):
        base = model_server.anthropic
        background.run(models.warm(CompletionRequest(model, HELLO, api_base=base)))
    assert model_server.requests() == []


def test_warming_without_a_key_works(
    background: BackgroundLoop, models: ModelsClient, models_worker: Worker
) -> None:
    background.run(models.warm())
    before = models_worker.pid
    background.run(models.warm(CompletionRequest("gpt-5.4", HELLO, env={"OPENAI_API_KEY": ""})))
    assert models_worker.pid == before is not None


def test_warming_leaves_no_tasks_behind(
    background: BackgroundLoop, models: ModelsClient, models_worker: Worker
) -> None:
    background.run(models.warm())
    before = background.run(models_worker.call("Worker.running"))
    for _ in range(3):
        background.run(models.warm())
    after = background.run(models_worker.call("Worker.running"))
    assert isinstance(before, int)
    assert isinstance(after, int)
    assert after <= before + 1
