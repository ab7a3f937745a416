"""What a step of an agent's run costs outside the model, beside a later question.

A step is measured from the last byte of an answer with a call of `read_file` until the request with
its result leaves; a question from its call until its request leaves. Both are of one conversation
in a Jupyter server, in turn, and the provider notes the times of both.
"""

import asyncio
import json
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import reported, within
from benchmarks.host.jupyter import jupyter_server
from benchmarks.host.projects import make_project, name_of
from benchmarks.host.provider import Provider, ended, provider, seconds
from tests.support.pages import Page

ROUNDS: Final = 5
STEPS: Final = 8
FILES: Final = 500
LIMIT_S: Final = 120.0
MODEL: Final = "openai/gpt-4o"
MOST_RATIO: Final = 1.2


async def ask(page: Page, model: Provider, name: str, question: str, mode: str) -> list[float]:
    """Ask, wait for the end, and return when each request left, in milliseconds since its cause.

    The cause of the first is the question, that of the others the end of the answer before.
    """
    before = len(await model.rows())
    cause = time.monotonic()
    options = (None, None, None, None, False, None, mode)
    await page.call("LLMService.chat_streaming", name, question, *options)
    _, result = await page.event("streamComplete", LIMIT_S)
    assert isinstance(result, dict)
    assert "error" not in result, result
    await model.last(ended, after=before)
    took: list[float] = []
    for row in (await model.rows())[before:]:
        took.append((seconds(row, "t_open") - cause) * 1000)
        cause = seconds(row, "t_closed")
    return took


def run_question(first: int) -> str:
    """Return a question whose answers read one file each."""
    answers = [
        f"@call read_file {json.dumps({'path': name_of(number)})}\n"
        for number in range(first, first + STEPS)
    ]
    return "\n=====\n".join(["Read them.", *answers, "Done.\n"])


async def measured(page: Page, model: Provider, number: int) -> tuple[list[float], list[float]]:
    """Return the times of later questions, and of steps."""
    plain = "Why?\n=====\nBecause.\n"
    await ask(page, model, f"first-{number}", plain, "ask")
    questions: list[float] = []
    steps: list[float] = []
    for turn in range(STEPS // 2):
        questions += await ask(page, model, f"q-{number}-{turn}", plain, "ask")
    steps += (await ask(page, model, f"run-{number}", run_question(10 * number), "agent"))[1:]
    for turn in range(STEPS // 2, STEPS):
        questions += await ask(page, model, f"q-{number}-{turn}", plain, "ask")
    return questions, steps


async def main() -> None:
    """Measure all rounds, each in a server of its own."""
    questions: list[float] = []
    steps: list[float] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-bench-")))
        model = stack.enter_context(provider(folder))
        for number in range(ROUNDS):
            root = folder / f"round-{number}"
            make_project(root / "garden", FILES, number)
            with jupyter_server(root) as server:
                server.use_model(
                    MODEL, f"{model.api_base.removesuffix('/v1')}/as/scripted-tools@0.002/v1"
                )
                async with server.page("garden") as page:
                    await page.ready()
                    asked, stepped = await measured(page, model, number)
                    questions.append(median(asked))
                    steps.append(median(stepped))
    rival = ("a later question", questions)
    within("answer to next request, tool read_file", steps, "ms", rival, MOST_RATIO).emit()
    reported("question to request leaving, later", questions, "ms").emit()


if __name__ == "__main__":
    asyncio.run(main())
