"""Plays a drawn session through the real engine: git, applier, history, stages, compaction.

Only the model is scripted. The clock stands still but for the pauses of the session.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

from benchmarks.sessions import Edit, Session, Step
from jupyter_ac.chat.compaction.compactor import Compactor
from jupyter_ac.chat.history.sent_rows import CompactionStore
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.ports import LogPorts, Maps
from jupyter_ac.chat.records import now_ms
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.errors import InvalidParams
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import (
    CompletedAnswer,
    CompletionRequest,
    ModelInfo,
    PromptProgress,
    Retry,
    Usage,
)
from jupyter_ac.settings.app import AppSettings, CompactionSettings
from tests.chat.edited import EditingModel, EditWorld, Reply, edit, editing_again
from tests.chat.memory import Recorder
from tests.support.repositories import RepositoryFolder

INFO: Final = ModelInfo(200_000, 32_000, 3e-6, 15e-6, takes_cache_marks=True, known=True)
TURN_LIMIT_S: Final = 60
SUMMARY_TOKENS: Final = 500
"""As long as the settings let a summary be."""

SUMMARY: Final = json.dumps(
    {"boundary_index": None, "confidence": 0, "summary": "They spoke of it. " * 99}
)
THINKING_S: Final = 30.0
MOST_REPLIES: Final = 3


@dataclass(slots=True)
class Left:
    """A request as it left.

    Attributes:
        request: all of it.
        at_s: when, by the session's clock.
        turn: of which turn; a side task belongs to the turn before.
    """

    request: CompletionRequest
    at_s: float
    turn: int


@dataclass
class SessionModel(EditingModel):
    """Gives the answers of a session, and a summary to side tasks."""

    left: list[Left] = field(default_factory=list)
    now_s: float = 0.0
    turn: int = 0
    passes: bool = True

    async def complete(
        self,
        request: CompletionRequest,
        on_text: Callable[[str], None],
        on_progress: Callable[[PromptProgress | Retry], None] | None = None,
        on_reasoning: Callable[[str], None] | None = None,
    ) -> CompletedAnswer:
        """Answer, and remember what was asked."""
        self.left.append(Left(request, self.now_s, self.turn))
        if not request.cache:
            return CompletedAnswer(SUMMARY, "stop", Usage(50, 5))
        return await super().complete(request, on_text, on_progress, on_reasoning)


AfterPause: TypeAlias = Literal["decide", "keep", "compact"]


class SteadyMaps(Maps, Protocol):
    """Maps that follow what changes on disk."""

    async def renew(self) -> None:
        """Look at the tree again."""


async def play(
    made: RepositoryFolder,
    state: Path,
    session: Session,
    maps: SteadyMaps,
    after_pause: AfterPause = "decide",
) -> list[Left]:
    """Play a session; the requests as they left.

    Args:
        made: the repository; it is changed.
        state: an empty folder.
        session: what happens.
        maps: of the repository.
        after_pause: what happens to the log when the user comes back: the engine decides, all is
            kept, or the conversation is compacted.
    """
    async with editing_again(made, state) as world:
        model = SessionModel(info=INFO)
        compaction = CompactionSettings(compaction_trigger_tokens=session.trigger_tokens)
        app = AppSettings(history_compaction=compaction)
        ports = replace(
            world.ports,
            models=ModelGateway(model, lambda: ModelChoice("anthropic/scripted", "flag")),
            log=LogPorts(CompactionStore(world.database), lambda: app),
            maps=maps,
            clock=lambda: now_ms() + (int(1000 * model.now_s) if model.passes else 0),
        )
        compactor = Compactor(ports, world.world.pages)
        turns = Turns(ports, world.world.pages)
        model.passes = after_pause == "decide"
        try:
            for number, step in enumerate(session.steps):
                model.turn = number
                model.now_s += THINKING_S + step.pause_s
                if step.pause_s and after_pause == "compact":
                    await _compact(world, compactor, model)
                await _turn(world, turns, model, step)
                await maps.renew()
        finally:
            await compactor.aclose()
            await turns.aclose()
        return model.left


async def _compact(world: EditWorld, compactor: Compactor, model: SessionModel) -> None:
    """Compact as is best when the cache has expired."""
    conversation = await world.conversation()
    model.passes = True
    with suppress(InvalidParams):  # too short
        await compactor.compact_now(conversation)
        await conversation.session.compaction.over()
    model.passes = False


async def _turn(world: EditWorld, turns: Turns, model: SessionModel, step: Step) -> None:
    root = world.folder.root
    for change in step.external:
        (root / change.path).write_text(change.apply(text_of(root / change.path))[0], newline="")
    conversation = await world.conversation(*step.selection)
    blocks = written(root, step.edits)
    answer = f"{step.answer}\n\n{blocks}" if blocks else step.answer
    model.replies = [Reply(answer), *(Reply(blocks or "Yes.") for _ in range(MOST_REPLIES))]
    follower = Recorder()
    ask = ChatRequest(f"r{model.turn}", step.question, follower)
    turns.start(conversation, ask).follow(follower, follower)
    async with asyncio.timeout(TURN_LIMIT_S):
        await follower.over.wait()
        await conversation.session.compaction.over()


def written(root: Path, edits: Sequence[Edit]) -> str:
    """Write edits as a model does, with as many old lines as make them unique."""
    texts: dict[str, str] = {}
    found = ""
    for each in edits:
        path = root / each.path
        text = texts.get(each.path, text_of(path) if path.exists() else "")
        if not text:
            found += edit(each.path, "", "".join(f"{line}\n" for line in each.new))
            continue
        texts[each.path], old, new = unique(each, text)
        found += edit(each.path, old, new)
    return found


def unique(each: Edit, text: str) -> tuple[str, str, str]:
    """Return the file as it then is, and old and new lines, enough of them to be unique."""
    lines = text.splitlines(keepends=True)
    at = min(int(each.place * len(lines)), max(0, len(lines) - each.lines))
    end = min(len(lines), at + each.lines)
    first, last = at, end
    while _occurrences(lines, lines[first:last]) > 1:
        first, last = max(0, first - 1), min(len(lines), last + 1)
    new = "".join((*lines[first:at], *(f"{line}\n" for line in each.new), *lines[end:last]))
    old = "".join(lines[first:last])
    return "".join((*lines[:first], new, *lines[last:])), old, new


def _occurrences(lines: Sequence[str], part: Sequence[str]) -> int:
    starts = range(len(lines) - len(part) + 1)
    return sum(lines[at : at + len(part)] == part for at in starts)


def text_of(path: Path) -> str:
    """Read a file as it is."""
    return path.read_bytes().decode()
