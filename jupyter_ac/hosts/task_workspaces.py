"""Carries out tasks of plans by this program's own agent, each in a workspace of its worktree."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Final

from jupyter_ac.answer_rows import CompletionResult
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.chat.turn.runner import ChatRequest
from jupyter_ac.events import CompactionEvent, Event, StreamComplete, ToolUpdated
from jupyter_ac.hosts.composition import Composition, TaskOf
from jupyter_ac.hosts.live_model import LiveModel
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.ids import ConversationKey, new_request_id
from jupyter_ac.models.client import Retry
from jupyter_ac.planner.execution.executor import Assignment, TaskAnswer
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.tool_rows import AgentMode, TaskName, ToolUpdate

MODE: Final[AgentMode] = "sandbox"
"""Nobody watches each task: what the sandbox holds runs, for all else the user is asked."""

_STOPPED: Final = "It was stopped."
_GAP: Final = re.compile(r"\n{3,}")


class TaskWorkspaces:
    """Opens workspaces for tasks: no pages, no index before it is asked, no planner.

    Args:
        user: the workspace of the user's own files.
    """

    def __init__(self, user: Composition) -> None:
        self._user = user

    @asynccontextmanager
    async def open(self, assignment: Assignment) -> AsyncIterator["AgentSession"]:
        """Open the workspace of a worktree, with a conversation of its own.

        Raises:
            AcError: there is no model.
        """
        user, worktree = self._user, assignment.worktree
        own = replace(
            worktree,
            permissions=user.repository.permissions,
            shows_jupyter_files=user.repository.shows_jupyter_files,
        )
        planner = _planner(user.planner, assignment.model)
        model = LiveModel(planner, user.resources.models.catalogue)
        await model.renew()
        links = tuple(worktree.root / name for name in assignment.links)
        made = Composition(own, user.resources, planner, model, user.database, TaskOf(user, links))
        async with AsyncExitStack() as stack:
            for close in (*made.reading, *made.working):
                stack.push_async_callback(close)
            made.ports.gate.open()
            made.subscribers.observe(_Forwarding(assignment, user.subscribers))
            aside = f"{assignment.plan_id}/{assignment.task_id}"
            conversation = await made.book.open(ConversationKey(assignment.identity, aside))
            yield AgentSession(made, conversation, assignment)


class AgentSession:
    """The conversation of a task with this program's agent.

    Args:
        made: the workspace of its worktree.
        conversation: in which the agent is asked.
        assignment: the attempt.
    """

    def __init__(
        self, made: Composition, conversation: Conversation, assignment: Assignment
    ) -> None:
        self._made, self._conversation = made, conversation
        self._assignment = assignment

    async def ask(self, prompt: str) -> TaskAnswer:
        """Have the agent run; cancelling this stops the run."""
        request_id = new_request_id()
        request = ChatRequest(request_id, prompt, self, agent=MODE)
        with self._made.agent.approvals.for_task(request_id, _name(self._assignment)):
            stream = self._made.turns.start(self._conversation, request)
            follower = _Follower(stream, self._assignment.on_text)
            stream.follow(self, follower)
            try:
                completion = await asyncio.shield(follower.completion)
            except asyncio.CancelledError:
                stream.stop()
                await asyncio.wait({follower.completion})
                raise
        return _answer(completion)


class _Follower:
    """Follows an answer to its end.

    Args:
        stream: the answer.
        on_text: gets new text.
    """

    def __init__(self, stream: ActiveStream, on_text: Callable[[str], None]) -> None:
        self.completion: asyncio.Future[CompletionResult]
        self.completion = asyncio.get_running_loop().create_future()
        self._stream, self._on_text = stream, on_text
        self._told = 0

    def grew(self) -> None:
        """Pass the new text on."""
        fresh, self._told = self._stream.answer.since(self._told), self._stream.answer.length
        self._on_text(fresh)

    def progressed(self, event: CompactionEvent | Retry) -> None:
        """Nobody is told."""

    def ended(self, completion: StreamComplete) -> None:
        """Note how it has ended."""
        if not self.completion.done():
            self.completion.set_result(completion.result)

    def dropped(self) -> None:
        """Nobody takes this one's place."""


def _answer(completion: CompletionResult) -> TaskAnswer:
    usage, run = completion["token_usage"], completion.get("run")
    problem = completion.get("error", "")
    if not problem and completion.get("cancelled"):
        problem = _STOPPED
    if not problem and run is not None and run["state"] != "done":
        problem = run["reason"] or f"The run has ended: {run['state']}."
    return TaskAnswer(
        text=last_words(
            completion["response"],
            run["steps"] if run is not None else [],
            [block["span"] for block in completion["edit_blocks"]],
        ),
        problem=problem,
        tokens=usage["input_tokens"] + usage["output_tokens"],
        cost_usd=usage["cost_usd"] or 0.0,
        model=completion["model"],
    )


def last_words(text: str, ends: Sequence[int], blocks: Sequence[Sequence[int]] = ()) -> str:
    """Return what the agent has said in its last step, or at all if it was silent there.

    Args:
        text: all that it has said.
        ends: of its steps, in UTF-16 code units.
        blocks: where its edits begin and end, likewise; they are left out.
    """
    encoded = text.encode("utf-16-le")

    def since(begin: int) -> str:
        parts: list[bytes] = []
        at = 2 * begin
        for start, end in sorted((2 * start, 2 * end) for start, end in blocks):
            parts.append(encoded[at:start])
            at = max(at, end)
        said = b"".join([*parts, encoded[at:]]).decode("utf-16-le", "replace")
        return _GAP.sub("\n\n", said).strip()

    return since(ends[-2] if len(ends) > 1 else 0) or since(0)


def _planner(planner: ModelPlanner, model: str) -> ModelPlanner:
    """Return what chooses the model: the user's, or the one that a task names."""
    if not model:
        return planner
    return ModelPlanner(
        planner.environ,
        planner.config_dir,
        planner.admin,
        planner.embedded_available,
        flag=model,
        keyring=planner.keyring,
    )


def _name(assignment: Assignment) -> TaskName:
    return TaskName(plan_id=assignment.plan_id, task_id=assignment.task_id)


def tell_pages(subscribers: Subscribers, assignment: Assignment, update: ToolUpdate) -> None:
    """Tell the pages of the user whose plan it is of what an attempt at a task does.

    Args:
        subscribers: the pages.
        assignment: the attempt.
        update: its news.
    """
    event = ToolUpdated(ToolUpdate(**{**update, "task": _name(assignment)}))
    for key in subscribers.conversation_keys():
        if key.identity == assignment.identity:
            subscribers.publish(event, key)


class _Forwarding:
    """Sends the news of a task's run to the pages of the user whose plan it is.

    Args:
        assignment: the attempt.
        subscribers: the pages.
    """

    def __init__(self, assignment: Assignment, subscribers: Subscribers) -> None:
        self._assignment, self._subscribers = assignment, subscribers

    def __call__(self, event: Event, _key: ConversationKey | None) -> None:
        """Take an event of the task's workspace."""
        if isinstance(event, ToolUpdated):
            tell_pages(self._subscribers, self._assignment, event.update)
