"""The state machines of plans and tasks, built with `transitions`, which is loaded when needed.

Plans: draft → awaiting_approval → running ⇄ paused → completed | failed | cancelled, the last by
way of cancelling; failed → running by a retry. A rejected draft is cancelled.

Tasks: pending → ready → running → validating → done | failed; back to ready for another attempt;
pending and ready → blocked when a dependency failed, and from there to ready when it is done after
all; to cancelled from whatever isn't over; to skipped by the user.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from jupyter_ac.errors import IllegalTransition
from jupyter_ac.planner.plans.plan import PlanState, TaskState

if TYPE_CHECKING:
    from transitions import Machine

PlanTrigger: TypeAlias = Literal[
    "propose", "approve", "pause", "resume", "complete", "fail", "retry", "cancel", "end"
]
TaskTrigger: TypeAlias = Literal[
    "get_ready",
    "start",
    "validate",
    "finish",
    "fail",
    "try_again",
    "block",
    "retry",
    "cancel",
    "skip",
]

_P, _T = PlanState, TaskState
_PLAN_MOVES: Final[tuple[tuple[PlanTrigger, Sequence[PlanState], PlanState], ...]] = (
    ("propose", [_P.DRAFT], _P.AWAITING_APPROVAL),
    ("approve", [_P.AWAITING_APPROVAL], _P.RUNNING),
    ("pause", [_P.RUNNING], _P.PAUSED),
    ("resume", [_P.PAUSED], _P.RUNNING),
    ("complete", [_P.RUNNING], _P.COMPLETED),
    ("fail", [_P.RUNNING], _P.FAILED),
    ("retry", [_P.FAILED], _P.RUNNING),
    ("cancel", [_P.DRAFT, _P.AWAITING_APPROVAL], _P.CANCELLED),
    ("cancel", [_P.RUNNING, _P.PAUSED], _P.CANCELLING),
    ("end", [_P.CANCELLING], _P.CANCELLED),
)
_TASK_MOVES: Final[tuple[tuple[TaskTrigger, Sequence[TaskState], TaskState], ...]] = (
    ("get_ready", [_T.PENDING, _T.BLOCKED], _T.READY),
    ("start", [_T.READY], _T.RUNNING),
    ("validate", [_T.RUNNING], _T.VALIDATING),
    ("finish", [_T.VALIDATING], _T.DONE),
    ("fail", [_T.RUNNING, _T.VALIDATING], _T.FAILED),
    ("try_again", [_T.RUNNING, _T.VALIDATING], _T.READY),
    ("block", [_T.PENDING, _T.READY], _T.BLOCKED),
    ("retry", [_T.FAILED], _T.READY),
    (
        "cancel",
        [_T.PENDING, _T.READY, _T.RUNNING, _T.VALIDATING, _T.BLOCKED],
        _T.CANCELLED,
    ),
    ("skip", [_T.PENDING, _T.READY, _T.BLOCKED, _T.FAILED], _T.SKIPPED),
)


def next_plan_state(state: PlanState, trigger: PlanTrigger) -> PlanState:
    """Return the state of a plan after a transition.

    Raises:
        IllegalTransition: it isn't possible in this state.
    """
    return PlanState(_next(_plans(), "The plan", str(state), trigger))


def next_task_state(task_id: str, state: TaskState, trigger: TaskTrigger) -> TaskState:
    """Return the state of a task after a transition.

    Raises:
        IllegalTransition: it isn't possible in this state.
    """
    return TaskState(_next(_tasks(), f"Task {task_id}", str(state), trigger))


def _next(machine: "Machine", subject: str, state: str, trigger: str) -> str:
    # The state as a plain text: of an enumeration the library would take the member's name.
    for move in machine.get_transitions(trigger, state):
        return str(move.dest)
    sources = [str(move.source) for move in machine.get_transitions(trigger)]
    raise IllegalTransition(subject, trigger, state, sources, machine.get_triggers(state))


@cache
def _plans() -> "Machine":
    return _machine(list(PlanState), _PLAN_MOVES)


@cache
def _tasks() -> "Machine":
    return _machine(list(TaskState), _TASK_MOVES)


def _machine(states: Sequence[str], moves: Sequence[tuple[str, Sequence[str], str]]) -> "Machine":
    # Importing it takes 60 ms. The machine has no model: it is the table of what is possible.
    machine: type[Machine] = import_module("transitions").Machine
    return machine(
        model=None,
        states=[str(state) for state in states],
        transitions=[
            [trigger, [str(source) for source in sources], str(dest)]
            for trigger, sources, dest in moves
        ],
        initial=str(states[0]),
        auto_transitions=False,
    )
