"""The state machines of debugged targets, and their epochs, after seed 003.

A target is a page that the program is connected to. The epoch counts its connections, so that a
call that was made for an earlier connection can be told apart. Built with `transitions`, which is
loaded when the first machine is made. The machines belong to one event loop: between a check and a
transition nothing else runs.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from jupyter_ac.errors import InvalidState, NotFound, TooLarge

if TYPE_CHECKING:
    from transitions import Machine

DISCONNECTED: Final = "disconnected"
CONNECTING: Final = "connecting"
CONNECTED: Final = "connected"
INSPECTING: Final = "inspecting"
DISCONNECTING: Final = "disconnecting"
STATES: Final = (DISCONNECTED, CONNECTING, CONNECTED, INSPECTING, DISCONNECTING)

MAX_TARGETS: Final = 1000

_FORCE: Final = "force_disconnect"
_TRANSITIONS: Final = (
    ("start_connect", [DISCONNECTED], CONNECTING),
    ("connect_success", [CONNECTING], CONNECTED),
    ("connect_failed", [CONNECTING], DISCONNECTED),
    ("start_inspect", [CONNECTED], INSPECTING),
    ("stop_inspect", [INSPECTING], CONNECTED),
    ("start_disconnect", [CONNECTED, INSPECTING], DISCONNECTING),
    ("disconnect_complete", [DISCONNECTING, CONNECTING], DISCONNECTED),
    (_FORCE, "*", DISCONNECTED),
)
TRIGGERS: Final = frozenset(name for name, _, _ in _TRANSITIONS)


def _nothing() -> None:
    pass


class TargetMachine:
    """The machine of one target.

    Args:
        on_change: called after each transition.
    """

    def __init__(self, on_change: Callable[[], None] = _nothing) -> None:
        self._on_change = on_change
        self._epoch = 0
        self._moves = 0
        self._machine = _machine()

    @property
    def state(self) -> str:
        """One of `STATES`."""
        return str(self._machine.state)

    @property
    def epoch(self) -> int:
        """How often the target was connected."""
        return self._epoch

    def may(self, trigger: str) -> bool:
        """Return whether a transition is possible now."""
        return trigger in self._machine.get_triggers(self.state)

    def fire(self, trigger: str, method: str = "") -> int:
        """Make a transition; check and transition are one step.

        Args:
            trigger: one of `TRIGGERS`.
            method: on whose behalf, for the error; the trigger's own name if "".

        Returns:
            The number of transitions so far, for `revert`.

        Raises:
            InvalidState: it isn't possible in the present state.
        """
        if not self.may(trigger):
            raise InvalidState(method or trigger, self.state, self._sources(trigger))
        self._machine.trigger(trigger)
        if trigger == "connect_success":
            self._epoch += 1
        self._moves += 1
        self._on_change()
        return self._moves

    def revert(self, moves: int, state: str) -> None:
        """Go back to a state, unless there was another transition since.

        Args:
            moves: from the `fire` that is taken back.
            state: from before it.
        """
        if self._moves != moves:
            return
        self._machine.set_state(state)
        self._moves += 1
        self._on_change()

    def _sources(self, trigger: str) -> list[str]:
        return [str(move.source) for move in self._machine.get_transitions(trigger)]


class TargetStates:
    """The machines of all targets; seed 003's clients see the one of `page`.

    Args:
        on_change: called after each transition of any of them.
    """

    def __init__(self, on_change: Callable[[], None] = _nothing) -> None:
        self._on_change = on_change
        self._page: TargetMachine | None = None
        self._targets: dict[str, TargetMachine] = {}

    @property
    def page(self) -> TargetMachine:
        """The machine of the page that seed 003's clients are connected to."""
        if self._page is None:
            self._page = TargetMachine(self._on_change)
        return self._page

    @property
    def epoch(self) -> int:
        """The page's epoch; loads nothing."""
        return 0 if self._page is None else self._page.epoch

    @property
    def state(self) -> str:
        """The page's state; loads nothing."""
        return DISCONNECTED if self._page is None else self._page.state

    def of(self, target: object) -> TargetMachine:
        """Return the machine of a target.

        Args:
            target: its name, untrusted; None or "": the page.

        Raises:
            NotFound: there is no such target.
        """
        if target is None or target == "":
            return self.page
        # Anything else may be too deep, or too long, to be quoted.
        name = target if isinstance(target, str) else ""
        machine = self._targets.get(name)
        if machine is None:
            raise NotFound(f"There is no target {name[:100]!r}; list the targets first.")
        return machine

    def add(self, target: str) -> TargetMachine:
        """Return the machine of a target, a new one if it has none.

        Raises:
            TooLarge: there are `MAX_TARGETS` already.
        """
        if target not in self._targets and len(self._targets) >= MAX_TARGETS:
            raise TooLarge(f"At most {MAX_TARGETS} targets are followed; leave some of them first.")
        return self._targets.setdefault(target, TargetMachine(self._on_change))

    def remove(self, target: str) -> None:
        """Forget a target that is gone."""
        self._targets.pop(target, None)


def _machine() -> "Machine":
    # Importing it takes 60 ms.
    machine: type[Machine] = import_module("transitions").Machine
    # `queued` would only matter for transitions out of callbacks; there are no callbacks.
    return machine(
        states=list(STATES),
        transitions=[list(move) for move in _TRANSITIONS],
        initial=DISCONNECTED,
        auto_transitions=False,
    )


def required_of(required: Sequence[str]) -> tuple[str, ...]:
    """Check the names of states, where a method declares them.

    Raises:
        ValueError: there is no such state.
    """
    unknown = set(required) - set(STATES)
    if unknown:
        raise ValueError(f"no such state: {', '.join(sorted(unknown))}")
    return tuple(required)
