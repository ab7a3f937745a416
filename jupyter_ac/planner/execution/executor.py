"""What carries out a task: an agent of any kind, asked in a worktree of the task's own."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import Identity


@dataclass(frozen=True, slots=True)
class Assignment:
    """One attempt at a task.

    Attributes:
        plan_id: of its plan.
        task_id: of it.
        identity: whose plan it is; approvals are asked of them.
        worktree: the task's own, in which everything happens.
        model: to use; "" for the chosen one.
        links: paths in the worktree that lead to folders of the user's working tree.
        on_text: gets what the agent says, piece by piece; returns at once.
    """

    plan_id: str
    task_id: str
    identity: Identity
    worktree: Repository
    model: str = ""
    links: tuple[str, ...] = ()
    on_text: Callable[[str], None] = lambda _text: None


@dataclass(frozen=True, slots=True)
class TaskAnswer:
    """What an agent has answered; what it did is in the worktree.

    Attributes:
        text: its last words.
        problem: why it has not come to its end, a sentence; "" when it has.
        tokens: sent and received.
        cost_usd: as far as prices are known.
        model: that was asked.
    """

    text: str
    problem: str = ""
    tokens: int = 0
    cost_usd: float = 0.0
    model: str = ""


class TaskSession(Protocol):
    """A conversation with an agent in one worktree."""

    async def ask(self, prompt: str) -> TaskAnswer:
        """Have the agent do something; cancelling this ends all that it does.

        Raises:
            AcError: the agent can't be asked.
        """


class TaskExecutor(Protocol):
    """Opens conversations with agents of one kind."""

    def open(self, assignment: Assignment) -> AbstractAsyncContextManager[TaskSession]:
        """Begin an attempt; at its end nothing of it runs any more.

        Raises:
            AcError: the agent can't be started.
        """
