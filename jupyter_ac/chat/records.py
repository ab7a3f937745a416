"""The stored records of turns and sessions: questions, sent blocks and answers."""

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise, zip_longest
from typing import Final

from jupyter_ac.answer_rows import image_row
from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits, answer_texts
from jupyter_ac.chat.prompt.blocks import Block, Category, answer_block, call_id_of
from jupyter_ac.chat.prompt.log import Exchange, messages_of
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.run_record import RunRecord, StepRecord
from jupyter_ac.errors import AcError, ProviderError
from jupyter_ac.events import Mode
from jupyter_ac.ids import ConversationKey, RepoPath, RequestId, SessionId
from jupyter_ac.message_rows import ChatMessage, MessageState
from jupyter_ac.models.client import Usage
from jupyter_ac.models.providers import reasoning_family
from jupyter_ac.usage_rows import MessageUsage, TokenUsage


class TurnState(StrEnum):
    """How a turn stands."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    ERROR = "error"


_SHOWN: Final[Mapping[TurnState, MessageState]] = {
    TurnState.DONE: "done",
    TurnState.CANCELLED: "cancelled",
    TurnState.ERROR: "error",
}


@dataclass(frozen=True, slots=True)
class Ticks:
    """The ticked files.

    Attributes:
        paths: in the order in which they were ticked.
        by_program: those of them that the program has ticked, not the user.
    """

    paths: tuple[RepoPath, ...] = ()
    by_program: frozenset[RepoPath] = frozenset()


@dataclass(frozen=True, slots=True)
class TurnFailure:
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
    def of(cls, error: AcError) -> "TurnFailure":
        """Describe an error that was raised on purpose."""
        wait = error.retry_after_s if isinstance(error, ProviderError) else None
        return cls(error.type, error.message, wait)


INTERRUPTED: Final = TurnFailure(
    "internal", "The answer was interrupted: the program that made it has ended. Ask again."
)

GAP: Final = "\n\n"
"""Between the answers of a turn."""

UNANSWERED: Final = "(This answer was stopped before it began.)"
"""Stands in the log for the answer to results of calls: providers want one."""

UNTRUSTED: Final = (
    "This conversation was not kept by you here, or was changed since, so nothing of it is sent. "
    "Trust the history first, or begin a new conversation."
)


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn as it is shown and stored.

    Attributes:
        turn_id: unique everywhere.
        request_id: the front end's name for it.
        question: the user's text.
        created_ms: when it was asked, milliseconds since 1970.
        state: how it stands.
        answer: what the model wrote, partial unless `state` is done.
        sent: the blocks of its user messages exactly as they went out; empty before that. Each
            message ends with the question, with what asks again for edits that failed, or with
            what is left of a run's limits; older versions have sent a part of the map behind the
            question, which no log has.
        model: who answered.
        usage: what the provider counted; None without an answer.
        finish_reason: the provider's word for why the answer ended.
        failure: why it failed, when it did.
        notices: sentences for the user about files and the like.
        edits: the edits of the answer, and their outcomes.
        reasoning: what the model wrote before it answered; it is never sent back.
        images: that came with the question, by id.
        agent_tag: by which the asking client knows one of its agents; "" for none.
        run: the agent's run that this turn is; None for a plain answer.
        ticked: the files that were ticked when it was asked; none when they were too many.
    """

    turn_id: str
    request_id: RequestId
    question: str
    created_ms: int
    state: TurnState = TurnState.RUNNING
    answer: str = ""
    sent: tuple[Block, ...] = ()
    model: str = ""
    usage: Usage | None = None
    finish_reason: str | None = None
    failure: TurnFailure | None = None
    notices: tuple[str, ...] = ()
    edits: TurnEdits = field(default_factory=TurnEdits)
    reasoning: str = ""
    images: tuple[str, ...] = ()
    agent_tag: str = ""
    run: RunRecord | None = None
    ticked: tuple[RepoPath, ...] = ()

    def exchanges(self) -> list[Exchange]:
        """Give its part of the prompt log: one for each answer; none while it runs."""
        if self.state is TurnState.RUNNING:
            return []
        answers = self._answers()
        messages = messages_of(self.sent)
        steps = self.run.steps if self.run is not None else ()
        family = reasoning_family(self.model)
        exchanges: list[Exchange] = []
        for sent, answer, step, later in zip_longest(messages, answers, steps, messages[1:]):
            if not sent or not _continues(exchanges, sent):
                break
            if (one := _exchange(sent, answer or "", step, later or ())) is not None:
                exchanges.append(replace(one, family=family) if one.calls else one)
        return exchanges

    def _answers(self) -> list[str]:
        """Cut the text into the answers; of a run whose process died, only its steps are known."""
        attempts = self.edits.attempts
        if attempts or self.run is None:
            return answer_texts(self.answer, attempts)
        units = self.answer.encode("utf-16-le", "surrogatepass")
        ends = [2 * end for end in self.run.row["steps"]]
        parts = [
            units[start:end].decode("utf-16-le", "surrogatepass")
            for start, end in pairwise([0, *ends, len(units)])
        ]
        return [parts[0], *(part.removeprefix(GAP) for part in parts[1:])]

    @property
    def message_count(self) -> int:
        """How many messages it has."""
        return 1 if self.state is TurnState.RUNNING else 2

    def messages(self) -> list[ChatMessage]:
        """Give the question and the answer as a front end shows them."""
        asked = ChatMessage(
            role="user", content=self.question, request_id=self.request_id, state="done"
        )
        if self.agent_tag:
            asked["agent_tag"] = self.agent_tag
        if self.images:
            asked["images"] = [image_row(name) for name in self.images]
        if self.state is TurnState.RUNNING:
            return [asked]
        answered = ChatMessage(
            role="assistant",
            content=self.answer,
            request_id=self.request_id,
            turn_id=self.turn_id,
            state=_SHOWN[self.state],
            model=self.model,
        )
        self.edits.add_to(answered)
        if self.finish_reason is not None:
            answered["finish_reason"] = self.finish_reason
        if self.reasoning:
            answered["reasoning"] = self.reasoning
        if self.failure is not None:
            answered["error"] = {"type": self.failure.type, "message": self.failure.message}
        if self.usage is not None:
            answered["usage"] = message_usage(self.usage)
        if self.notices:
            answered["notices"] = list(self.notices)
        if self.run is not None:
            answered["run"] = self.run.row
        return [asked, answered]


