"""One turn as a value, and the pipeline it goes through.

admit → gather → assemble → fit → stream → apply → retry; what a stage finds out it writes into the
turn. `settle` then says how the turn ended, whatever happened, and `record` keeps it. A new feature
is a stage.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.edits.edit_totals import tally
from jupyter_ac.chat.edits.edit_tracker import TOO_MANY, EditLedger, has_too_many
from jupyter_ac.chat.files import Reading
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.assemble import Prompt
from jupyter_ac.chat.prompt.blocks import Block, wellformed
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.prompt.maps import KnownMaps
from jupyter_ac.chat.prompt.profiles import PromptProfile, profile
from jupyter_ac.chat.records import (
    INTERRUPTED,
    TurnFailure,
    TurnRecord,
    TurnState,
    new_turn_id,
    now_ms,
)
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.streams import ActiveStream, EditsSoFar
from jupyter_ac.chat.usage import cut_notice, guessed
from jupyter_ac.errors import AcError
from jupyter_ac.ids import RepoPath, RequestId
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import CompletedAnswer, ModelInfo, Usage

log = logging.getLogger(__name__)

INTERNAL: Final = TurnFailure(
    "internal", "Something went wrong inside jupyter_ac; the host's log says what."
)


@dataclass(slots=True)
class Turn:
    """One question on its way to an answer.

    Attributes:
        conversation: where it was asked.
        stream: the answer as it is made; a turn that is only previewed is never stopped.
        record: what is kept of it.
        question: the user's text; "" in a preview without one.
        keeping: gives the question to the history; a Stop doesn't end it.
        is_kept: whether the history has taken it.
        choice: the model, None when there is none.
        info: what is known of the model.
        profile: how its prompts are made.
        unknown: files that the asker named and that aren't there.
        reading: the selected files.
        maps: what is known of the repository's structure.
        patience_s: how long an index that isn't ready is waited for; a preview doesn't.
        prompt: what goes out.
        news: this turn's blocks, without what stands in the log.
        left_out: selected files that the prompt has no room for.
        trim: what the prompt takes out of the log to make room; None for nothing.
        pictures: files with the images that come with the question.
        outcome: the whole answer.
        ledger: the edits that the answers ask for.
        answered: this turn's earlier answers, as the log will have them.
        again: asks again for edits that failed, in place of the question.
        gap: goes between two answers.
        wanting: why the last answer has no end; "" else.
        announced: how many of the notices the pages have been told.
        added: files that were added to the context because an answer edits them, until it is said.
    """

    conversation: Conversation
    stream: ActiveStream
    question: str
    record: TurnRecord
    keeping: asyncio.Task[None] | None = None
    is_kept: bool = False
    choice: ModelChoice | None = None
    info: ModelInfo | None = None
    profile: PromptProfile = field(default_factory=lambda: profile("standard"))
    unknown: tuple[str, ...] = ()
    reading: Reading = field(default_factory=Reading)
    maps: KnownMaps = field(default_factory=KnownMaps)
    patience_s: float = 0.0
    prompt: Prompt = field(default_factory=Prompt)
    left_out: tuple[RepoPath, ...] = ()
    trim: Removal | None = None
    notices: list[str] = field(default_factory=list)
    pictures: tuple[Path, ...] = ()
    outcome: CompletedAnswer | None = None
    ledger: EditLedger = field(default_factory=EditLedger)
    answered: list[Exchange] = field(default_factory=list)
    again: Block | None = None
    gap: str = ""
    wanting: str = ""
    announced: int = 0
    added: list[RepoPath] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        conversation: Conversation,
        request_id: str,
        question: str,
        images: tuple[str, ...] = (),
    ) -> "Turn":
        """Begin a turn, or the preview of one."""
        name = RequestId(request_id)
        text = wellformed(question)
        return cls(
            conversation=conversation,
            stream=ActiveStream(name),
            question=text,
            record=TurnRecord(new_turn_id(), name, text, now_ms(), images=images),
        )

    @property
    def session(self) -> Session:
        """The session that it is part of."""
        return self.conversation.session

    @property
    def sent(self) -> tuple[Block, ...]:
        """The blocks of the last request that are this turn's own: what is kept of it."""
        return (*self.prompt.ask, *self.prompt.ranked)

    def hear(self, piece: str) -> None:
        """Take what the model has just written."""
        version = self.ledger.version
        self.ledger.feed(piece)
        if self.ledger.version != version:
            self.stream.edits = EditsSoFar(self.ledger.blocks, self.ledger.version)
        self.stream.append(self.gap + piece)
        self.gap = ""


Stage = Callable[[Turn, TurnPorts], Awaitable[None]]


async def run(turn: Turn, ports: TurnPorts, stages: tuple[Stage, ...]) -> None:
    """Take a turn through its stages; the first that raises ends it."""
    for stage in stages:
        await stage(turn, ports)


def settle(turn: Turn, error: BaseException | None) -> None:
    """Write into the turn's record how it ended.

    Args:
        turn: the stages are over.
        error: what ended them; None when all went well.
    """
    state, failure = _verdict(turn, error)
    outcome = turn.outcome
    text = turn.stream.text
    edits = tally(turn.ledger, text, _untaken(state, turn.wanting))
    if has_too_many(turn.ledger.answers):
        turn.notices.append(TOO_MANY)
    if outcome is not None and (cut := cut_notice(outcome.finish_reason, text)):
        turn.notices.append(cut)
    turn.record = replace(
        turn.record,
        state=state,
        failure=failure,
        answer=wellformed(text),
        reasoning=wellformed(turn.stream.thoughts.text),
        model=turn.choice.model if turn.choice is not None else "",
        usage=outcome.usage if outcome is not None else _guessed(turn),
        finish_reason=outcome.finish_reason if outcome is not None else None,
        notices=tuple(turn.notices),
        edits=edits,
    )


def _guessed(turn: Turn) -> Usage | None:
    return guessed(turn.prompt, turn.stream.thoughts.text + turn.stream.text, turn.info)


def _untaken(state: TurnState, wanting: str) -> str:
    """Say why the last answer's edits were not taken; "" when they were."""
    if state is TurnState.CANCELLED:
        return "Not applied: the answer was stopped."
    if state is TurnState.ERROR:
        return "Not applied: the answer failed before it was complete."
    return wanting


def _verdict(turn: Turn, error: BaseException | None) -> tuple[TurnState, TurnFailure | None]:
    if error is None:
        return TurnState.DONE, None
    if turn.stream.stopped:
        return TurnState.CANCELLED, None
    if turn.stream.interrupted:
        return TurnState.ERROR, INTERRUPTED
    if isinstance(error, AcError):
        return TurnState.ERROR, TurnFailure.of(error)
    log.error("a turn failed", exc_info=error)
    return TurnState.ERROR, INTERNAL
