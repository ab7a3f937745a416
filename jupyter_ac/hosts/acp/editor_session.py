"""A session of an editor: its prompts are turns of one conversation, told as they come."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from acp import RequestError
from acp.helpers import update_agent_message_text, update_agent_thought_text
from acp.interfaces import Client
from acp.schema import (
    AgentMessageChunk,
    AgentPlanUpdate,
    AgentThoughtChunk,
    PermissionOption,
    PromptResponse,
    StopReason,
    ToolCallProgress,
    ToolCallStart,
    ToolCallUpdate,
)

from jupyter_ac.answer_rows import CompletionResult
from jupyter_ac.chat.turn.edit import ASIDE_NOTICE
from jupyter_ac.edit_rows import EditBlockRow, EditResult
from jupyter_ac.errors import AcError
from jupyter_ac.hosts.acp.engine_link import EngineLink
from jupyter_ac.hosts.acp.permissions import (
    NO_TEXT,
    REFUSE,
    answer_of,
    as_update,
    asked_call,
    chosen_option,
    options_of,
)
from jupyter_ac.hosts.acp.prompt_content import PromptContent
from jupyter_ac.hosts.acp.session_updates import (
    call_changed,
    call_started,
    edit_ended,
    edit_started,
    plan_changed,
)
from jupyter_ac.hosts.tool_questions import ENDED
from jupyter_ac.ids import new_request_id
from jupyter_ac.terminal import terminal_text
from jupyter_ac.tool_rows import AgentMode, ToolCallRow, ToolUpdate

if TYPE_CHECKING:
    from jupyter_ac.planner_rows import PlanRow

Update: TypeAlias = (
    AgentMessageChunk | AgentThoughtChunk | ToolCallStart | ToolCallProgress | AgentPlanUpdate
)

PLAN: Final = "plan"
"""The command whose text becomes a plan of tasks."""

_FAILED: Final = -32000
_APPLY: Final = "apply"
_CUT: Final[Mapping[str, StopReason]] = {"length": "max_tokens", "content_filter": "refusal"}
_REASON_STATES: Final = frozenset({"failed"})


@dataclass(slots=True)
class _Prompt:
    """A prompt that is being answered.

    Attributes:
        request_id: of its turn.
        events: what the engine tells, in order.
        text: of the answer so far.
        calls: ids of tool calls and edits that are shown.
        asking: the questions that wait for the editor.
    """

    request_id: str
    events: "asyncio.Queue[tuple[str, tuple[object, ...]]]" = field(default_factory=asyncio.Queue)
    text: str = ""
    calls: set[str] = field(default_factory=set)
    asking: dict[str, "asyncio.Task[None]"] = field(default_factory=dict)


class EditorSession:
    """One session.

    Args:
        client: the editor.

    Attributes:
        client: the editor.
        session_id: as the editor knows it; set before the first prompt.
        mode: how answers may act.
        link: to the workspace; set before the first prompt.
    """

    link: EngineLink

    def __init__(self, client: Client) -> None:
        self.session_id = ""
        self.mode: AgentMode = "agent"
        self.client = client
        self._prompt: _Prompt | None = None

    def heard(self, event: str, *arguments: object) -> None:
        """Take an event of the engine."""
        prompt = self._prompt
        if prompt is not None and _request_of(event, arguments) in {prompt.request_id, None}:
            prompt.events.put_nowait((event, arguments))

    def cancel(self) -> None:
        """Stop the answer that is being made, if there is one; its prompt ends as cancelled."""
        if self._prompt is not None:
            self.link.notify("LLMService.cancel_streaming", self._prompt.request_id)

    async def answer(self, content: PromptContent) -> PromptResponse:
        """Ask, tell the editor what comes, and return how the turn ended.

        Raises:
            RequestError: the prompt can't be taken, or the turn has failed; says why.
        """
        if self._prompt is not None:
            raise RequestError(_FAILED, "An answer is being made in this session; cancel it first.")
        prompt = self._prompt = _Prompt(new_request_id())
        try:
            for notice in content.notices:
                await self.tell(update_agent_message_text(f"{notice}\n\n"))
            command, _, rest = content.text.strip().partition(" ")
            if command == f"/{PLAN}":
                return await self._plan(rest)
            await self._ask(prompt, content)
            return await self._follow(prompt)
        except AcError as error:
            raise RequestError(_FAILED, error.message) from error
        except asyncio.CancelledError:
            self.cancel()
            raise
        finally:
            self._prompt = None
            for asking in prompt.asking.values():
                asking.cancel()

    async def tell(self, update: Update) -> None:
        """Send an update of the session."""
        await self.client.session_update(self.session_id, update)

    async def _ask(self, prompt: _Prompt, content: PromptContent) -> None:
        images = [await self._kept_image(uri) for uri in content.images]
        if content.files:
            state = await self.link.call("LLMService.get_current_state")
            ticked = cast("Sequence[str]", state["selected_files"])
            files = list(dict.fromkeys((*ticked, *content.files)))
            await self.link.call("LLMService.set_selected_files", files)
        rest = (None, images or None, None, None, False, None, self.mode)
        asked = (prompt.request_id, content.text, *rest)
        await self.link.call("LLMService.chat_streaming", *asked)

    async def _kept_image(self, data_uri: str) -> object:
        return (await self.link.call("LLMService.put_image", data_uri))["id"]

    async def _plan(self, request: str) -> PromptResponse:
        made = await self.link.call("Planner.create_plan", request)
        plan = cast("PlanRow", made["plan"])
        await self.tell(plan_changed(plan))
        text = f"{plan['explanation']}\n\nThe plan {plan['id']} waits for approval in jupyter_ac."
        await self.tell(update_agent_message_text(terminal_text(text).strip()))
        return PromptResponse(stop_reason="end_turn")

    async def _follow(self, prompt: _Prompt) -> PromptResponse:
        tellers: Mapping[str, Callable[..., Awaitable[None]]] = {
            "streamDelta": self._grew,
            "streamReasoning": self._thought,
            "editBlocks": self._edits_came,
            "toolUpdated": self._acted,
        }
        while True:
            event, arguments = await prompt.events.get()
            if event == "streamComplete":
                return await self._ended(prompt, cast("CompletionResult", arguments[1]))
            if event in tellers:
                await tellers[event](prompt, *arguments)

    async def _grew(self, prompt: _Prompt, _request_id: str, _offset: int, text: str) -> None:
        prompt.text += text
        await self.tell(update_agent_message_text(text))

    async def _thought(self, _prompt: _Prompt, _request_id: str, _offset: int, text: str) -> None:
        await self.tell(update_agent_thought_text(text))

    async def _edits_came(
        self, prompt: _Prompt, _request_id: str, blocks: Sequence[EditBlockRow]
    ) -> None:
        for block in blocks:
            call_id = _edit_id(prompt, block["index"])
            if block["complete"] and block["file"] and call_id not in prompt.calls:
                prompt.calls.add(call_id)
                root = self.link.repository.root
                await self.tell(edit_started(block, prompt.text, root, call_id))

    async def _acted(self, prompt: _Prompt, update: ToolUpdate) -> None:
        row = update.get("call")
        if row is None:
            return
        call_id = f"{prompt.request_id}-{row['call_id']}"
        if call_id not in prompt.calls:
            prompt.calls.add(call_id)
            await self.tell(call_started(row, self.link.repository.root, call_id))
        if row["status"] != "waiting":
            await self.tell(call_changed(row, call_id))
            if row["status"] in ENDED and (asking := prompt.asking.pop(call_id, None)) is not None:
                asking.cancel()
        elif call_id not in prompt.asking:
            work = self._consent(prompt, row, call_id)
            prompt.asking[call_id] = asyncio.create_task(work, name="permission")

    async def _consent(self, prompt: _Prompt, row: ToolCallRow, call_id: str) -> None:
        """Have the editor's user decide on a call that waits."""
        question = row["question"]
        if question is None:
            return
        answer = NO_TEXT
        if not question["wants_text"]:
            asked = asked_call(row, question, call_id)
            response = await self.client.request_permission(
                self.session_id, asked, options_of(question)
            )
            answer = answer_of(response, question)
        self.link.notify(
            "LLMService.answer_tool",
            prompt.request_id,
            row["call_id"],
            answer.decision,
            answer.scope,
            answer.text,
        )

    async def _ended(self, prompt: _Prompt, result: CompletionResult) -> PromptResponse:
        whole = result["response"]
        if whole.startswith(prompt.text) and len(whole) > len(prompt.text):
            await self._grew(prompt, prompt.request_id, 0, whole[len(prompt.text) :])
        await self._edits_came(prompt, prompt.request_id, result["edit_blocks"])
        for row in result["edit_results"]:
            if _edit_id(prompt, row["index"]) in prompt.calls:
                await self._edit_ended(prompt, row)
        run = result.get("run")
        # The editor's user decides here, not in the panel.
        said = [notice for notice in result.get("notices", ()) if notice != ASIDE_NOTICE]
        if run is not None and run["state"] in _REASON_STATES and run["reason"]:
            said.append(run["reason"])
        if said:
            await self.tell(update_agent_message_text("\n\n" + "\n".join(said)))
        if result.get("cancelled"):
            return PromptResponse(stop_reason="cancelled")
        if error := result.get("error"):
            raise RequestError(_FAILED, terminal_text(error))
        if run is not None and run["state"] == "limit":
            return PromptResponse(stop_reason="max_turn_requests")
        return PromptResponse(stop_reason=_CUT.get(result["finish_reason"] or "", "end_turn"))

    async def _edit_ended(self, prompt: _Prompt, row: EditResult) -> None:
        call_id = _edit_id(prompt, row["index"])
        ended = edit_ended(row, self.link.repository.root, call_id)
        if row["status"] != "pending":
            await self.tell(ended)
            return
        chosen = await self._chosen(as_update(ended))
        method = "apply_edits" if chosen == _APPLY else "reject_edits"
        decided = await self.link.call(f"LLMService.{method}", prompt.request_id, [row["index"]])
        rows = cast("Sequence[EditResult]", decided.get("results", ()))
        for each in rows:
            if each["index"] == row["index"]:
                await self.tell(edit_ended(each, self.link.repository.root, call_id))

    async def _chosen(self, call: ToolCallUpdate) -> str:
        options = [
            PermissionOption(option_id=_APPLY, name="Apply", kind="allow_once"),
            PermissionOption(option_id=REFUSE, name="Reject", kind="reject_once"),
        ]
        return chosen_option(await self.client.request_permission(self.session_id, call, options))


def _edit_id(prompt: _Prompt, index: int) -> str:
    return f"{prompt.request_id}-edit-{index}"


def _request_of(event: str, arguments: Sequence[object]) -> object:
    """Return the turn that an event is about; None for one about none."""
    if event == "planUpdated":
        return None
    first = arguments[0] if arguments else None
    return first.get("request_id") if isinstance(first, dict) else first
