"""A world whose model edits the files of a real repository, through the real applier."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupyter_ac.answer_rows import CompletionResult
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.edits.edit_decisions import Decider, last_undoable
from jupyter_ac.chat.edits.ports import EditPorts
from jupyter_ac.chat.edits.recovery import Recovery
from jupyter_ac.chat.edits.undoing.undoing import Undone
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.before_images import BeforeImages
from jupyter_ac.chat.history.edit_journals import EditedTurns
from jupyter_ac.chat.history.sent_rows import CompactionStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.open_notebooks import OpenNotebook
from jupyter_ac.chat.ports import LogPorts
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.chat.writing_turns import WritingTurns
from jupyter_ac.errors import Conflict
from jupyter_ac.events import Event, StreamComplete
from jupyter_ac.git.excluded_paths import NONE_EXCLUDED, ExcludedPaths
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.write_commands import RepositoryWriter
from jupyter_ac.git.writing import FileLocks
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.models.client import (
    CompletedAnswer,
    CompletionRequest,
    PromptProgress,
    Retry,
    Usage,
)
from jupyter_ac.settings.app import EditSettings
from jupyter_ac.store.locks import NamedLocks
from jupyter_ac.store.sqlite import Database
from jupyter_ac.tool_rows import AgentMode
from tests.chat.memory import ADA, Recorder, ScriptedModel, World, memory_book
from tests.support.histories import history_in
from tests.support.open_notebooks import PageDocument, opened
from tests.support.repositories import RepositoryFolder, make_repository

LIMIT_S = 90.0


def edit(path: str, old: str, new: str) -> str:
    """A block as a model writes it."""
    return f"{path}\n🟧🟧🟧 EDIT\n{old}🟨🟨🟨 REPL\n{new}🟩🟩🟩 END\n"


@dataclass
class Reply:
    """One answer of the model.

    Attributes:
        text: what it writes.
        finish_reason: how it ends.
        error: raised behind the text.
        hold: waited for behind the text.
        calls: of tools; the answer ends with them.
        thinking: signed parts of the reasoning.
    """

    text: str
    finish_reason: str | None = "stop"
    error: Exception | None = None
    hold: asyncio.Event | None = None
    calls: tuple[ToolCall, ...] = ()
    thinking: tuple[Mapping[str, object], ...] = ()


@dataclass
class EditingModel(ScriptedModel):
    """Gives the replies one after another; each piece is three characters long."""

    replies: list[Reply] = field(default_factory=list)
    pace_s: float = 0.0
    usd: float = 0.5
    weighs: bool = False
    """It says how long its requests are, a token for four characters."""

    async def complete(
        self,
        request: CompletionRequest,
        on_text: Callable[[str], None],
        on_progress: Callable[[PromptProgress | Retry], None] | None = None,
        on_reasoning: Callable[[str], None] | None = None,
    ) -> CompletedAnswer:
        if on_progress is None:
            return await self._answer_aside()
        assert on_reasoning is not None
        self.requests.append(request)
        reply = self.replies.pop(0)
        for at in range(0, len(reply.text), 3):
            on_text(reply.text[at : at + 3])
            if self.pace_s:
                await asyncio.sleep(self.pace_s)
        self.began.set()
        if reply.hold is not None:
            await reply.hold.wait()
        if reply.error is not None:
            raise reply.error
        ended = "tool_calls" if reply.calls else reply.finish_reason
        size = sum(len(str(message)) for message in request.messages) // 4 if self.weighs else 100
        usage = Usage(size, 10, cost_usd=self.usd)
        return CompletedAnswer(reply.text, ended, usage, calls=reply.calls, thinking=reply.thinking)


class Hearers:
    """Remembers what is told of changed files."""

    def __init__(self) -> None:
        self.told: list[Event] = []

    def publish(self, event: Event) -> None:
        self.told.append(event)


@dataclass
class EditWorld:
    """A repository, a conversation about it, and a model that edits it.

    Attributes:
        settings: how edits are taken, live.
        unsaved: files open with unsaved changes.
        documents: notebooks that are open in a page.
        is_reviewing: whether a review is under way.
        excluded: files of which nothing is sent.
    """

    folder: RepositoryFolder
    repository: Repository
    database: Database
    state: Path
    model: EditingModel = field(default_factory=EditingModel)
    settings: EditSettings = field(default_factory=EditSettings)
    unsaved: Collection[RepoPath] = ()
    documents: dict[str, PageDocument] = field(default_factory=dict)
    is_reviewing: bool = False
    excluded: ExcludedPaths = NONE_EXCLUDED
    hearers: Hearers = field(default_factory=Hearers)

    def __post_init__(self) -> None:
        self.world = World(model=self.model)
        self.world.gate.open()
        self.history = HistoryStore(self.database, self.repository.worktree)
        files = RepositoryFiles(self.repository, excluded=self._excluded)
        self.book = memory_book(self.history, files)
        exclusive = NamedLocks(self.state)
        self.applier = Applier(
            self.repository,
            FileLocks(self.repository, exclusive),
            RepositoryWriter(self.repository, exclusive),
            self.hearers.publish,
            BeforeImages(self.database, self.repository.worktree),
            self._excluded,
        )
        self.ports = replace(
            self.world.ports(),
            files=files,
            history=self.history,
            edits=self._edit_ports(),
            log=LogPorts(CompactionStore(self.database), lambda: self.world.settings),
        )
        self.book.mend = Recovery(self.ports.edits).mend
        self.turns = Turns(self.ports, self.world.pages)
        self.decider = Decider(self.ports.edits)

    async def _excluded(self) -> ExcludedPaths:
        return self.excluded

    def _edit_ports(self) -> EditPorts:
        async def open_notebooks(
            _seat: ConversationKey, paths: Collection[RepoPath], _outputs: Collection[str]
        ) -> Mapping[RepoPath, OpenNotebook]:
            return await opened(self.documents)(paths)

        async def unsaved(_seat: ConversationKey) -> Collection[RepoPath]:
            return self.unsaved

        async def select(
            conversation_key: ConversationKey,
            paths: Sequence[RepoPath],
            by_program: Collection[RepoPath],
        ) -> None:
            await self.book.select(await self.book.open(conversation_key), paths, by_program)

        return EditPorts(
            applier=self.applier,
            exists=lambda path: (self.folder.root / path).is_file(),
            settings=lambda: self.settings,
            is_reviewing=lambda: self.is_reviewing,
            unsaved=unsaved,
            open_notebooks=open_notebooks,
            keep=EditedTurns(self.database).keep,
            select=select,
            writing=WritingTurns(self.state),
        )

    async def conversation(self, *selected: str) -> Conversation:
        """Open Ada's conversation, with some files selected."""
        conversation = await self.book.open(ConversationKey(ADA))
        if selected:
            await self.book.select(conversation, selected)
        return conversation

    async def ask(
        self,
        conversation: Conversation,
        *replies: Reply | str,
        number: int = 1,
        mode: AgentMode = "ask",
    ) -> CompletionResult:
        """ChatRequest, and give the result."""
        follower = self.start(conversation, *replies, number=number, mode=mode)
        return await result_of(follower)

    def start(
        self,
        conversation: Conversation,
        *replies: Reply | str,
        number: int = 1,
        mode: AgentMode = "ask",
    ) -> Recorder:
        """ChatRequest, and give what follows the answer."""
        self.model.replies = [Reply(each) if isinstance(each, str) else each for each in replies]
        asked = ChatRequest(f"r{number}", f"Question {number}", object(), agent=mode)
        stream = self.turns.start(conversation, asked)
        follower = Recorder()
        stream.follow(follower, follower)
        return follower

    async def undo(
        self, conversation: Conversation, request_id: str = "", confirmed: Collection[str] = ()
    ) -> tuple[TurnRecord, Undone]:
        """Take back the last turn's edits, or raise why not."""
        last = last_undoable(conversation.session, request_id)
        turn, undone = await self.decider.undo(conversation, last, (), confirmed)
        if undone.reason:
            raise Conflict(undone.reason)
        return turn, undone

    def text(self, path: str) -> str:
        """A file as it is."""
        return (self.folder.root / path).read_bytes().decode()


async def result_of(follower: Recorder) -> CompletionResult:
    """Wait for the end of a turn."""
    await asyncio.wait_for(follower.over.wait(), LIMIT_S)
    (completion,) = [event for event in follower.told if isinstance(event, StreamComplete)]
    return completion.result


@asynccontextmanager
async def editing(folder: Path, files: dict[str, str | bytes]) -> AsyncIterator[EditWorld]:
    """Serve a repository with these files."""
    made = make_repository(folder / "repo", files)
    async with editing_again(made, folder) as world:
        yield world


@asynccontextmanager
async def editing_again(made: RepositoryFolder, folder: Path) -> AsyncIterator[EditWorld]:
    """Serve a repository that is there, as a host does from its start to its end."""
    state = folder / "state"
    state.mkdir(exist_ok=True)
    database = history_in(state)
    world = EditWorld(made, await discover(made.root), database, state)
    try:
        yield world
    finally:
        await world.turns.aclose()
        await database.aclose()


def statuses(result: CompletionResult) -> Sequence[str]:
    """How the blocks stand, in order."""
    return [row["status"] for row in result["edit_results"]]
