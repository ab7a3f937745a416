"""Lets one turn at a time change the files of a working tree, in this process and in others.

Conversations side by side answer at the same time, but only one run of an agent may write: the
model of a second one would work on files that change under it. Plain answers apply their edits one
after another, and not while a run writes.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from jupyter_ac.errors import Busy
from jupyter_ac.store.locks import hold
from jupyter_ac.tool_rows import AgentMode

WRITING_MODES: Final[frozenset[AgentMode]] = frozenset({"agent", "sandbox"})
"""The modes in which a run may change files."""

_SHOWN_CHARS: Final = 60
_WAIT_S: Final = 2.0
"""Longer than another process takes to apply the edits of an answer."""

_IN_ANOTHER_PROCESS: Final = (
    "A run in another Jupyter server, kernel or terminal is changing files of this working tree. "
    "Wait until it has ended, or ask in the mode Ask or Plan, which changes none."
)


class WritingTurns:
    """The turns that change files of one working tree. Belongs to one event loop.

    Args:
        state_dir: the repository's state folder; None where no other process is to be heeded.
        worktree: the worktree's name, "" for the main one.
    """

    def __init__(self, state_dir: Path | None = None, worktree: str = "") -> None:
        self._state_dir = state_dir
        suffix = f"-{hashlib.sha256(worktree.encode()).hexdigest()[:12]}" if worktree else ""
        self._lock_name = f"writing{suffix}"
        self._run: str | None = None
        self._question = ""
        self._applying = asyncio.Lock()

    def require_free(self) -> None:
        """Refuse another run while one writes.

        Raises:
            Busy: one of this process does.
        """
        if self._run is not None:
            raise Busy(
                f"A run in another conversation (“{self._question}”) is changing files of this "
                "working tree. Wait until it has ended or stop it there, or ask in the mode Ask or "
                "Plan, which changes none."
            )

    def reserve(self, request_id: str, question: str) -> None:
        """Make a turn the one run of this process that may write, until `release`.

        Raises:
            Busy: another one is.
        """
        self.require_free()
        self._run, self._question = request_id, _short(question)

    def release(self, request_id: str) -> None:
        """Let others write; turns that have nothing reserved are ignored."""
        if self._run == request_id:
            self._run = None

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Keep other processes from writing while the body runs, the run that is reserved.

        Raises:
            Busy: a run of another process writes.
            AcError: the state folder can't be written.
        """
        async with AsyncExitStack() as held:
            async with self._applying:
                await self._hold(held)
            yield

    @asynccontextmanager
    async def edits(self) -> AsyncIterator[bool]:
        """Apply the edits of a plain answer in the body, after those of others.

        Yields:
            whether they may be applied: not while a run writes.

        Raises:
            AcError: the state folder can't be written.
        """
        async with self._applying, AsyncExitStack() as held:
            try:
                self.require_free()
                await self._hold(held)
            except Busy:
                may_write = False
            else:
                may_write = True
            yield may_write

    async def _hold(self, held: AsyncExitStack) -> None:
        if self._state_dir is None:
            return
        try:
            await held.enter_async_context(hold(self._state_dir, self._lock_name, _WAIT_S))
        except Busy:
            raise Busy(_IN_ANOTHER_PROCESS) from None


def _short(question: str) -> str:
    text = " ".join(question.split())
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
