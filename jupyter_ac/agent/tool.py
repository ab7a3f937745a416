"""A tool: its definition for the model, what it asks the user before it runs, and its work."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.ids import RepoPath, RequestId

Arguments: TypeAlias = Mapping[str, object]
"""Of a call, decoded and checked by the schema of its definition."""


class Right(StrEnum):
    """What a tool needs."""

    READ = "read"
    """Reads what is in the repository or was recorded; changes and sends nothing."""

    EXECUTE = "execute"
    """Runs code or acts in a page."""

    NETWORK = "network"
    """Sends something to an address."""

    USER = "user"
    """Asks the user, or ends the run."""


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool as the model is told of it.

    Attributes:
        name: in lower case, with underscores.
        description: what it does, what it returns, its limits.
        parameters: JSON schema of its arguments: an object without further members.
        right: what it needs.
        is_foreign: the schema is somebody else's, who checks the arguments.
    """

    name: str
    description: str
    parameters: Mapping[str, object]
    right: Right
    is_foreign: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What the user is asked before a call runs.

    Attributes:
        text: the exact command, cell, path or address.
        why: why this asks, in a sentence.
        argv: the arguments of a command, its program first; () for anything else.
        prefix: the leading arguments that may be allowed from now on; () where that isn't offered.
        origin: of an address.
        is_sandboxed: it runs in a sandbox.
        warning: what the user should know before; "" for nothing.
        wants_text: the answer is a text.
        only_once: it can't be allowed for longer.
        keeps_whole: the command may be allowed from now on, as a whole, without a sandbox; its
            `prefix` is all of it.
    """

    text: str
    why: str = ""
    argv: tuple[str, ...] = ()
    prefix: tuple[str, ...] = ()
    origin: str = ""
    is_sandboxed: bool = False
    warning: str = ""
    wants_text: bool = False
    only_once: bool = False
    keeps_whole: bool = False


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The run in which a tool is called.

    Attributes:
        conversation: of the run.
        request_id: the front end's name of its turn.
        call_id: of the call.
        answer: the user's text, for a question that wants one.
        seen: the hash of a file's block as the model has it in this run; "" for none.
        progress: tells the user how far the call is; returns at once.
    """

    conversation: Conversation
    request_id: RequestId
    call_id: str
    answer: str
    seen: Callable[[RepoPath], str]
    progress: Callable[[str], None]


class Tool(Protocol):
    """A tool that a model may call.

    Attributes:
        definition: as the model is told of it.
    """

    definition: ToolDefinition

    def title(self, arguments: Arguments) -> str:
        """Say in one line what a call does: the command, the path, the address."""

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Return what the user is asked before it runs; None: it runs without asking.

        Raises:
            AcError: the call can't be made; the message goes to the model.
        """

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Do the work; cancelling it ends everything that it has started.

        Raises:
            AcError: it failed; the message goes to the model.
        """
