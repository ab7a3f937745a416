"""What is pushed to a front end, and the port through which it is pushed.

Each event is a value with the name that the front end exposes (`AcApp.<name>`) and its positional
arguments (seed 001, "Browser Methods").
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Protocol


@dataclass(frozen=True, slots=True)
class Event:
    """Base: the fields of a subclass, in order, are the arguments on the wire."""

    name: ClassVar[str]

    @property
    def args(self) -> tuple[object, ...]:
        """The positional arguments."""
        return tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, slots=True)
class StartupProgress(Event):
    """How far the workspace's start is; stage `ready` at 100 percent ends it."""

    name = "startupProgress"
    stage: str
    message: str
    percent: int


@dataclass(frozen=True, slots=True)
class FilesChanged(Event):
    """The selection, whole, after a change."""

    name = "filesChanged"
    selected_files: Sequence[str]


@dataclass(frozen=True, slots=True)
class UserMessage(Event):
    """A question that another page of the same person has just asked: `{content, request_id}`."""

    name = "userMessage"
    message: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SessionChanged(Event):
    """The conversation, whole, after a change: `{session_id, messages}`."""

    name = "sessionChanged"
    session: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CompactionEvent(Event):
    """Progress of a turn: `{stage, message, …}` under the turn's request id."""

    name = "compactionEvent"
    request_id: str
    event: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class StreamComplete(Event):
    """The end of a turn, once for each, errors and cancellation included."""

    name = "streamComplete"
    request_id: str
    result: Mapping[str, object]


class EventSink(Protocol):
    """Where events go: to every page of one person that shows this workspace."""

    def publish(self, event: Event) -> None:
        """Hand the event over; never blocks, never raises because of a remote."""
