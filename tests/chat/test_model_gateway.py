from dataclasses import replace

import pytest

from jupyter_ac.chat.model_gateway import AnswerListener, ModelGateway, ModelOptions
from jupyter_ac.errors import NotReady, ProviderBadRequest
from jupyter_ac.models.choice import NO_MODEL_MESSAGE, ModelChoice
from jupyter_ac.models.client import PromptProgress, Retry
from jupyter_ac.workers.wire import RequestOptions
from tests.chat.memory import INFO, ScriptedModel


async def ask(gateway: ModelGateway) -> str:
    outcome = await gateway.complete(gateway.require(), [], None, AnswerListener(lambda _: None))
    return outcome.text


async def test_the_request_carries_the_choice_and_the_environment() -> None:
    model = ScriptedModel()
    choice = ModelChoice("openai/x", "flag", api_base="http://127.0.0.1:1")
    terms = ModelOptions({"KEY": "hidden"}, requests=RequestOptions(3, 10.0, 5.0, 2.0))
    gateway = ModelGateway(model, lambda: choice, lambda: terms)
    assert await ask(gateway) == "Hello world"
    (request,) = model.requests
    assert (request.model, request.api_base) == ("openai/x", "http://127.0.0.1:1")
    assert (request.env, request.max_tokens) == ({"KEY": "hidden"}, None)
    assert request.options is terms.requests
    assert "hidden" not in repr(terms)


async def test_the_settings_limit_of_an_answer_lowers_the_models_and_the_profiles() -> None:
    model = ScriptedModel()
    choice = ModelChoice("openai/x", "flag")
    most: list[int | None] = [100]
    gateway = ModelGateway(model, lambda: choice, lambda: ModelOptions(max_output_tokens=most[0]))
    for asked in (None, 40, 400):
        await gateway.complete(choice, [], asked, AnswerListener(lambda _: None))
    assert [request.max_tokens for request in model.requests] == [100, 40, 100]
    assert (await gateway.info(choice)).max_output_tokens == 100
    most[0] = INFO.max_output_tokens + 1
    assert await gateway.info(choice) == INFO


async def test_the_embedded_models_server_is_started_when_it_is_first_asked() -> None:
    model = ScriptedModel()
    started: list[str] = []

    async def base() -> str:
        started.append("started")
        return "http://127.0.0.1:2/v1"

    choice = ModelChoice("openai/demo", "embedded", demo=True, profile="embedded")
    gateway = ModelGateway(model, lambda: choice, embedded_base=base)
    await gateway.info(choice)
    assert started == []
    told: list[PromptProgress | Retry] = []
    await gateway.complete(choice, [], 320, AnswerListener(lambda _: None, told.append))
    assert model.requests[0].api_base == "http://127.0.0.1:2/v1"
    assert told == [PromptProgress(0, 1), PromptProgress(50, 200)]


async def test_the_choice_may_change_between_two_requests() -> None:
    model = ScriptedModel()
    choices = [ModelChoice("a", "flag"), ModelChoice("b", "flag")]
    gateway = ModelGateway(model, lambda: choices[0])
    await ask(gateway)
    choices.pop(0)
    await ask(gateway)
    assert [request.model for request in model.requests] == ["a", "b"]


async def test_without_a_model_the_message_says_what_to_set() -> None:
    gateway = ModelGateway(ScriptedModel(), lambda: None)
    assert gateway.choice() is None
    with pytest.raises(NotReady, match="No language model") as caught:
        gateway.require()
    assert caught.value.message == gateway.absence() == NO_MODEL_MESSAGE


async def test_another_reason_for_having_none_is_told() -> None:
    gateway = ModelGateway(ScriptedModel(), lambda: None, why_none=lambda: "llm.json is broken.")
    with pytest.raises(NotReady, match="is broken"):
        gateway.require()
    assert ModelGateway(ScriptedModel(), lambda: ModelChoice("a", "flag")).absence() == ""


async def test_a_model_is_described_once() -> None:
    model = ScriptedModel()
    choice = ModelChoice("a", "flag")
    gateway = ModelGateway(model, lambda: choice)
    assert await gateway.info(choice) == INFO
    model.info = replace(INFO, max_input_tokens=1)
    assert await gateway.info(choice) == INFO


async def test_a_side_task_is_asked_of_the_smaller_model_within_its_own_limit() -> None:
    model = ScriptedModel()
    choice = ModelChoice("openai/x", "flag", api_base="http://127.0.0.1:1")
    options = RequestOptions(aux_request_timeout_seconds=9.0)
    terms = ModelOptions({"KEY": "hidden"}, smaller_model="openai/small", requests=options)
    gateway = ModelGateway(model, lambda: choice, lambda: terms)
    answer = await gateway.ask("Be brief.", "A text.", 40)
    assert (answer.text, answer.finish_reason, answer.model) == (
        "Hello world",
        "stop",
        "openai/small",
    )
    assert answer.usage.cost_usd == 0.5
    (request,) = model.requests
    assert (request.model, request.api_base) == ("openai/small", "http://127.0.0.1:1")
    assert [message["content"] for message in request.messages] == ["Be brief.", "A text."]
    assert (request.max_tokens, request.cache) == (40, False)
    assert request.options == options.for_side_task()
    assert request.env == {"KEY": "hidden"}


async def test_without_a_smaller_model_the_main_one_does_side_tasks() -> None:
    model = ScriptedModel()
    gateway = ModelGateway(
        model, lambda: ModelChoice("openai/x", "flag"), lambda: ModelOptions(max_output_tokens=30)
    )
    assert (await gateway.ask("", "", 40)).model == "openai/x"
    assert model.requests[0].max_tokens == 30
    with pytest.raises(NotReady, match="No language model"):
        await ModelGateway(model, lambda: None).ask("", "", 1)


async def test_the_embedded_model_refuses_side_tasks_in_a_sentence() -> None:
    model = ScriptedModel()
    choice = ModelChoice("openai/demo", "embedded", demo=True, profile="embedded")
    with pytest.raises(ProviderBadRequest, match="demo model is too small"):
        await ModelGateway(model, lambda: choice).ask("", "", 1)
    terms = ModelOptions(smaller_model="openai/small")
    assert (await ModelGateway(model, lambda: choice, lambda: terms).ask("", "", 1)).text
    assert [request.model for request in model.requests] == ["openai/small"]
