"""A world whose model acts: turns over the real loop in a real repository."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from jupyter_ac.agent.commands.command import CommandRunner
from jupyter_ac.agent.limits import RunLimits
from jupyter_ac.agent.run_undo import RunUndo
from jupyter_ac.agent.tool import Tool
from jupyter_ac.agent.tools.reading import ReadFileTool
from jupyter_ac.agent.tools.result_text import ResultMasker
from jupyter_ac.agent.tools.running import AskedCommands, ReadOutputTool, RunCommandTool, StopTool
from jupyter_ac.agent.tools.user import AskUserTool, DoneTool
from jupyter_ac.agent.workspace_agent import WorkspaceAgent
from jupyter_ac.answer_rows import CompletionResult
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.history.edit_journals import EditedTurns
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.chat.turn.runner import Turns
from jupyter_ac.git.checkpoints.restore import CheckpointRestorer
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import CompletionRequest
from jupyter_ac.tool_rows import RunRow
from tests.agent.runs import LIMITS, NoSandbox, RunWorld
from tests.agent.tools.calls import checked
from tests.chat.edited import EditWorld, Reply, edit, editing
from tests.support.json_values import JsonValue

READ = ToolCall("r1", "read_file", '{"path": "a.txt"}')
GOOD = edit("a.txt", "one\n", "ONE\n")


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
        writers = runs.writers
        restorer = CheckpointRestorer(
            runs.store, writers.locks, writers.changer, lambda _paths: None
        )
        return RunUndo(restorer, keep)


async def _quarter(text: str) -> int:
    return len(text) // 4


@asynccontextmanager
async def acting(
    folder: Path, *tools: Tool, files: dict[str, str | bytes] | None = None
) -> AsyncIterator[ActingWorld]:
    """Serve a repository whose model can read files, run commands, ask, end, and call `tools`."""
    async with editing(folder, files or {"a.txt": "one\ntwo\n", "b.txt": "b\n"}) as edits:
        runner = CommandRunner(edits.folder.root, NoSandbox(edits.repository))
        masker = ResultMasker({})
        runs = RunWorld(edits.folder, edits.repository, [])
        commands = AskedCommands(runner, runs.background, masker)
        read = checked(edits.repository)
        own: tuple[Tool, ...] = (
            ReadFileTool(read, masker),
            RunCommandTool(commands),
            ReadOutputTool(commands),
            StopTool(commands),
            AskUserTool(),
            DoneTool(),
        )
        runs.tools += [*own, *tools]
        world = ActingWorld(edits, runs)

        async def hashes(
            conversation: Conversation, paths: Collection[RepoPath]
        ) -> Mapping[RepoPath, str]:
            found = [(path, await read.read(conversation, path)) for path in paths]
            return {path: file.block.source for path, file in found}

        agent = WorkspaceAgent(
            replace(runs.parts, hashes=hashes, rules=replace(runs.rules, count_tokens=_quarter)),
            lambda: world.limits,
            runs.checkpoints,
        )
        edits.model.usd = 0.001
        edits.model.info = replace(edits.model.info, takes_tools=True)
        edits.ports = replace(edits.ports, agent=agent)
        edits.turns = Turns(edits.ports, edits.world.pages)
        try:
            yield world
        finally:
            await runs.background.aclose()


def calling(*calls: ToolCall, text: str = "") -> Reply:
    return Reply(text, calls=calls)


def run_of(result: CompletionResult) -> RunRow:
    assert "error" not in result, result
    return result["run"]


def text_of(message: JsonValue) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def require_whole(messages: list[JsonValue]) -> None:
    """Results of calls stand behind their calls, all of them, and no text is empty."""
    wanted: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == wanted.pop(0)
        else:
            assert wanted == []
        wanted += [one["id"] for one in message.get("tool_calls", [])]
        assert message["content"] or message.get("tool_calls")
    assert wanted == []
    roles = [message["role"] for message in messages if message["role"] != "tool"]
    assert roles == ["system", *["user", "assistant"] * (len(roles) // 2 - 1), "user"]
