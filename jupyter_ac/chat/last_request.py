"""The last request, read from the log: which of it is sent again, whether its cache is valid."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.log import Exchange, messages_of, passed_with
from jupyter_ac.chat.prompt.log_removals import CompactedEntry, Removal, shorten
from jupyter_ac.chat.prompt.profiles import PromptProfile
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.chat.prompt.tiers import RequestAges
from jupyter_ac.chat.records import TurnRecord, TurnState
from jupyter_ac.chat.session import Session
from jupyter_ac.models.client import ModelInfo

MARKED_LIFE_MS: Final = 330_000
"""With cache marks, a cache lives five minutes from its last use; the rest is a margin."""

OTHER_LIFE_MS: Final = 600_000
"""If the provider caches by itself, a few minutes are usual; some caches live longer."""


@dataclass(frozen=True, slots=True)
class LastRequest:
    """The last turn's requests, one for each answer that was asked for.

    Attributes:
        turn: that turn.
        prompts: as they went out.
        ages: what had been sent before.
    """

    turn: TurnRecord
    prompts: tuple[Prompt, ...]
    ages: RequestAges

    def shared(self, prompt: Prompt) -> list[Block]:
        """Give the beginning of another prompt that went out in the last one as well."""
        before = self.prompts[-1].lasting
        same = 0
        for block, known in zip(prompt.lasting, before, strict=False):
            if block.sha256 != known.sha256:
                break
            same += 1
        return before[:same]


def last_request(
    session: Session, profile: PromptProfile, tools: tuple[Block, ...] = ()
) -> LastRequest | None:
    """Find what went out last; None when nothing has, or when it isn't known as a whole.

    Args:
        session: whose log.
        profile: whose head is taken to have been sent; a model without room for the whole log gets
            another part each time.
        tools: that go out now; they are taken to be those that went out then, if any did.
    """
    sent = [turn for turn in session.turns if turn.sent and turn.state is not TurnState.RUNNING]
    if not sent or not profile.is_full:
        return None
    turn = sent[-1]
    removals = _made_before(session, turn)
    head = session.log.frozen_head(profile, removals)
    if not head:
        return None
    closing = profile.closing()
    passed = passed_with(turn.sent)
    had_tools = any(known.run is not None for known in sent)
    prompts = [
        Prompt(
            head,
            past,
            asked,
            ranked=() if number else passed,
            reminder=closing,
            tools=tools if had_tools else (),
        )
        for number, (past, asked) in enumerate(_requests(session, turn, removals))
    ]
    return LastRequest(turn, tuple(prompts), ages_before(session, turn, removals))


def ages_before(
    session: Session, turn: TurnRecord | None = None, removals: Sequence[Removal] | None = None
) -> RequestAges:
    """Count the turns that were sent before one; a repetition isn't counted.

    Args:
        session: whose.
        turn: the one; None for the next.
        removals: those that had been made, in place of all.
    """
    made = session.log.removals if removals is None else removals
    order = {known.turn_id: number for number, known in enumerate(session.turns)}
    end = order[turn.turn_id] if turn is not None else len(session.turns)

    def since(ends: list[Removal]) -> int:
        first = max((order.get(one.through, -1) for one in ends), default=-1) + 1
        counted = session.turns[first:end]
        return sum(bool(one.sent) and one.state is not TurnState.RUNNING for one in counted)

    return RequestAges(
        head=since([one for one in made if one.renews_head]),
        talk=since([one for one in made if one.is_compaction]),
    )


def has_expired(session: Session, info: ModelInfo | None, now_ms: int) -> bool:
    """Return whether the provider's cache of this conversation has certainly expired."""
    if info is None:
        return False
    return idle_ms(session, now_ms) >= (MARKED_LIFE_MS if info.takes_cache_marks else OTHER_LIFE_MS)


def idle_ms(session: Session, now_ms: int) -> int:
    """Say for how long nothing was sent; 0 when nothing ever was."""
    sent = [turn for turn in session.turns if turn.sent]
    return now_ms - max(session.log.sent_ms, sent[-1].created_ms) if sent else 0


def _made_before(session: Session, turn: TurnRecord) -> list[Removal]:
    """Give the removals that the turn's request knew; those that it made itself are among them."""
    order = {known.turn_id: number for number, known in enumerate(session.turns)}
    this = order[turn.turn_id]
    return [removal for removal in session.log.removals if order.get(removal.through, this) < this]


def _requests(
    session: Session, turn: TurnRecord, removals: Sequence[Removal]
) -> list[tuple[tuple[Exchange, ...], tuple[Block, ...]]]:
    """Give what went out before the question of each of a turn's requests, and the question."""
    before = [one for one in session.log.entries(removals) if one.turn_id != turn.turn_id]
    exchanges = turn.exchanges()
    if not exchanges:
        asked = tuple(chain.from_iterable(messages_of(turn.sent)))
        return [(tuple(entry.exchange for entry in before), asked)]
    in_run = [one for one in session.log.removals if one.of_run == turn.turn_id]
    own = [CompactedEntry(turn.turn_id, one) for one in exchanges]
    turn_ids = [known.turn_id for known in session.turns]
    return [
        (
            tuple(
                entry.exchange
                for entry in shorten(
                    [*before, *own[:number]],
                    turn_ids,
                    [one for one in in_run if one.answered <= number],
                )
            ),
            asked.sent,
        )
        for number, asked in enumerate(exchanges)
    ]
