"""The agent that an editor talks to: its sessions, each with a conversation in a repository."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, TypeAlias, cast, get_args

from acp import PROTOCOL_VERSION, RequestError
from acp.helpers import (
    update_agent_message_text,
    update_available_commands,
    update_user_message_text,
)
from acp.interfaces import Client
from acp.schema import (
    AgentCapabilities,
    AuthenticateResponse,
    AvailableCommand,
    AvailableCommandInput,
    ClientCapabilities,
    Implementation,
    InitializeResponse,
    ListSessionsResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PromptCapabilities,
    PromptResponse,
    SessionCapabilities,
    SessionInfo,
    SessionListCapabilities,
    SessionMode,
    SessionModeState,
    SetSessionModeResponse,
    UnstructuredCommandInput,
)

from jupyter_ac.errors import AcError
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.hosts.acp.editor_session import PLAN, EditorSession
from jupyter_ac.hosts.acp.engine_link import EngineLink
from jupyter_ac.hosts.acp.prompt_content import ContentBlock, read_prompt
from jupyter_ac.hosts.acp.session_updates import call_changed, call_started
from jupyter_ac.hosts.assembly import LocalHost
from jupyter_ac.message_rows import ChatMessage
from jupyter_ac.services.llm.shapes import ListedSession
from jupyter_ac.tool_rows import AgentMode
from jupyter_ac.version import __version__

MAX_SESSIONS: Final = 50
MAX_LISTED: Final = 200

Extra: TypeAlias = object
"""A member of a message that the agent doesn't use."""

_FAILED: Final = -32000
_MODES: Final[Mapping[AgentMode, tuple[str, str]]] = {
    "ask": ("Ask", "Answers without tools."),
    "plan": ("Plan", "Reads the repository, changes nothing, ends with a proposal."),
    "agent": ("Agent", "Reads and edits; asks before it runs anything or leaves this machine."),
    "sandbox": ("Agent in the sandbox", "Runs by itself what the sandbox holds."),
}
_REFUSED_SERVERS: Final = (
    "The editor's MCP servers aren't used; name them in mcp.json of jupyter_ac's configuration "
    "directory.\n\n"
)


