"""Completions come at a rate, from a model that is allowed, without secrets."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from jupyter_ac.chat.inline.code_place import CodePlace
from jupyter_ac.chat.inline.completer import InlineCompleter
from jupyter_ac.chat.model_gateway import ModelGateway, ModelOptions
from jupyter_ac.errors import AccessDenied, Busy, NotReady, ProviderBadRequest, Unsupported
from jupyter_ac.models.choice import EMBEDDED_MODEL, ModelChoice
from jupyter_ac.models.client import CompletedAnswer, CompletionRequest, ModelInfo, Usage
from jupyter_ac.settings.app import InlineCompletionSettings

ON = InlineCompletionSettings(enabled=True, per_minute=2)
MAIN = ModelChoice("openai/large", "flag", api_base="http://127.0.0.1:1/v1")
PLACE = CodePlace("a.py", "python", "x = ", "\ny = 1")


@dataclass
class Recorder:
    """Answers each request with the same text, and keeps the requests."""

    answer: str = "f(1)"
    asked: list[CompletionRequest] = field(default_factory=list)

    async def complete(
        self, request: CompletionRequest, on_text: Callable[[str], None], *_more: object
    ) -> CompletedAnswer:
        self.asked.append(request)
        on_text(self.answer)
        return CompletedAnswer(self.answer, "stop", Usage(10, 2))

    async def describe(self, model: str) -> ModelInfo:
        raise AssertionError(model)

    async def load(self) -> None:
        raise AssertionError("loaded")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def completer(
    model: Recorder,
    settings: InlineCompletionSettings = ON,
    choice: ModelChoice | None = MAIN,
    smaller: str = "",
    clock: Clock | None = None,
) -> InlineCompleter:
    gateway = ModelGateway(model, lambda: choice, lambda: ModelOptions(smaller_model=smaller))

    def refusal(name: str) -> str | None:
        return "Denied." if "denied" in name else None

    return InlineCompleter(gateway, lambda: settings, refusal, clock or Clock())


async def test_the_smaller_model_is_asked_unless_the_settings_name_another() -> None:
    model = Recorder()
    for settings, expected in (
        (ON, "openai/small"),
        (InlineCompletionSettings(enabled=True, model="openai/quick"), "openai/quick"),
    ):
        found = completer(model, settings, smaller="openai/small")
        done = await found.complete(await found.admit(), PLACE)
        assert (done.text, done.result.model) == ("f(1)", expected)
        assert model.asked[-1].model == expected
        assert model.asked[-1].api_base == MAIN.api_base
    assert model.asked[0].max_tokens == ON.max_tokens
    assert model.asked[0].options.num_retries == 0
    assert model.asked[0].suffix is None


async def test_a_model_that_fills_gaps_gets_what_is_around() -> None:
    model = Recorder()
    settings = InlineCompletionSettings(enabled=True, model="text-completion-openai/code")
    found = completer(model, settings)
    await found.complete(await found.admit(), PLACE)
    (request,) = model.asked
    assert (request.messages, request.suffix) == ([{"role": "user", "content": "x = "}], "\ny = 1")
    assert request.api_base == MAIN.api_base


async def test_it_is_off_unless_it_is_switched_on() -> None:
    found = completer(Recorder(), InlineCompletionSettings())
    with pytest.raises(Unsupported, match=r"inline_completion\.enabled"):
        await found.admit()


async def test_no_model_an_embedded_one_and_a_denied_one_complete_nothing() -> None:
    with pytest.raises(NotReady):
        await completer(Recorder(), choice=None).admit()
    demo = ModelChoice(EMBEDDED_MODEL, "embedded", demo=True)
    with pytest.raises(ProviderBadRequest):
        await completer(Recorder(), choice=demo).admit()
    with pytest.raises(AccessDenied, match=r"^Denied\.$"):
        await completer(Recorder(), smaller="openai/denied").admit()


async def test_there_are_only_so_many_within_a_minute() -> None:
    clock = Clock()
    found = completer(Recorder(), clock=clock)
    await found.admit()
    clock.now = 30
    await found.admit()
    with pytest.raises(Busy, match="per_minute"):
        await found.admit()
    clock.now = 60
    await found.admit()
    with pytest.raises(Busy):
        await found.admit()


async def test_likely_secrets_are_masked_and_never_suggested() -> None:
    model = Recorder('"[secret 1]"')
    key = "sk-proj-" + "a1B2c3D4e5F6g7H8" * 2
    place = CodePlace("a.py", "python", f'key = "{key}"\nother = ', "", (f'k = "{key}"',))
    found = completer(model)
    done = await found.complete(await found.admit(), place)
    assert done.text == ""
    assert key not in str(model.asked)
    assert str(model.asked).count("[secret 1]") == 3, "twice here, once in the instructions"
