"""An editor that talks to `jupyter ac acp`, made with the SDK's client."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from acp import PROTOCOL_VERSION, spawn_agent_process
from acp.client.connection import ClientSideConnection
from acp.schema import (
    AllowedOutcome,
    DeniedOutcome,
    PermissionOption,
    RequestPermissionResponse,
    ToolCallUpdate,
)
from pydantic import BaseModel

from tests.support.json_values import JsonValue
from tests.support.stdio_process import COMMAND

if TYPE_CHECKING:
    from acp.interfaces import Client


JsonRow: TypeAlias = dict[str, JsonValue]


class Editor:
    """Remembers what it is told; answers permission requests from a list.

    Attributes:
        updates: of all sessions, as JSON.
        asked: calls that permission was asked for, as JSON, with the offered options.
        answers: ids of the options to choose; "" dismisses the question.
    """

    def __init__(self, *answers: str) -> None:
        self.updates: list[JsonRow] = []
        self.asked: list[tuple[JsonRow, list[str]]] = []
        self.answers = list(answers)

    async def session_update(self, session_id: str, update: BaseModel, **_: object) -> None:
        row = update.model_dump(mode="json", by_alias=True, exclude_none=True)
        self.updates.append({**row, "session": session_id})

    async def request_permission(
        self,
        session_id: str,
        tool_call: ToolCallUpdate,
        options: list[PermissionOption],
        **_: object,
    ) -> RequestPermissionResponse:
        assert session_id
        row = tool_call.model_dump(mode="json", by_alias=True, exclude_none=True)
        self.asked.append((row, [option.option_id for option in options]))
        answer = self.answers.pop(0)
        if not answer:
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        outcome = AllowedOutcome(outcome="selected", option_id=answer)
        return RequestPermissionResponse(outcome=outcome)

    def of_kind(self, kind: str) -> list[JsonRow]:
        """Return the updates of a kind."""
        return [row for row in self.updates if row["sessionUpdate"] == kind]

    @property
    def said(self) -> str:
        """What the agent wrote."""
        return "".join(row["content"]["text"] for row in self.of_kind("agent_message_chunk"))

    def statuses(self) -> dict[str, str]:
        """Return the last status of each tool call, by its title."""
        titles: dict[str, str] = {}
        found: dict[str, str] = {}
        for row in self.updates:
            if row["sessionUpdate"] in {"tool_call", "tool_call_update"}:
                title = titles.setdefault(row["toolCallId"], row.get("title", ""))
                found[title] = row.get("status", found.get(title, ""))
        return found


@asynccontextmanager
async def editing(
    editor: Editor, env: Mapping[str, str], *words: str
) -> AsyncIterator[ClientSideConnection]:
    """Start the agent and greet it; it has ended afterwards."""
    program, *arguments = COMMAND
    client = cast("Client", editor)
    async with spawn_agent_process(client, program, *arguments, "acp", *words, env=dict(env)) as (
        agent,
        process,
    ):
        welcome = await agent.initialize(protocol_version=PROTOCOL_VERSION)
        assert welcome.agent_info is not None
        assert welcome.agent_info.name == "jupyter_ac"
        yield agent
    assert process.returncode is not None


def uri_of(path: Path) -> str:
    """Return the address of a file."""
    return f"file://{os.fspath(path)}"
