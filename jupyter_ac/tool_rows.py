"""Wire types of agent runs, their steps and tool calls, in events, answers and the history."""

from typing import Final, Literal, NotRequired, TypeAlias, TypedDict

AgentMode: TypeAlias = Literal["ask", "plan", "agent", "sandbox"]
"""`ask` answers without tools, `plan` only reads, `agent` asks before it acts, `sandbox` runs by
itself what the sandbox holds."""

ToolStatus: TypeAlias = Literal["waiting", "running", "done", "failed", "refused", "cancelled"]
RunState: TypeAlias = Literal["running", "done", "limit", "repeated", "stopped", "failed"]
"""`limit`: it has reached one and summed up; `repeated`: the model went round in circles."""

ToolDecision: TypeAlias = Literal["allow", "refuse"]
ToolScope: TypeAlias = Literal["once", "session", "prefix"]
"""`session` allows equal calls until the conversation ends, for addresses the whole origin;
`prefix` allows, from now on, commands that begin with the same arguments."""

EDIT: Final = "edit"
"""Stands for the tool in the row of an edit that waits for the user."""


class ToolQuestion(TypedDict):
    """What the user is asked before a call runs.

    Attributes:
        text: the exact command, cell, path, address, or the model's question.
        why: why this asks, in a sentence.
        scopes: for how long it may be allowed.
        prefix: the leading arguments that the scope `prefix` is for.
        origin: of an address, for which the scope `session` is.
        is_sandboxed: it runs in a sandbox.
        warning: what the user should know before; "" for nothing.
        wants_text: the answer is a text: `ask_user`.
    """

    text: str
    why: str
    scopes: list[ToolScope]
    prefix: list[str]
    origin: str
    is_sandboxed: bool
    warning: str
    wants_text: bool


class ToolCallRow(TypedDict):
    """A tool call of a run.

    Attributes:
        call_id: unique within its turn.
        step: of the run, from 1.
        tool: its name.
        title: what it does, in one line: the command, the path, the address.
        arguments: JSON, shortened.
        status: `waiting` for the user, `running`, or how it ended.
        reason: why it was refused or has failed; "" otherwise.
        question: what the user was asked; null for calls that don't ask.
        started_at: ISO 8601, UTC; "" before it has started.
        duration_ms: null before its end.
        tokens: of the result that the model is sent.
        result: the beginning of that result.
        left_out: characters of the result that `result` lacks.
    """

    call_id: str
    step: int
    tool: str
    title: str
    arguments: str
    status: ToolStatus
    reason: str
    question: ToolQuestion | None
    started_at: str
    duration_ms: int | None
    tokens: int
    result: str
    left_out: int


class RunAmounts(TypedDict):
    """Amounts of a run: what it has used, or may use.

    Attributes:
        steps: requests to the model.
        tokens: sent and received.
        usd: null where no price is known.
        seconds: since its beginning, without waits for the user.
    """

    steps: int
    tokens: int
    usd: float | None
    seconds: float


class RunRow(TypedDict):
    """An agent's run: one turn of a conversation, in steps.

    Attributes:
        run_id: the turn's id.
        request_id: the front end's name of the turn.
        mode: how it may act.
        state: `running`, or how it ended.
        reason: why it ended, in a sentence; "" for `done`.
        used: so far.
        limits: which it keeps.
        calls: in order.
        steps: the positions in the answer's text, in UTF-16 code units, at which each step ends.
        changed_steps: the steps that changed files, from 1, to before which one can go back.
        files_changed: by edits and commands.
        can_undo: there is something that `undo_run` takes back.
    """

    run_id: str
    request_id: str
    mode: AgentMode
    state: RunState
    reason: str
    used: RunAmounts
    limits: RunAmounts
    calls: list[ToolCallRow]
    steps: list[int]
    changed_steps: list[int]
    files_changed: list[str]
    can_undo: bool


class TaskName(TypedDict):
    """A task of a plan."""

    plan_id: str
    task_id: str


class ToolUpdate(TypedDict):
    """News of a run, or of one of its calls.

    Attributes:
        request_id: the front end's name of the turn; of a plan's task ours.
        run: without its calls.
        call: that has changed; without one only the run has.
        task: of a plan, that the run carries out.
        panel: title of the panel that makes the call. Without a task and a panel it is a run of the
            conversation.
    """

    request_id: str
    run: RunRow
    call: NotRequired[ToolCallRow]
    task: NotRequired[TaskName]
    panel: NotRequired[str]
