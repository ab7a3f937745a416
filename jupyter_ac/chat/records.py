"""A turn and a session as they are kept: what was asked, sent and answered."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from jupyter_ac.chat.prompt.blocks import Block, answer_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.errors import AcError, ProviderError
from jupyter_ac.events import ChatMessage, MessageState, MessageUsage
from jupyter_ac.ids import RequestId, Seat, SessionId
from jupyter_ac.models.client import Usage


class State(StrEnum):
    """How a turn stands."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    ERROR = "error"


_SHOWN: Final[Mapping[State, MessageState]] = {
    State.DONE: "done",
    State.CANCELLED: "cancelled",
    State.ERROR: "error",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a turn failed, for the user.

    Attributes:
        type: the word of the wire error's `data.type`.
        message: one or two sentences.
        retry_after_s: seconds that the provider asks to wait.
    """

    type: str
    message: str
    retry_after_s: float | None = None

    @classmethod
    def of(cls, error: AcError) -> "Failure":
        """Describe an error that was raised on purpose."""
        wait = error.retry_after_s if isinstance(error, ProviderError) else None
        return cls(error.type, error.message, wait)


INTERRUPTED: Final = Failure(
    "internal", "The answer was interrupted: the program that made it has ended. Ask again."
)


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn as it is shown and kept.

    Attributes:
        turn_id: unique everywhere.
        request_id: the front end's name for it.
        question: the user's text.
        created_ms: when it was asked, milliseconds since 1970.
        state: how it stands.
        answer: what the model wrote, partial unless `state` is done.
        sent: the blocks of its user message exactly as they went out; empty before that.
        model: who answered.
        usage: what the provider counted; None without an answer.
        finish_reason: the provider's word for why the answer ended.
        failure: why it failed, when it did.
        notices: sentences for the user about files and the like.
    """

    turn_id: str
    request_id: RequestId
    question: str
    created_ms: int
    state: State = State.RUNNING
    answer: str = ""
    sent: tuple[Block, ...] = ()
    model: str = ""
    usage: Usage | None = None
    finish_reason: str | None = None
    failure: Failure | None = None
    notices: tuple[str, ...] = ()

    def exchange(self) -> Exchange | None:
        """Give its part of the prompt log; None while it runs and when nothing was answered."""
        if self.state is State.RUNNING or not self.sent or not self.answer.strip():
            return None
        return Exchange(self.sent, answer_block(self.answer))

    def messages(self) -> list[ChatMessage]:
        """Give the question and the answer as a front end shows them."""
        asked = ChatMessage(
            role="user", content=self.question, request_id=self.request_id, state="done"
        )
        if self.state is State.RUNNING:
            return [asked]
        answered = ChatMessage(
            role="assistant",
            content=self.answer,
            request_id=self.request_id,
            turn_id=self.turn_id,
            state=_SHOWN[self.state],
            model=self.model,
        )
        if self.failure is not None:
            answered["error"] = {"type": self.failure.type, "message": self.failure.message}
        if self.usage is not None:
            answered["usage"] = message_usage(self.usage)
        if self.notices:
            answered["notices"] = list(self.notices)
        return [asked, answered]


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A conversation as it is kept.

    Attributes:
        session_id: its name.
        revision: goes up with every change that any host makes to it.
        turns: in the order in which they were asked.
        heads: the frozen system blocks, by the profile's name.
    """

    session_id: SessionId
    revision: int = 0
    turns: tuple[TurnRecord, ...] = ()
    heads: Mapping[str, tuple[Block, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a new turn goes: whose session, and what the writer takes to be its revision."""

    seat: Seat
    session_id: SessionId
    revision: int


def message_usage(usage: Usage) -> MessageUsage:
    """Write an answer's usage as a front end shows it."""
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "cache_write_tokens": usage.cache_write_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "cost_usd": usage.cost_usd,
    }


def now_ms() -> int:
    """Return milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def new_session_id() -> SessionId:
    """Make the name of a new session."""
    return SessionId(f"sess_{now_ms()}_{secrets.token_hex(3)}")


def new_turn_id() -> str:
    """Make the name of a new turn."""
    return f"turn_{now_ms()}_{secrets.token_hex(4)}"
