"""Calls tools as the engine does: the question first, then the run."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from jupyter_ac.agent.tool import Arguments, Question, Tool, ToolContext
from jupyter_ac.agent.tools.checked_files import CheckedFiles
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.open_notebooks import OpenNotebook
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.ids import ConversationKey, Identity, RepoPath, RequestId
from tests.support.exclusions import none_excluded
from tests.support.repositories import RepositoryFolder, make_repository

ADA = Identity("ada")
KEY = "sk-proj-Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9"
NOTHING: Mapping[str, object] = {}


class Caller:
    """A run of one conversation.

    Attributes:
        conversation: of the run.
        seen: hashes of the files that it has seen.
        told: what was told of the progress.
        answer: the user's text.
    """

    def __init__(self, identity: Identity = ADA, run: str = "1700000000000-abcdef") -> None:
        self.conversation = Conversation(ConversationKey(identity))
        self.seen: dict[RepoPath, str] = {}
        self.told: list[str] = []
        self.answer = ""
        self._run = RequestId(run)
        self._calls = 0

    def context(self) -> ToolContext:
        """Begin a call."""
        self._calls += 1
        return ToolContext(
            self.conversation,
            self._run,
            f"call_{self._calls}",
            self.answer,
            lambda path: self.seen.get(path, ""),
            self.told.append,
        )

    async def question(self, tool: Tool, **arguments: object) -> Question | None:
        """Return what a call asks."""
        return await tool.question(arguments, self.context())

    async def allowed(self, tool: Tool, **arguments: object) -> ToolResult:
        """Make a call; whatever it asks, the user allows."""
        assert tool.title(arguments) == " ".join(tool.title(arguments).split())
        context = self.context()
        await tool.question(arguments, context)
        return await tool.run(arguments, context)

    async def text(self, tool: Tool, **arguments: object) -> str:
        """Make a call that mustn't ask, and return its text."""
        context = self.context()
        assert await tool.question(arguments, context) is None
        result = await tool.run(arguments, context)
        result.text.encode()
        assert not result.is_error
        return result.text

    async def unasked(self, tool: Tool, **arguments: object) -> ToolResult:
        """Make a call without its question, which no engine does."""
        return await tool.run(arguments, self.context())


def folder_of(tmp_path: Path, files: dict[str, str | bytes] | None = None) -> RepositoryFolder:
    return make_repository(tmp_path / "repo", files or {"a.py": "x = 1\n"})


async def opened(folder: RepositoryFolder) -> Repository:
    return await discover(folder.root)


def checked(
    repository: Repository, notebooks: Mapping[RepoPath, OpenNotebook] | None = None
) -> CheckedFiles:
    """Files without pages, or with these notebooks open."""

    async def ask(
        _key: ConversationKey, paths: Collection[RepoPath], _outputs: Collection[str]
    ) -> Mapping[RepoPath, OpenNotebook]:
        return {path: one for path, one in (notebooks or {}).items() if path in paths}

    return CheckedFiles(repository, RepositoryFiles(repository, excluded=none_excluded), ask)


Maker = Callable[[Repository], Tool]


async def made(folder: RepositoryFolder, make: Maker) -> Tool:
    return make(await opened(folder))


def arguments_of(**given: object) -> Arguments:
    return given