class EngineAgent:
    """Answers one editor.

    Args:
        host: has the workspaces.
    """

    def __init__(self, host: LocalHost) -> None:
        self._host = host
        self._client: Client | None = None
        self._sessions: dict[str, EditorSession] = {}
        self._closing = AsyncExitStack()

    def on_connect(self, conn: Client) -> None:
        """Take the connection to the editor."""
        self._client = conn

    async def aclose(self) -> None:
        """End the answers and the connections of all sessions."""
        for session in self._sessions.values():
            session.cancel()
        await self._closing.aclose()

    async def initialize(
        self,
        protocol_version: int,
        client_capabilities: ClientCapabilities | None = None,
        client_info: Implementation | None = None,
        **_extra: Extra,
    ) -> InitializeResponse:
        """Say what the agent can do."""
        del protocol_version, client_capabilities, client_info
        prompts = PromptCapabilities(image=True, audio=False, embedded_context=True)
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION,
            agent_capabilities=AgentCapabilities(
                load_session=True,
                prompt_capabilities=prompts,
                session_capabilities=SessionCapabilities(list=SessionListCapabilities()),
            ),
            agent_info=Implementation(name="jupyter_ac", title="jupyter_ac", version=__version__),
            auth_methods=[],
        )

    async def authenticate(self, method_id: str, **_extra: Extra) -> AuthenticateResponse:
        """Refuse: there are no ways to log in.

        Raises:
            RequestError: always.
        """
        raise RequestError(
            _FAILED,
            f"There is no login {method_id[:80]!r}; keys are set in jupyter_ac's settings.",
        )

    async def new_session(
        self,
        cwd: str,
        additional_directories: Sequence[str] | None = None,
        mcp_servers: Sequence[object] | None = None,
        **_extra: Extra,
    ) -> NewSessionResponse:
        """Begin a conversation in the repository of a folder.

        Raises:
            RequestError: the folder is in no repository, or there are too many sessions.
        """
        del additional_directories
        session = await self._opened(cwd)
        state = await session.link.call("LLMService.get_current_state")
        self._keep(session, str(state["session_id"]))
        await self._introduce(session, has_servers=bool(mcp_servers))
        return NewSessionResponse(session_id=session.session_id, modes=_modes(session.mode))

    async def load_session(
        self,
        cwd: str,
        session_id: str,
        mcp_servers: Sequence[object] | None = None,
        additional_directories: Sequence[str] | None = None,
        **_extra: Extra,
    ) -> LoadSessionResponse:
        """Go on with a conversation of the history, and tell the editor what was said in it.

        Raises:
            RequestError: there is no such conversation in this repository.
        """
        del additional_directories
        session = await self._opened(cwd)
        method = "LLMService.load_session_into_context"
        try:
            loaded = await session.link.call(method, session_id)
        except AcError as error:
            raise RequestError(_FAILED, error.message) from error
        self._keep(session, session_id)
        for message in cast("Sequence[ChatMessage]", loaded["messages"]):
            await _retell(session, message)
        await self._introduce(session, has_servers=bool(mcp_servers))
        return LoadSessionResponse(modes=_modes(session.mode))

    async def list_sessions(
        self, cwd: str | None = None, cursor: str | None = None, **_extra: Extra
    ) -> ListSessionsResponse:
        """List the conversations of a folder's repository, the one used last first.

        Without a folder, those of the repositories in which there are sessions.

        Raises:
            RequestError: the folder is in no repository.
        """
        del cursor
        roots = {str(session.link.repository.root) for session in self._sessions.values()}
        found: list[SessionInfo] = []
        try:
            for folder in [cwd] if cwd is not None else sorted(roots):
                async with EngineLink(self._host, await _repository(folder), _unheard) as link:
                    listed = await link.call("LLMService.history_list_sessions", MAX_LISTED)
                rows = cast("Sequence[ListedSession]", listed["result"])
                found += [_session_info(row, folder) for row in rows if row["trusted"]]
        except AcError as error:
            raise RequestError(_FAILED, error.message) from error
        return ListSessionsResponse(sessions=found)

    async def set_session_mode(
        self, session_id: str, mode_id: str, **_extra: Extra
    ) -> SetSessionModeResponse:
        """Choose how the next answers may act.

        Raises:
            RequestError: there is no such session or mode.
        """
        session = self._session(session_id)
        if mode_id not in get_args(AgentMode):
            raise RequestError.invalid_params({"modeId": f"is one of {', '.join(_MODES)}"})
        session.mode = cast("AgentMode", mode_id)
        return SetSessionModeResponse()

    async def prompt(
        self, session_id: str, prompt: Sequence[ContentBlock], **_extra: Extra
    ) -> PromptResponse:
        """Answer a prompt.

        Raises:
            RequestError: it can't be answered; says why.
        """
        session = self._session(session_id)
        return await session.answer(read_prompt(prompt, session.link.repository.root))

    async def cancel(self, session_id: str, **_extra: Extra) -> None:
        """Stop the answer of a session."""
        if (session := self._sessions.get(session_id)) is not None:
            session.cancel()

    async def _opened(self, cwd: str) -> EditorSession:
        """Connect a new session to the workspace of a folder."""
        if self._client is None:
            raise RequestError.internal_error()
        if len(self._sessions) >= MAX_SESSIONS:
            raise RequestError(_FAILED, f"There are {MAX_SESSIONS} sessions; start another agent.")
        session = EditorSession(self._client)
        try:
            link = EngineLink(self._host, await _repository(cwd), session.heard)
            session.link = await self._closing.enter_async_context(link)
        except AcError as error:
            raise RequestError(_FAILED, error.message) from error
        return session

    def _keep(self, session: EditorSession, session_id: str) -> None:
        session.session_id = session_id
        self._sessions[session_id] = session

    def _session(self, session_id: str) -> EditorSession:
        found = self._sessions.get(session_id)
        if found is None:
            raise RequestError.invalid_params({"sessionId": "names no session of this agent"})
        return found

    async def _introduce(self, session: EditorSession, *, has_servers: bool) -> None:
        """Tell the editor of the commands, after the answer that names the session."""
        if self._client is None:
            return
        hint = AvailableCommandInput(UnstructuredCommandInput(hint="what is to be done"))
        command = AvailableCommand(
            name=PLAN, description="Split a request into tasks, to be approved", input=hint
        )
        client, session_id = self._client, session.session_id

        async def tell() -> None:
            await client.session_update(session_id, update_available_commands([command]))
            if has_servers:
                await session.tell(update_agent_message_text(_REFUSED_SERVERS))

        task = asyncio.create_task(tell(), name="commands of a session")
        self._closing.callback(task.cancel)


async def _repository(cwd: str) -> Repository:
    folder = Path(cwd)
    if not folder.is_absolute():
        raise RequestError.invalid_params({"cwd": "must be absolute"})
    return await discover(folder)


def _unheard(*_event: object) -> None:
    """Hear nothing: no answer is made over a link that lists."""


def _session_info(row: ListedSession, folder: str) -> SessionInfo:
    return SessionInfo(
        session_id=row["session_id"], cwd=folder, title=row["preview"], updated_at=row["updated"]
    )


async def _retell(session: EditorSession, message: ChatMessage) -> None:
    """Tell the editor a message of the history, an answer with the calls that made it."""
    client = session.client
    if message["role"] == "user":
        update = update_user_message_text(message["content"])
        await client.session_update(session.session_id, update)
    elif message["role"] == "assistant":
        run = message.get("run")
        for row in run["calls"] if run is not None else ():
            call_id = f"{message['request_id']}-{row['call_id']}"
            root = session.link.repository.root
            await session.tell(call_started(row, root, call_id))
            await session.tell(call_changed(row, call_id))
        if message["content"]:
            await session.tell(update_agent_message_text(message["content"]))


def _modes(current: AgentMode) -> SessionModeState:
    return SessionModeState(
        current_mode_id=current,
        available_modes=[
            SessionMode(id=mode, name=name, description=description)
            for mode, (name, description) in _MODES.items()
        ],
    )
