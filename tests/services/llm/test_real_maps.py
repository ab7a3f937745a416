"""Maps in prompts through the real litellm, against what the scripted provider has written down."""

import json
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.chat.ports import MapText
from jupyter_ac.chat.records import Focus
from jupyter_ac.ids import ConversationKey
from jupyter_ac.models.client import ModelsClient
from tests.chat.memory import ADA, MemoryMaps
from tests.services.llm.pages import Page
from tests.services.llm.real import RealWorld, count, hosting, messages_in, texts_of
from tests.support.model_process import BackgroundLoop, RunningModelServer
from tests.support.repositories import make_repository

LIMIT_S = 90.0
PARTS = ("system", "legend", "symbol_map", "files", "history", "question", "overhead")
LINES = "".join(f"src/pkg_{number}/module.py: def f_{number}(a, b)\n" for number in range(200))
STEPS = [
    (Focus(), [], "Before the index is ready?"),
    (Focus(), ["a.py"], "And now? 漢字"),
    (Focus(cross_ref=True), ["a.py"], "With the documents?"),
    (Focus(), [], "Without?"),
    (Focus("doc"), ["a.py"], "About the documents?"),
    (Focus("doc", cross_ref=True), ["a.py"], "About both?"),
    (Focus(), ["a.py"], "Code again?"),
]


@pytest.fixture
def world(tmp_path: Path, models: ModelsClient) -> RealWorld:
    state = tmp_path / "state"
    state.mkdir()
    return RealWorld(make_repository(tmp_path / "repo", {"a.py": "x = 1\n"}), state, models)


async def said(
    world: RealWorld, steps: list[tuple[Focus, list[str], str]], first: int
) -> list[dict[str, object]]:
    """Ask, each time after a look at the breakdown."""
    found: list[dict[str, object]] = []
    async with hosting(world) as service:
        page = await service.page()
        conversation = await service.domain.book.open(ConversationKey(ADA))
        for number, (focus, files, question) in enumerate(steps, first):
            await service.domain.book.set_focus(conversation, focus)
            await page.call("set_selected_files", files)
            found.append(await page.ask("get_context_breakdown", None, question))
            over = len(page.named("streamComplete")) + 1
            await page.ask("chat_streaming", f"{number}-x", question)
            await page.until(partial(_has_heard, over), LIMIT_S)
            result = cast("dict[str, object]", page.named("streamComplete")[-1][1])
            assert "error" not in result, result
            ready(world)
    return found


def _has_heard(over: int, page: Page) -> bool:
    return len(page.named("streamComplete")) == over


def ready(world: RealWorld) -> None:
    maps = MemoryMaps()
    maps.heads = {
        "code": MapText(LINES, "f function → result", files=200),
        "doc": MapText("README.md [readme]\n  ## Überblick\n", files=1),
    }
    maps.near = "src/pkg_7/module.py: def f_7(a, b)"
    cast("MemoryMaps", world.maps).__dict__.update(maps.__dict__)


@pytest.mark.parametrize("model", ["openai/scripted", "anthropic/claude-sonnet-4-6"])
def test_the_breakdown_with_maps_and_modes_is_what_the_provider_then_gets(
    model: str, world: RealWorld, background: BackgroundLoop, model_server: RunningModelServer
) -> None:
    world.maps = MemoryMaps()
    world.use(model, model_server)
    shown = background.run(said(world, STEPS[:4], 1), LIMIT_S)
    shown += background.run(said(world, STEPS[4:], 5), LIMIT_S)  # another host, after a restart
    bodies = model_server.bodies()
    assert len(bodies) == len(shown) == len(STEPS)
    for found, body in zip(shown, bodies, strict=True):
        tokens = count(str(found["tokenizer"]), body)
        overhead = cast("int", found["message_overhead"]) * messages_in(body)
        assert found["total_tokens"] == tokens + overhead
        rows = cast("dict[str, int]", found["breakdown"])
        assert sum(rows[name] for name in PARTS) == found["total_tokens"]
        tiers = cast("list[dict[str, int]]", found["blocks"])
        assert sum(tier["tokens"] for tier in tiers) == tokens
    files = [cast("dict[str, int]", found["breakdown"])["symbol_map_files"] for found in shown]
    assert files == [0, 200, 201, 201, 201, 201, 201]  # a map that is in the log isn't repeated


def _contents(body: Mapping[str, object]) -> list[list[Mapping[str, object]]]:
    messages = cast("list[dict[str, object]]", body["messages"])
    contents = [body["system"]] if "system" in body else []
    contents += [message["content"] for message in messages]
    return [
        cast("list[Mapping[str, object]]", content)
        if isinstance(content, list)
        else [{"text": content}]
        for content in contents
    ]


def test_nothing_that_was_marked_changes_and_what_passes_stands_behind_the_last_mark(
    world: RealWorld, background: BackgroundLoop, model_server: RunningModelServer
) -> None:
    world.maps = MemoryMaps()
    ready(world)
    world.use("anthropic/claude-sonnet-4-6", model_server)
    background.run(said(world, STEPS[:2], 1), LIMIT_S)
    background.run(said(world, STEPS[2:4], 3), LIMIT_S)  # another host, after a restart
    prefixes: list[list[str]] = []
    written: set[tuple[str, ...]] = set()
    for body in model_server.bodies():
        parts = [part for content in _contents(body) for part in content]
        marks = [at for at, part in enumerate(parts) if "cache_control" in part]
        texts = [str(part["text"]) for part in parts]
        assert 1 < len(marks) <= 4
        assert [text[:8] for text in texts[marks[-1] + 1 :]] == ["Reminder"]
        assert texts[2].endswith(LINES.strip() + "\n")
        assert marks[0] == 2  # rules, legend and map
        prefixes.append(texts[: marks[-1] + 1])
        # What the request before has written is found at a mark, without looking back.
        marked = [tuple(texts[: at + 1]) for at in marks]
        assert len(prefixes) == 1 or tuple(prefixes[-2]) in written & set(marked)
        written |= set(marked)
    for earlier, later in pairwise(prefixes):
        assert later[: len(earlier)] == earlier


def test_two_runs_give_the_same_bytes(
    tmp_path: Path,
    models: ModelsClient,
    background: BackgroundLoop,
    model_server: RunningModelServer,
) -> None:
    for name in ("one", "two"):
        state = tmp_path / name
        state.mkdir()
        folder = make_repository(state / "repo", {"a.py": "x = 1\n"})
        world = RealWorld(folder, state, models, maps=MemoryMaps())
        world.use("anthropic/claude-sonnet-4-6", model_server)
        background.run(said(world, STEPS[1:4], 1), LIMIT_S)
    bodies = [json.dumps(body, ensure_ascii=False) for body in model_server.bodies()]
    assert bodies[:3] == bodies[3:]
    assert list(texts_of(model_server.bodies()[0]))
