"""A world whose model acts: turns over the real loop in a real repository."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from jupyter_ac.agent.commands.background import BackgroundCommands
from jupyter_ac.agent.commands.command import CommandRunner
from jupyter_ac.agent.commands.sandbox import Sandbox
from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.agent.run_undo import RunUndo
from jupyter_ac.agent.tool import Tool
from jupyter_ac.agent.tools.reading import ReadFileTool
from jupyter_ac.agent.tools.result_text import ResultMasker
from jupyter_ac.agent.tools.running import AskedCommands, ReadOutputTool, RunCommandTool, StopTool
from jupyter_ac.agent.tools.user import AskUserTool, DoneTool
from jupyter_ac.agent.workspace_agent import WorkspaceAgent
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.history.edit_journals import EditedTurns
from jupyter_ac.chat.turn.runner import Turns
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import CompletionRequest
from tests.agent.runs import LIMITS, RunWorld
from tests.agent.tools.calls import checked
from tests.chat.edited import EditWorld, editing
from tests.support.json_values import JsonValue


@dataclass
class ActingWorld:
    """Turns of Ada's whose model calls tools.

    Attributes:
        edits: the repository, its history and the model.
        limits: of the next run.
        runs: what the runs need; `runs.told` is what the pages were told.
    """

    edits: EditWorld
    runs: RunWorld
    background: BackgroundCommands
    limits: RunLimits = LIMITS

    @property
    def requests(self) -> Sequence[CompletionRequest]:
        """What the model was asked."""
        return self.edits.model.requests

    def sent(self, number: int = -1) -> list[JsonValue]:
        """Return the messages of a request."""
        return [dict(message) for message in self.requests[number].messages]

    async def decide(self, *, allow: bool, text: str = "") -> str:
        """Wait for the call that asks, and decide; return its question."""
        return await self.runs.decide(allow=allow, text=text)

    def undo(self) -> RunUndo:
        """Return what takes runs back."""
        runs, keep = self.runs, EditedTurns(self.edits.database).keep
        return RunUndo(
            runs.store, runs.writers.locks, runs.writers.changer, keep, lambda _paths: None
        )


class NoSandbox(Sandbox):
    """A machine without one."""

    async def refusal(self) -> str:
        return "There is no sandbox here."


@asynccontextmanager
async def acting(
    folder: Path, *tools: Tool, files: dict[str, str | bytes] | None = None
) -> AsyncIterator[ActingWorld]:
    """Serve a repository whose model can read files, run commands, ask, end, and call `tools`."""
    async with editing(folder, files or {"a.txt": "one\ntwo\n", "b.txt": "b\n"}) as edits:
        runner = CommandRunner(edits.folder.root, NoSandbox(edits.repository))
        background = BackgroundCommands(runner)
        masker = ResultMasker({})
        commands = AskedCommands(runner, background, masker)
        read = checked(edits.repository)
        own: tuple[Tool, ...] = (
            ReadFileTool(read, masker),
            RunCommandTool(commands),
            ReadOutputTool(commands),
            StopTool(commands),
            AskUserTool(),
            DoneTool(),
        )
        runs = RunWorld(edits.folder, edits.repository, [*own, *tools])
        world = ActingWorld(edits, runs, background)

        async def hashes(
            conversation: Conversation, paths: Collection[RepoPath]
        ) -> Mapping[RepoPath, str]:
            found = [(path, await read.read(conversation, path)) for path in paths]
            return {path: file.block.source for path, file in found}

        agent = WorkspaceAgent(
            replace(runs.parts, hashes=hashes), lambda: world.limits, runs.checkpoints
        )
        edits.model.usd = 0.001
        edits.model.info = replace(edits.model.info, takes_tools=True)
        edits.ports = replace(edits.ports, agent=agent)
        edits.turns = Turns(edits.ports, edits.world.pages)
        try:
            yield world
        finally:
            await background.aclose()
