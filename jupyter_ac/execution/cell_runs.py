"""A cell that the program wants to run, from its request to its end: a state machine."""

import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from jupyter_ac.cell_run_rows import CellRunRow
from jupyter_ac.errors import Conflict, InvalidParams, TooLarge
from jupyter_ac.execution.approvals import code_sha256
from jupyter_ac.execution.outputs import CellOutput
from jupyter_ac.ids import Identity

DEFAULT_LIMIT_S: Final = 60.0
LEAST_LIMIT_S: Final = 0.1
MOST_LIMIT_S: Final = 600.0
MAX_CODE_CHARS: Final = 200_000
MAX_NOTEBOOK_CHARS: Final = 4096

_KERNEL_ID: Final = re.compile(r"[\w.-]{1,128}", re.ASCII)


class RunState(StrEnum):
    """The state of a run, as named on the wire."""

    WAITING = "waiting"
    RUNNING = "running"
    OK = "ok"
    ERROR = "error"
    TIMED_OUT = "timed_out"
    INTERRUPTED = "interrupted"
    REFUSED = "refused"


ENDS: Final = frozenset(
    {RunState.OK, RunState.ERROR, RunState.TIMED_OUT, RunState.INTERRUPTED, RunState.REFUSED}
)

_NEXT: Final[Mapping[RunState, frozenset[RunState]]] = {
    RunState.WAITING: frozenset({RunState.RUNNING, RunState.REFUSED}),
    RunState.RUNNING: ENDS - {RunState.REFUSED},
}

_IS_ALREADY: Final[Mapping[RunState, str]] = {
    RunState.WAITING: "still waits for approval",
    RunState.RUNNING: "is running already",
    RunState.REFUSED: "was refused",
}


@dataclass(frozen=True, slots=True)
class CellRequest:
    """What is to be run.

    Attributes:
        notebook: path of the notebook that the code belongs to; for the user and the journal.
        kernel_id: the kernel.
        code: exactly.
        time_limit_s: seconds after which the kernel is interrupted.
    """

    notebook: str
    kernel_id: str
    code: str
    time_limit_s: float = DEFAULT_LIMIT_S

    def __post_init__(self) -> None:
        """Check the values, which come from outside.

        Raises:
            InvalidParams: one is none.
            TooLarge: the code or the name of the notebook is too long.
        """
        if not _KERNEL_ID.fullmatch(self.kernel_id):
            raise InvalidParams("kernel_id must be the id of a running kernel.")
        if not LEAST_LIMIT_S <= self.time_limit_s <= MOST_LIMIT_S:
            raise InvalidParams(
                f"time_limit_s must be {LEAST_LIMIT_S} to {MOST_LIMIT_S:.0f} seconds."
            )
        if not self.code.strip():
            raise InvalidParams("There is no code to run.")
        if len(self.code) > MAX_CODE_CHARS:
            raise TooLarge(f"A cell may have {MAX_CODE_CHARS:,} characters; split it.")
        if len(self.notebook) > MAX_NOTEBOOK_CHARS:
            raise TooLarge("The notebook's path is too long.")


@dataclass(frozen=True, slots=True)
class CellRun:
    """A request and what became of it; changed by `moved` only.

    Attributes:
        identity: who asked.
        sha256: of the code.
        reason: a sentence on why it ended like this, or "".
        requested_ms: since the epoch, like `started_ms` and `ended_ms`; 0 before.
        left_out: characters and images over the limits of the outputs.
    """

    request: CellRequest
    identity: Identity
    sha256: str
    run_id: str = field(default_factory=lambda: f"run_{secrets.token_hex(8)}")
    state: RunState = RunState.WAITING
    reason: str = ""
    requested_ms: int = 0
    started_ms: int = 0
    ended_ms: int = 0
    approved_by: str = ""
    outputs: tuple[CellOutput, ...] = ()
    left_out: int = 0

    @classmethod
    def of(cls, request: CellRequest, identity: Identity) -> "CellRun":
        """Return a run that waits for approval.

        Raises:
            InvalidParams: the code isn't valid Unicode.
        """
        return cls(request, identity, code_sha256(request.code), requested_ms=now_ms())

    @property
    def has_ended(self) -> bool:
        """Whether nothing will change any more."""
        return self.state in ENDS

    def moved(self, state: RunState, reason: str = "") -> "CellRun":
        """Return it in the next state, with the time.

        Raises:
            Conflict: the state can't follow the present one.
        """
        if state not in _NEXT.get(self.state, ()):
            raise Conflict(f"The cell {_IS_ALREADY.get(self.state, 'has run already')}.")
        if state is RunState.RUNNING:
            return replace(self, state=state, reason=reason, started_ms=now_ms())
        return replace(self, state=state, reason=reason, ended_ms=now_ms())

    def row(self) -> CellRunRow:
        """Return it for the wire."""
        request = self.request
        is_over = self.has_ended and self.started_ms and self.ended_ms
        return CellRunRow(
            run_id=self.run_id,
            notebook=request.notebook,
            kernel_id=request.kernel_id,
            code=request.code,
            sha256=self.sha256,
            status=self.state.value,
            reason=self.reason,
            time_limit_s=request.time_limit_s,
            requested_at=_iso(self.requested_ms),
            started_at=_iso(self.started_ms),
            duration_s=max(0, self.ended_ms - self.started_ms) / 1000 if is_over else None,
            approved_by=self.approved_by,
            outputs=[output.row() for output in self.outputs],
            left_out=self.left_out,
        )


def now_ms() -> int:
    """Return the time since the epoch in milliseconds."""
    return time.time_ns() // 1_000_000


def _iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat() if ms else ""
