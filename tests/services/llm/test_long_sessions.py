"""Long conversations through the real workers, against what the scripted provider wrote down."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.chat.model_gateway import ModelOptions
from jupyter_ac.models.client import ModelsClient
from jupyter_ac.settings.app import AppSettings, CompactionSettings
from tests.services.llm.pages import Page
from tests.services.llm.real import RealWorld, count, hosting, messages_in, texts_of
from tests.support.model_process import BackgroundLoop, RunningModelServer
from tests.support.repositories import make_repository

LIMIT_S = 120.0
PARTS = ("system", "files", "history", "question", "overhead")
NAMES = ("a.py", "b.py", "docs/c.md", "d.py")
SMALL = CompactionSettings(
    compaction_trigger_tokens=450, verbatim_window_tokens=60, summary_budget_tokens=40
)


def lines(seed: int) -> str:
    return "".join(f"value_{n} = {n * seed}\n" for n in range(120))


@pytest.fixture
def world(tmp_path: Path, models: ModelsClient) -> RealWorld:
    state = tmp_path / "state"
    state.mkdir()
    files: dict[str, str | bytes] = {name: lines(n) for n, name in enumerate(NAMES, 1)}
    return RealWorld(make_repository(tmp_path / "repo", files), state, models)


def lasting(body: Mapping[str, object]) -> list[str]:
    """The texts of a request, without the reminder."""
    return [text for text in texts_of(body) if not text.startswith("Reminder")]


@dataclass
class Session:
    """What was shown before each question, and whether something was taken out before it."""

    world: RealWorld
    chance: random.Random
    shown: list[dict[str, object]] = field(default_factory=list)
    cut: list[bool] = field(default_factory=list)
    compactions: int = 0

    async def live(self, turns: int) -> None:
        """One host's life: change things, look, ask."""
        async with hosting(self.world) as service:
            page = await service.page()
            if not self.shown:
                await page.call("set_selected_files", list(NAMES[:3]))
            for _ in range(turns):
                is_cut = await self._change(page)
                number = len(self.shown)
                question = f"Question {number}: " + "why " * self.chance.randrange(1, 30)
                shown = await page.ask("get_context_breakdown", None, question)
                await page.ask("chat_streaming", f"{number}-x", question)
                await page.until(lambda page: len(page.named("streamComplete")) > self._here, 60)
                self._here += 1
                result = cast("dict[str, object]", page.named("streamComplete")[-1][1])
                assert "error" not in result, result
                self.shown.append(shown)
                self.cut.append(is_cut)
                await self._settle(page)

    async def _change(self, page: Page) -> bool:
        """Do what users do between two questions; say whether the log became shorter."""
        is_cut = self._was_compacted
        self._was_compacted = False
        for _ in range(self.chance.randrange(4)):
            name = self.chance.choice(NAMES)
            text = lines(NAMES.index(name) + 1).splitlines(keepends=True)
            for at in self.chance.sample(range(120), self.chance.choice((1, 1, 2, 60))):
                text[at] = f"changed_{self.chance.random()} = 0\n"
            self.world.folder.write(name, "".join(text))
        if self.chance.random() < 0.3:
            await page.call(
                "set_selected_files", self.chance.sample(NAMES, self.chance.randrange(1, 5))
            )
        if self.chance.random() < 0.1:
            trimmed = await page.ask("trim_context")
            is_cut = is_cut or bool(trimmed["tokens_freed"])
        return is_cut

    async def _settle(self, page: Page) -> None:
        """Wait for the compaction that follows, when the talk is too long."""
        status = await page.ask("get_history_status")
        while status["is_compacting"]:
            status = await page.ask("get_history_status")
        self._was_compacted = status["compactions"] != self.compactions
        self.compactions = cast("int", status["compactions"])

    _here: int = 0
    _was_compacted: bool = False


@pytest.mark.parametrize("model", ["openai/scripted", "anthropic/claude-sonnet-4-6"])
def test_the_breakdown_of_a_long_random_session_is_what_the_provider_gets(
    model: str, world: RealWorld, background: BackgroundLoop, model_server: RunningModelServer
) -> None:
    provider = model.partition("/")[0]
    aside = "openai/scripted-summary" if provider == "openai" else "anthropic/scripted-summary"
    world.use(model, model_server)
    world.settings = AppSettings(history_compaction=SMALL)
    world.terms = ModelOptions(smaller_model=aside)
    session = Session(world, random.Random(5))
    for turns in (8, 6):
        session._here = 0
        background.run(session.live(turns), LIMIT_S)  # the second one after a restart

    assert session.compactions >= 2
    bodies = [body for body in model_server.bodies() if body["model"] != "scripted-summary"]
    assert len(bodies) == len(session.shown) == 14
    before = 0
    for said, body in zip(session.shown, bodies, strict=True):
        overhead = cast("int", said["message_overhead"]) * messages_in(body)
        total = count(str(said["tokenizer"]), body) + overhead
        assert said["total_tokens"] == total
        parts = cast("dict[str, int]", said["breakdown"])
        assert sum(parts[name] for name in PARTS) == total
        assert cast("int", said["cached_tokens"]) + cast("int", said["uncached_tokens"]) == total
        if before:
            assert cast("dict[str, int]", said["last_request"])["counted"] == before
        before = total
    for at in range(1, len(bodies)):
        earlier, later = lasting(bodies[at - 1]), lasting(bodies[at])
        if not session.cut[at]:
            assert later[: len(earlier)] == earlier, at
    texts = [text for body in bodies for text in texts_of(body)]
    assert any("this difference from its last whole copy" in text for text in texts)
    assert any(text.startswith("[Summary") for text in texts)
