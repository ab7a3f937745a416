"""Excludes turns from what is sent, and pins them, on the user's request.

A mark is committed like a removal, by compare-and-swap on the session's revision.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Final

from jupyter_ac.chat.compaction.trimming import keep, known_turns
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.counts import scale_for
from jupyter_ac.chat.prompt.log_removals import CompactedEntry
from jupyter_ac.chat.prompt.turn_marks import Mark, marked
from jupyter_ac.chat.records import TurnState, now_ms
from jupyter_ac.chat.session import Session
from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.message_rows import MarkedTotals, MarkedTurn

MAX_TURNS: Final = 1000
"""That one call marks."""

MAX_PINNED: Final = 50
"""Of a conversation: pinned talk is never shortened."""

NAME_CHARS: Final = 80
"""Of the beginning of a question."""


@dataclass(frozen=True, slots=True)
class MarkEffect:
    """What a change of marks does to the next request, in tokens of the log.

    Attributes:
        freed: that each request has less; negative when something is sent again.
        rewritten: behind the first change, which the provider's cache can't serve the next time.
    """

    freed: int = 0
    rewritten: int = 0


async def exclude(
    conversation: Conversation, ports: TurnPorts, request_ids: Sequence[str], *, excluded: bool
) -> MarkEffect:
    """Send the talk of these turns no more, or send it again.

    A pinned turn that is excluded isn't pinned any more. What is excluded already stays so.

    Raises:
        Busy: an answer is being made, or the conversation is being compacted.
        NotFound: there is no such question, or it has no answer.
        InvalidParams: a compaction has taken one of them out.
        Conflict: another host has just added to the session.
        AcError: the disk fails.
    """
    return await _mark(conversation, ports, request_ids, "exclude" if excluded else None, "exclude")


async def pin(
    conversation: Conversation, ports: TurnPorts, request_ids: Sequence[str], *, pinned: bool
) -> int:
    """Keep the talk of these turns through all compactions, or no longer.

    Returns:
        How many are pinned.

    Raises:
        Busy: an answer is being made, or the conversation is being compacted.
        NotFound: there is no such question, or it has no answer.
        InvalidParams: a compaction has taken one of them out, one is excluded, or too many are
            pinned.
        Conflict: another host has just added to the session.
        AcError: the disk fails.
    """
    await _mark(conversation, ports, request_ids, "pin" if pinned else None, "pin")
    return list(conversation.session.log.marks.values()).count("pin")


async def marked_turns(conversation: Conversation, ports: TurnPorts) -> list[MarkedTurn]:
    """Describe the turns that are excluded and pinned, in order; not those that were compacted."""
    session = conversation.session
    scale = scale_for(ports.counts, ports.models.choice())
    turns = {turn.turn_id: turn for turn in session.turns}
    marks, left = session.log.marks, session.log.entries()
    rows: list[MarkedTurn] = []
    for turn_id, entries in groupby(session.log.compacted(), lambda entry: entry.turn_id):
        mark = marks.get(turn_id)
        if mark is None:
            continue
        turn, sent = turns[turn_id], list(entries)
        staying = (
            _blocks([entry for entry in left if entry.turn_id == turn_id])
            if mark == "exclude"
            else [block for entry in sent for block in entry.exchange.about_files]
        )
        tokens = await scale.total(_blocks(sent)) - await scale.total(staying)
        rows.append(
            MarkedTurn(
                request_id=turn.request_id,
                name=" ".join(turn.question[: 4 * NAME_CHARS].split())[:NAME_CHARS],
                tokens=tokens,
                context="pinned" if mark == "pin" else "excluded",
            )
        )
    return rows


async def marked_totals(conversation: Conversation, ports: TurnPorts) -> MarkedTotals:
    """Count these turns and their tokens."""
    rows = await marked_turns(conversation, ports)
    excluded = [row["tokens"] for row in rows if row["context"] == "excluded"]
    pinned = [row["tokens"] for row in rows if row["context"] == "pinned"]
    return {
        "excluded": len(excluded),
        "excluded_tokens": sum(excluded),
        "pinned": len(pinned),
        "pinned_tokens": sum(pinned),
    }


async def _mark(
    conversation: Conversation,
    ports: TurnPorts,
    request_ids: Sequence[str],
    mark: Mark | None,
    kind: Mark,
) -> MarkEffect:
    conversation.require_idle("changing what is sent")
    session = conversation.session
    session.require_own()
    session.compaction.require_over("changing what is sent")
    turns = _turns_of(session, request_ids)
    _require_sent(session, turns, mark)
    marks = session.log.marks
    changed = [
        turn_id
        for turn_id in turns
        if (marks.get(turn_id) != mark if mark is not None else marks.get(turn_id) == kind)
    ]
    if mark == "pin":
        _require_pins(marks.values(), len(changed))
    if not changed:
        return MarkEffect()
    through = [turn for turn in session.turns if turn.state is not TurnState.RUNNING][-1].turn_id
    removal = marked(mark, changed, through, now_ms())
    before = session.log.entries()
    await keep(session, ports, removal, known_turns(session))
    session.version += 1
    return await _effect(before, session.log.entries(), ports)


def _turns_of(session: Session, request_ids: Sequence[str]) -> list[str]:
    found: dict[str, None] = {}
    for request_id in request_ids:
        turn = session.turn(request_id)
        if turn is None or not turn.exchanges():
            raise NotFound(
                f"There is no answered question {request_id[:64]!r} in this conversation; "
                "what has no answer is not sent anyway."
            )
        found[turn.turn_id] = None
    return list(found)


def _require_sent(session: Session, turns: Sequence[str], mark: Mark | None) -> None:
    """Refuse to mark what is not sent any more."""
    marks = session.log.marks
    left = {entry.turn_id for entry in session.log.compacted()}
    if any(turn_id not in left for turn_id in turns):
        raise InvalidParams(
            "It stands before the place up to which the conversation was compacted, so it is not "
            "sent any more and can't be marked."
        )
    if mark == "pin" and any(marks.get(turn_id) == "exclude" for turn_id in turns):
        raise InvalidParams("It is excluded from what is sent; put it back before you pin it.")


def _require_pins(marks: Iterable[Mark], added: int) -> None:
    if list(marks).count("pin") + added > MAX_PINNED:
        raise InvalidParams(
            f"At most {MAX_PINNED} questions of a conversation can be pinned; unpin others first."
        )


async def _effect(
    before: Sequence[CompactedEntry], after: Sequence[CompactedEntry], ports: TurnPorts
) -> MarkEffect:
    scale = scale_for(ports.counts, ports.models.choice())
    pairs = zip(before, after, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    sizes = [await scale.total(_blocks(log)) for log in (before, after, after[same:])]
    return MarkEffect(sizes[0] - sizes[1], sizes[2])


def _blocks(log: Sequence[CompactedEntry]) -> list[Block]:
    return [block for entry in log for block in (*entry.exchange.sent, *entry.exchange.reply)]
