"""Runs over tools that a test makes up, in a conversation in memory."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_ac.agent.call_execution import CallRules
from jupyter_ac.agent.commands.background import BackgroundCommands
from jupyter_ac.agent.commands.command import CommandRunner
from jupyter_ac.agent.commands.leading_arguments import matches
from jupyter_ac.agent.commands.sandbox import Sandbox
from jupyter_ac.agent.grant_store import GrantStore
from jupyter_ac.agent.grants import Grants
from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.agent.run import RunOpening, RunParts, ToolRun
from jupyter_ac.agent.run_checkpoints import RunCheckpoints
from jupyter_ac.agent.tool import Arguments, Question, Right, Tool, ToolContext, ToolDefinition
from jupyter_ac.agent.tool_approvals import Decision, ToolApprovals
from jupyter_ac.agent.toolbox import Toolbox
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.edits.edit_tracker import EditTracker, TrackedAnswer
from jupyter_ac.chat.ports import RunRequest
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.chat.tool_calls import ToolCall, ToolResult
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.git.checkpoints.store import CheckpointStore
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.ids import ConversationKey, RepoPath, RequestId
from jupyter_ac.models.client import CompletedAnswer, Usage
from jupyter_ac.tool_rows import AgentMode, ToolCallRow, ToolUpdate
from tests.chat.memory import ADA, INFO
from tests.support.changing import writers_of
from tests.support.repositories import RepositoryFolder, make_repository

LIMITS = RunLimits(25, 400_000, 1.0, 15)
REQUEST = RequestId("1-aaaaaa")
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "additionalProperties": False,
}


@dataclass(eq=False)
class MadeUpTool:
    """A tool that answers with `results` in turn, the last one from then on.

    Attributes:
        asks: what it asks before it runs.
        error: it raises this in place of a result.
        held: each call waits until this is set.
        contexts: of the calls that have begun, in order.
        most_at_once: how many ran at the same time.
    """

    name: str = "look"
    right: Right = Right.READ
    results: list[ToolResult] = field(default_factory=lambda: [ToolResult("seen")])
    asks: Question | None = None
    error: Exception | None = None
    held: asyncio.Event | None = None
    contexts: list[ToolContext] = field(default_factory=list)
    most_at_once: int = 0
    _running: int = 0

    def __post_init__(self) -> None:
        self.definition = ToolDefinition(self.name, f"Does {self.name}.", SCHEMA, self.right)

    def title(self, arguments: Arguments) -> str:
        return str(arguments.get("path", ""))

    async def question(self, _arguments: Arguments, _context: ToolContext) -> Question | None:
        return self.asks

    async def run(self, _arguments: Arguments, context: ToolContext) -> ToolResult:
        self.contexts.append(context)
        self._running += 1
        self.most_at_once = max(self.most_at_once, self._running)
        try:
            await (self.held.wait() if self.held is not None else asyncio.sleep(0))
        finally:
            self._running -= 1
        if self.error is not None:
            raise self.error
        return self.results[min(len(self.contexts), len(self.results)) - 1]


async def _count(text: str) -> int:
    return len(text)


class NoSandbox(Sandbox):
    """A machine without one."""

    async def refusal(self) -> str:
        return "There is no sandbox here."


@dataclass
class RunWorld:
    """What runs need, in a real repository.

    Attributes:
        hashes: of the blocks of files, as they are now.
        told: what the front ends were told.
        is_watched: somebody can be asked.
    """

    folder: RepositoryFolder
    repository: Repository
    tools: list[Tool]
    hashes: dict[RepoPath, str] = field(default_factory=dict)
    told: list[ToolUpdate] = field(default_factory=list)
    is_watched: bool = True
    is_reviewing: bool = False
    opening: RunOpening = field(default_factory=RunOpening)
    conversation: Conversation = field(default_factory=lambda: Conversation(ConversationKey(ADA)))

    def __post_init__(self) -> None:
        self.approvals = ToolApprovals(lambda: self.is_watched)
        config = self.folder.root.parent / "config"
        self.grants = Grants(GrantStore(config, self.repository), matches)
        self.writers = writers_of(self.repository)
        self.store = CheckpointStore(self.repository, self.repository.common_dir / "jupyter_ac")
        runner = CommandRunner(self.folder.root, NoSandbox(self.repository))
        self.background = BackgroundCommands(runner)

    @property
    def rules(self) -> CallRules:
        """What calls need."""
        return CallRules(
            Toolbox(self.tools, ()), self.approvals, self.grants, lambda: self.is_reviewing, _count
        )

    @property
    def parts(self) -> RunParts:
        """What runs share."""
        return RunParts(self.rules, self._hashes, self._publish, self._opening, self.background)

    def request(self, mode: AgentMode = "agent") -> RunRequest:
        """Return what a run is begun with."""
        stream = ActiveStream(REQUEST)
        return RunRequest(self.conversation, REQUEST, "turn_1", mode, INFO, (), stream)

    def checkpoints(self, run_id: str = "turn_1") -> RunCheckpoints:
        """Return the checkpoints of a run."""
        return RunCheckpoints(self.store, run_id)

    def run(
        self,
        mode: AgentMode = "agent",
        limits: RunLimits = LIMITS,
        request: RunRequest | None = None,
        *,
        is_native: bool = True,
    ) -> ToolRun:
        """Begin a run."""
        asked = request or self.request(mode)
        return ToolRun(
            asked, self.parts, limits, self.checkpoints(), self.opening, is_native=is_native
        )

    async def decide(self, *, allow: bool, text: str = "") -> str:
        """Wait for the call that asks, and decide; return its question."""
        async with asyncio.timeout(60):
            while not self.approvals.pending(ADA):
                await asyncio.sleep(0.001)
        (asked,) = self.approvals.pending(ADA)
        self.approvals.answer(ADA, asked.key, Decision(allow=allow, text=text))
        return asked.question.text

    def rows(self) -> list[ToolCallRow]:
        """Return each state of a call that was told, in order."""
        return [update["call"] for update in self.told if "call" in update]

    async def _hashes(
        self, _conversation: Conversation, paths: Collection[RepoPath]
    ) -> Mapping[RepoPath, str]:
        return {path: self.hashes[path] for path in paths if path in self.hashes}

    def _publish(self, _request: RunRequest, update: ToolUpdate) -> None:
        self.told.append(update)

    async def _opening(self, _conversation: Conversation) -> RunOpening:
        return self.opening


async def run_world(tmp_path: Path, *tools: Tool) -> RunWorld:
    """Make a repository with two files, and what runs in it need."""
    files: dict[str, str | bytes] = {"a.txt": "one\n", "b.txt": "two\n"}
    folder = make_repository(tmp_path / "garden", files)
    return RunWorld(folder, await discover(folder.root), list(tools))


def call(name: str = "look", arguments: str = "{}", call_id: str = "c1") -> ToolCall:
    """Return a call as a model writes it."""
    return ToolCall(call_id, name, arguments)


def answer(*calls: ToolCall, text: str = "", usage: Usage | None = None) -> CompletedAnswer:
    """Return an answer with calls."""
    ended = "tool_calls" if calls else "stop"
    return CompletedAnswer(text, ended, usage or Usage(100, 10, cost_usd=0.01), calls=calls)


def tracked(given: CompletedAnswer, status: BlockStatus | None = None) -> TrackedAnswer:
    """Return an answer as it is tracked, whose blocks have all become this."""
    tracker = EditTracker()
    tracker.begin(lambda _path: True, 0)
    tracker.feed(given.text)
    tracker.end(given)
    if status is not None:
        tracker.take(BlockOutcome(block, status) for block in tracker.fresh)
    return tracker.answers[-1]