@dataclass(frozen=True, slots=True)
class SystemEvent:
    """An event outside the talk; it is not sent to the model.

    Attributes:
        event_id: unique everywhere.
        kind: one word for what it was, such as `commit`.
        text: one sentence for the user.
        created_ms: when, milliseconds since 1970.
        after_turn: the turn behind which it is shown; "" for the beginning of the session.
    """

    event_id: str
    kind: str
    text: str
    created_ms: int
    after_turn: str = ""

    def message(self) -> ChatMessage:
        """Give it as a front end shows it."""
        return ChatMessage(
            role="system",
            content=self.text,
            request_id=self.event_id,
            state="done",
            kind=self.kind,
        )


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A conversation as it is stored.

    Attributes:
        session_id: its name.
        revision: goes up with every change that any host makes to it.
        turns: in the order in which they were asked; those come first that it goes on from.
        heads: the frozen system blocks, by the profile's name.
        events: what has happened beside the talk, in order.
        side: what side tasks have used, beside turns and compactions.
        is_own: whether this user has written it here; one that isn't is shown, and nothing of it
            is sent, applied or taken back.
    """

    session_id: SessionId
    revision: int = 0
    turns: tuple[TurnRecord, ...] = ()
    heads: Mapping[str, tuple[Block, ...]] = field(default_factory=dict)
    removals: tuple[Removal, ...] = ()
    events: tuple[SystemEvent, ...] = ()
    side: tuple[Usage, ...] = ()
    is_own: bool = True


@dataclass(frozen=True, slots=True)
class Focus:
    """The mode of a person's work in a repository.

    Attributes:
        mode: code or documents; its prompt and its map are at the head of what is sent.
        cross_ref: the map of the other kind is sent as well.
    """

    mode: Mode = "code"
    cross_ref: bool = False


@dataclass(frozen=True, slots=True)
class TurnPosition:
    """The position of a new turn: its session, and the revision that the writer expects."""

    conversation_key: ConversationKey
    session_id: SessionId
    revision: int


def _continues(exchanges: Sequence[Exchange], sent: Sequence[Block]) -> bool:
    """Say whether a message has results of the calls before it, and of no others.

    What is known of the steps of a run is lost with its process; providers refuse results without
    their calls.
    """
    called = [call.call_id for one in exchanges[-1:] for call in one.calls]
    return called == [name for block in sent if (name := call_id_of(block))]


def _exchange(
    sent: Sequence[Block], answer: str, step: StepRecord | None, later: Sequence[Block]
) -> Exchange | None:
    """Return an exchange of the log; None for a question without an answer.

    Calls whose results were not sent are left out: providers refuse a log with them. Results that
    were sent stay, although the answer to them was stopped.
    """
    answered = [name for block in later if (name := call_id_of(block))]
    calls = tuple(call for call in (step.calls if step is not None else ()) if call.call_id)
    if step is not None and calls and [call.call_id for call in calls] == answered:
        return Exchange(tuple(sent), answer_block(answer), calls, step.thinking)
    if not answer.strip() and sent[-1].category is Category.STEP:
        answer = UNANSWERED
    return Exchange(tuple(sent), answer_block(answer)) if answer.strip() else None


def message_usage(usage: Usage) -> MessageUsage:
    """Write an answer's usage as a front end shows it."""
    written = MessageUsage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        cost_usd=usage.cost_usd,
    )
    if usage.estimated:
        written["estimated"] = True
    return written


def token_usage(usage: Usage | None) -> TokenUsage:
    """Write an answer's usage under our names and those that other clients read."""
    used = usage or Usage()
    return {
        **message_usage(used),
        "prompt_tokens": used.input_tokens,
        "completion_tokens": used.output_tokens,
        "prompt_cached_tokens": used.cache_read_tokens,
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
