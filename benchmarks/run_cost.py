"""What a run of twenty steps costs beside the best possible for its content.

The run is scripted: after a question about two selected files the model reads a file of the
repository in each step, and says a sentence. Everything else is the real engine with the real
index. The cost is computed as in `prompt_cost`, under marks; nothing is sent anywhere.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.caches import best_marked
from benchmarks.figure import at_most
from benchmarks.index_maps import IndexMaps
from benchmarks.playing import INFO, THINKING_S, Left, SessionModel
from benchmarks.prompt_cost import Scales, cache_dir, our_revision, tree, weigh
from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.edits.edit_tracker import TrackedAnswer
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.ports import RunLimit, RunRequest, StepOutcome
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.run_record import RunRecord, StepRecord
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import (
    CompletedAnswer,
    CompletionRequest,
    ModelInfo,
    PromptProgress,
    Retry,
)
from jupyter_ac.tool_rows import AgentMode
from jupyter_ac.workers.wire import ToolCall
from tests.chat.edited import Reply, editing_again
from tests.chat.memory import Recorder
from tests.support.repositories import make_repository

STEPS: Final = 20
READ: Final = range(1_000, 6_000)
"""Bytes of the files that are read."""
MOST_OVER_BEST: Final = 1.05
LIMIT_S: Final = 120
QUESTION: Final = "Find out where the time limits of requests are set, and say what each is for."


@dataclass
class CallingModel(SessionModel):
    """Calls `read_file` once in each answer until there are no files left.

    Attributes:
        files: to read, in order.
    """

    files: list[str] = field(default_factory=list)

    async def complete(
        self,
        request: CompletionRequest,
        on_text: Callable[[str], None],
        on_progress: Callable[[PromptProgress | Retry], None] | None = None,
        on_reasoning: Callable[[str], None] | None = None,
    ) -> CompletedAnswer:
        """Say a sentence, and call the tool."""
        number = len(self.left)
        text = f"Step {number}: the next file may say it." if self.files else "They are as read."
        self.replies = [Reply(text)]
        self.now_s += THINKING_S
        answer = await super().complete(request, on_text, on_progress, on_reasoning)
        if not self.files:
            return answer
        arguments = json.dumps({"path": self.files.pop(0)})
        return replace(answer, calls=(ToolCall(f"call_{number}", "read_file", arguments),))


@dataclass
class ReadingRun:
    """A run whose only tool reads files of a folder.

    Attributes:
        root: the folder.
        steps: so far.
        has_steps: yes.
    """

    root: Path
    steps: list[StepRecord] = field(default_factory=list)
    has_steps: bool = True

    @property
    def may_edit(self) -> bool:
        """No."""
        return False

    def retried(self, answer: CompletedAnswer) -> None:
        """Nothing is asked again."""

    def opening(self) -> Sequence[Block]:
        """Say nothing before the question."""
        return ()

    async def edited(self, apply: Callable[[], Awaitable[None]]) -> None:
        """Apply edits."""
        await apply()

    async def in_context(self) -> Collection[RepoPath]:
        """Name no files."""
        return ()

    async def decide(
        self, outcome: BlockOutcome, _text_end: int, _apply: Callable[[], Awaitable[BlockOutcome]]
    ) -> BlockOutcome:
        """Nobody is asked."""
        return outcome

    async def close(self) -> None:
        """Nothing was started."""

    def refuse(self, _limit: RunLimit) -> str:
        """It has no limits."""
        return ""

    async def step(
        self, answer: CompletedAnswer, _tracked: TrackedAnswer, _text_end: int
    ) -> StepOutcome:
        """Read the files."""
        self.steps.append(StepRecord(answer.calls))
        results = [(call, self._read(json.loads(call.arguments)["path"])) for call in answer.calls]
        return StepOutcome(results, f"{STEPS - len(self.steps)} steps are left.", not answer.calls)

    def record(self, _state: TurnState | None = None) -> RunRecord | None:
        """Keep nothing: the run is one turn."""
        return None

    def _read(self, path: str) -> str:
        return (self.root / path).read_text()


class ReadingAgent:
    """Begins a `ReadingRun` for each question.

    Args:
        root: the folder whose files are read.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def tools(
        self, _session: Session, _mode: AgentMode, _info: ModelInfo | None
    ) -> tuple[Block, ...]:
        """Define none: they would stand before all messages and never change."""
        return ()

    async def begin(self, _request: RunRequest) -> ReadingRun:
        """Begin a run."""
        return ReadingRun(self._root)


async def run(
    files: dict[str, str | bytes], selected: Sequence[str], read: list[str]
) -> list[Left]:
    """Run once on a repository that is made for it; the requests as they left.

    Args:
        files: of the repository.
        selected: two of them.
        read: those that the model reads.
    """
    with TemporaryDirectory(prefix="jupyter-ac-bench-") as folder:
        made = make_repository(Path(folder) / "run", files)
        async with (
            IndexMaps.of(made, cache_dir()) as maps,
            editing_again(made, Path(folder)) as world,
        ):
            model = CallingModel(info=INFO, files=read)
            ports = replace(
                world.ports,
                models=ModelGateway(model, lambda: ModelChoice("anthropic/scripted", "flag")),
                maps=maps,
                agent=ReadingAgent(made.root),
            )
            turns, follower = Turns(ports, world.world.pages), Recorder()
            conversation = await world.conversation(*selected)
            ask = ChatRequest("run", QUESTION, follower, agent="agent")
            turns.start(conversation, ask).follow(follower, follower)
            async with asyncio.timeout(LIMIT_S):
                await follower.over.wait()
            await turns.aclose()
            return model.left


async def main() -> None:
    """Measure."""
    files = tree(our_revision())
    able = [
        path
        for path, data in sorted(files.items())
        if path.startswith("jupyter_ac/") and path.endswith(".py") and len(data) in READ
    ]
    apart = len(able) // (STEPS + 2)
    some = able[:: max(1, apart)][: STEPS + 2]
    scales = Scales()
    try:
        lefts = await run(files, some[:2], some[2:])
        played = await weigh(lefts, scales)
    finally:
        await scales.aclose()
    assert len(lefts) == STEPS + 1, f"{len(lefts)} requests left"
    units, best = sum(bill.cost for bill in played.marked), best_marked(played.sent)
    sys.stderr.write(
        f"{len(lefts)} requests, {played.plain} tokens: {units:.0f} units, "
        f"{units / played.plain:.3f} of no cache\n"
    )
    rival = "the best possible", [1.0]
    at_most(f"run of {STEPS} steps", [units / best], "of the best", MOST_OVER_BEST, rival).emit()


if __name__ == "__main__":
    asyncio.run(main())
