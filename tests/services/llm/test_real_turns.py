"""Turns through the real litellm, against what the scripted provider has written down."""

import asyncio
import json
import time
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.chat.history.owners import Owner
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.records import SessionRecord, TurnState
from jupyter_ac.ids import SessionId
from jupyter_ac.models.client import ModelsClient
from tests.chat.memory import ADA
from tests.services.llm.pages import Page
from tests.services.llm.real import RealWorld, count, hosting, messages_in
from tests.support.histories import history_in
from tests.support.model_process import BackgroundLoop, RunningModelServer
from tests.support.repositories import make_repository

LIMIT_S = 90.0
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": "# Überschrift"},
        {
            "cell_type": "code",
            "execution_count": 1,
            "metadata": {},
            "outputs": [{"output_type": "stream", "name": "stdout", "text": "PRINTED"}],
            "source": "x = 1\nprint(x)",
        },
    ],
    "metadata": {"kernelspec": {"name": "python3", "language": "python", "display_name": "P"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
FILES: dict[str, str | bytes] = {
    "a.py": "def f(x):\r\n    return x\r\n",
    "docs/ünï.md": "# 😀 漢字\n\n````\n```\n````\n<|endoftext|>\n",
    "n.ipynb": json.dumps(NOTEBOOK),
    "empty.txt": "",
    "blank.txt": " \n\n  ",
    "logo.png": b"\x89PNG\0\0",
}


@pytest.fixture
def world(tmp_path: Path, models: ModelsClient) -> RealWorld:
    state = tmp_path / "state"
    state.mkdir()
    return RealWorld(make_repository(tmp_path / "repo", FILES), state, models)


async def answered(page: Page, number: int, question: str) -> Mapping[str, object]:
    """Ask, wait for the end, return the result."""
    before = len(page.named("streamComplete"))
    started = await page.ask("chat_streaming", f"{number}-x", question)
    assert started == {"status": "started"}
    await page.until(lambda page: len(page.named("streamComplete")) > before, LIMIT_S)
    result = page.named("streamComplete")[-1][1]
    assert isinstance(result, dict)
    return result


def plain(body: Mapping[str, object]) -> list[object]:
    """A request without cache marks and the reminder, all contents as lists."""
    messages = [{"role": "system", "content": body["system"]}] if "system" in body else []
    messages += cast("list[dict[str, object]]", body["messages"])
    return [(message["role"], _texts(message["content"])) for message in messages]


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    texts = [part["text"] for part in cast("list[dict[str, str]]", content)]
    return [text for text in texts if not text.startswith("Reminder")]


STEPS: list[tuple[list[str], str]] = [
    ([], "Grüße, what is this? 😀"),
    (["a.py"], "And this?\n\n```python\nx = 1\n```\n"),
    (["a.py", "docs/ünï.md", "n.ipynb"], "  Three files now.  "),
    (["docs/ünï.md", "empty.txt", "blank.txt", "logo.png"], "One is gone, three came."),
    (["a.py", "docs/ünï.md"], "One is back."),
]


@pytest.mark.parametrize(
    "model",
    ["openai/scripted", "anthropic/scripted", "anthropic/claude-sonnet-4-6", "openai/gpt-4o"],
)
def test_the_breakdown_is_what_the_provider_then_gets(
    model: str, world: RealWorld, background: BackgroundLoop, model_server: RunningModelServer
) -> None:
    world.use(model, model_server)
    shown: list[dict[str, object]] = []

    async def ask(steps: list[tuple[list[str], str]]) -> None:
        async with hosting(world) as service:
            page = await service.page()
            for files, question in steps:
                await page.call("set_selected_files", files)
                shown.append(await page.ask("get_context_breakdown", None, question))
                result = await answered(page, len(shown), question)
                assert "error" not in result, result

    background.run(ask(STEPS[:3]), LIMIT_S)
    background.run(ask(STEPS[3:]), LIMIT_S)  # another host, after a restart

    bodies = model_server.bodies()
    assert len(bodies) == len(shown) == len(STEPS)
    for said, body in zip(shown, bodies, strict=True):
        tokens = count(str(said["tokenizer"]), body)
        overhead = cast("int", said["message_overhead"]) * messages_in(body)
        assert said["total_tokens"] == tokens + overhead
        assert said["messages"] == messages_in(body)
        parts = cast("dict[str, int]", said["breakdown"])
        names = ("system", "files", "history", "question", "overhead")
        assert sum(parts[name] for name in names) == said["total_tokens"]
    requests = [plain(body) for body in bodies]
    for earlier, later in pairwise(requests):
        assert later[: len(earlier)] == earlier
    last = json.dumps(requests[-1], ensure_ascii=False)
    assert last.count("def f(x)") == 1
    assert "PRINTED" not in last
    assert "a.py is no longer selected." in last
    assert "a.py is selected again" in last


def test_a_changed_file_goes_out_again_whole_and_the_old_copy_stays(
    world: RealWorld, background: BackgroundLoop, model_server: RunningModelServer
) -> None:
    world.use("openai/scripted", model_server)

    async def ask() -> None:
        async with hosting(world) as service:
            page = await service.page()
            await page.call("set_selected_files", ["a.py"])
            await answered(page, 1, "One?")
            world.folder.write("a.py", "changed = True\n")
            await answered(page, 2, "Two?")
            await answered(page, 3, "Three?")

    background.run(ask(), LIMIT_S)
    first, second, third = (json.dumps(body) for body in model_server.bodies())
    assert "changed" not in first
    assert second.count("def f(x)") == second.count("changed = True") == 1
    assert third.count("def f(x)") == third.count("changed = True") == 1


@pytest.mark.parametrize(
    ("scenario", "error_type"),
    [
        ("scripted-401", "provider_auth"),
        ("scripted-429", "provider_rate_limit"),
        ("scripted-500", "provider_unavailable"),
        ("scripted-context", "provider_context"),
        ("scripted-broken", "provider_unavailable"),
    ],
)
@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_a_provider_that_fails_ends_the_turn_with_the_right_word(
    wire: str,
    scenario: str,
    error_type: str,
    world: RealWorld,
    background: BackgroundLoop,
    model_server: RunningModelServer,
) -> None:
    world.use(f"{wire}/{scenario}", model_server)

    async def ask() -> tuple[Mapping[str, object], str]:
        async with hosting(world) as service:
            page = await service.page()
            result = await answered(page, 1, "Why?")
            return result, page.streamed()

    result, streamed = background.run(ask(), LIMIT_S)
    info = cast("dict[str, object]", result["error_info"])
    assert info["error_type"] == error_type
    assert result["error"]
    assert info["retry_after"] == (7.0 if scenario.endswith("429") else None)
    assert result["response"] == streamed
    assert bool(streamed) == scenario.endswith("broken")


def test_a_slow_answer_arrives_whole_and_in_pieces(
    world: RealWorld, background: BackgroundLoop, model_server: RunningModelServer
) -> None:
    world.use("openai/scripted-slow", model_server)

    async def ask() -> tuple[Mapping[str, object], Page]:
        async with hosting(world) as service:
            page = await service.page()
            return await answered(page, 1, "Why?"), page

    result, page = background.run(ask(), LIMIT_S)
    assert page.streamed() == result["response"]
    assert len(page.named("streamDelta")) > 5
    assert cast("dict[str, int]", result["token_usage"])["prompt_tokens"] > 0
    assert result["finish_reason"] == "stop"


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
@pytest.mark.parametrize("scenario", ["scripted-hang", "scripted-stall"])
def test_stop_before_and_after_the_first_token_closes_the_providers_socket_within_a_second(
    wire: str,
    scenario: str,
    world: RealWorld,
    background: BackgroundLoop,
    model_server: RunningModelServer,
) -> None:
    world.use(f"{wire}/{scenario}", model_server)

    async def ask() -> tuple[float, Mapping[str, object]]:
        async with hosting(world) as service:
            page = await service.page()
            await page.ask("chat_streaming", "1-x", "Why?")
            if scenario.endswith("stall"):
                await page.until(lambda page: bool(page.streamed()))
            else:
                wait = asyncio.to_thread(model_server.wait_until, bool)
                await asyncio.wait_for(wait, LIMIT_S)
            stopped = time.monotonic()
            cancelled = await page.ask("cancel_streaming", "1-x")
            assert cancelled == {"status": "cancelling", "success": True}
            result = await page.completion()
            await asyncio.to_thread(model_server.wait_until, _closed)
            return stopped, result

    stopped, result = background.run(ask(), LIMIT_S)
    (seen,) = model_server.requests()
    assert seen["closed_early"] is True
    assert cast("float", seen["t_closed"]) - stopped < 1.0
    assert result["cancelled"] is True
    assert bool(result["response"]) == scenario.endswith("stall")


def _closed(rows: list[dict[str, object]]) -> bool:
    return all(row["t_closed"] is not None for row in rows)


def test_question_and_prompt_are_on_the_disk_before_the_model_has_said_a_word(
    world: RealWorld, background: BackgroundLoop, model_server: RunningModelServer
) -> None:
    world.use("openai/scripted-hang", model_server)

    async def ask() -> SessionRecord | None:
        async with hosting(world) as service:
            page = await service.page()
            await page.call("set_selected_files", ["a.py"])
            await page.ask("chat_streaming", "1-x", "Why?")
            await asyncio.to_thread(model_server.wait_until, bool)
            other = history_in(world.state)
            store = HistoryStore(other, "", Owner("elsewhere"))
            session = await store.resume(ADA, SessionId("sess_9_z"))
            await other.aclose()
            return session

    session = background.run(ask(), LIMIT_S)
    assert session is not None
    (turn,) = session.turns
    assert (turn.question, turn.state) == ("Why?", TurnState.RUNNING)
    assert [block.path for block in turn.sent] == ["a.py", None]


def test_the_conversation_and_the_selection_are_there_after_a_restart(
    world: RealWorld, background: BackgroundLoop, model_server: RunningModelServer
) -> None:
    world.use("openai/scripted", model_server)

    async def talk() -> dict[str, object]:
        async with hosting(world) as service:
            page = await service.page()
            await page.call("set_selected_files", ["a.py", "docs/ünï.md"])
            await answered(page, 1, "Why?")
            return await page.ask("get_current_state")

    async def look() -> dict[str, object]:
        async with hosting(world) as service:
            return await (await service.page()).ask("get_current_state")

    before, after = background.run(talk(), LIMIT_S), background.run(look(), LIMIT_S)
    assert before.pop("session_id") != after.pop("session_id")  # it goes on under a new name
    assert before == after
