import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from jupyter_ac.chat.commit_message import (
    MAX_SUMMARIES,
    ROOM_CHARS,
    MessageWriter,
    counted,
    secrets_in,
)
from jupyter_ac.chat.model_gateway import ModelGateway, ModelOptions, SideTaskResult
from jupyter_ac.errors import InvalidParams, NotReady, ProviderBadRequest, ProviderRateLimit
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import CompletedAnswer, CompletionRequest, ModelInfo, Usage
from tests.chat.memory import INFO, ScriptedModel
from tests.support.exclusions import none_excluded


def diff_of(name: str, lines: int, line: str = "x = 1") -> str:
    head = f"diff --git a/{name} b/{name}\nindex 1..2 100644\n--- a/{name}\n+++ b/{name}\n"
    return f"{head}@@ -1 +1 @@\n-old\n" + f"+{line}\n" * lines


class Secretary(ScriptedModel):
    """Answers each request with what `reply` makes of its system prompt and its text."""

    def __init__(self, reply: Callable[[str, str], str], finish_reason: str = "stop") -> None:
        super().__init__()
        self.reply = reply
        self.finish_reason = finish_reason
        self.asked: list[tuple[str, str]] = []
        self.running = self.most_running = 0

    async def complete(self, request: CompletionRequest, *_: object) -> CompletedAnswer:
        system, text = (str(message["content"]) for message in request.messages)
        self.asked.append((system, text))
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        await asyncio.sleep(0)
        self.running -= 1
        usage = Usage(10, 1, cost_usd=0.25)
        return CompletedAnswer(self.reply(system, text), self.finish_reason, usage)


def writer(model: ScriptedModel, info: ModelInfo = INFO) -> MessageWriter:
    model.info = info
    choice, terms = ModelChoice("openai/x", "flag"), ModelOptions(smaller_model="openai/small")
    return MessageWriter(
        ModelGateway(model, lambda: choice, lambda: terms), lambda: "Be brief.", none_excluded
    )


async def test_a_diff_that_fits_goes_out_as_it_is() -> None:
    model = Secretary(lambda _system, _text: "fix: add a guard\n\nWhy not.")
    answers: list[SideTaskResult] = []
    text = await writer(model).write(diff_of("a.py", 3), answers)
    assert text == "fix: add a guard\n\nWhy not."
    assert model.asked == [("Be brief.", diff_of("a.py", 3))]
    assert [answer.usage.cost_usd for answer in answers] == [0.25]


async def test_the_largest_files_of_an_oversized_diff_are_summarised_first() -> None:
    model = Secretary(lambda system, _: "fix: it" if system == "Be brief." else "Adds x.")
    small, large = diff_of("small.py", 3), diff_of("large.py", ROOM_CHARS)
    answers: list[SideTaskResult] = []
    await writer(model).write(small + large, answers)
    (first, asked), (system, text) = model.asked
    assert first != system == "Be brief."
    assert len(asked) == ROOM_CHARS
    added = f"[large.py: {ROOM_CHARS} lines added, 1 removed]"
    assert text == f"{small}{added}\nAdds x.\n"
    assert len(answers) == 2


async def test_the_requests_for_one_diff_are_bounded_and_few_run_at_once() -> None:
    model = Secretary(lambda _system, _text: "x" * 5000)
    files = "".join(diff_of(f"f{number}.py", 2000) for number in range(200))
    await writer(model).write(files, [])
    assert len(model.asked) == MAX_SUMMARIES + 1
    assert model.most_running <= 4
    assert len(model.asked[-1][1]) <= ROOM_CHARS


async def test_a_small_model_gets_no_more_than_it_takes() -> None:
    model = Secretary(lambda _system, _text: "fix: it")
    files = "".join(diff_of(f"f{number}.py", 400) for number in range(60))
    await writer(model, replace(INFO, max_input_tokens=8_192)).write(files, [])
    assert len(model.asked) > 1
    assert max(len(text) for _, text in model.asked) < 2 * 8_192


async def test_no_message_is_made_up_when_a_model_fails() -> None:
    failing = ScriptedModel(error=ProviderRateLimit("Slow down."))
    with pytest.raises(ProviderRateLimit):
        await writer(failing).write(diff_of("a.py", 3), [])

    def no_summaries(system: str, _: str) -> str:
        if system != "Be brief.":
            raise ProviderRateLimit("Slow down.")
        return "chore: update files"

    with pytest.raises(ProviderRateLimit):
        await writer(Secretary(no_summaries)).write(diff_of("a.py", ROOM_CHARS), [])


@pytest.mark.parametrize(
    ("text", "finish_reason"), [("", "stop"), ("```\n```", "stop"), ("fix: hal", "length")]
)
async def test_an_empty_or_a_cut_message_is_none(text: str, finish_reason: str) -> None:
    model = Secretary(lambda _system, _text: text, finish_reason)
    with pytest.raises(ProviderBadRequest, match="openai/small gave no whole commit message"):
        await writer(model).write(diff_of("a.py", 3), [])


@pytest.mark.parametrize("diff", ["", " \n\t\n"])
async def test_a_blank_diff_is_refused(diff: str) -> None:
    with pytest.raises(InvalidParams, match="The diff is blank"):
        await writer(ScriptedModel()).write(diff, [])


async def test_without_a_model_that_is_said_before_anything_is_done() -> None:
    nobody = MessageWriter(ModelGateway(ScriptedModel(), lambda: None), lambda: "", none_excluded)
    with pytest.raises(NotReady):
        nobody.require_model()
    demo = ModelChoice("openai/demo", "embedded", demo=True, profile="embedded")
    small = MessageWriter(ModelGateway(ScriptedModel(), lambda: demo), lambda: "", none_excluded)
    with pytest.raises(ProviderBadRequest, match="demo model"):
        small.require_model()


def test_a_files_diff_is_told_in_numbers() -> None:
    parts = [diff_of("a.py", 1), diff_of("b c.py", 2, "diff --git is text here")]
    assert [counted(part) for part in parts] == [
        "[a.py: 1 lines added, 1 removed]",
        "[b c.py: 2 lines added, 1 removed]",
    ]
    assert counted("hello\n+x\n") == "[hello: 1 lines added, 0 removed]"


def test_a_likely_secret_that_a_diff_brings_is_named() -> None:
    (said,) = secrets_in(diff_of("a.py", 1) + diff_of("deploy/.env", 1, "KEY=1"))
    assert said.startswith("deploy/.env: ")
    assert secrets_in(diff_of("a.py", 1)) == []
