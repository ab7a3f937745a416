"""Marks of turns: what the user has taken out of the conversation, and what must stay in it.

An excluded turn is still shown, but its question and answers are no longer sent. The copies of
files that it brought stay in their place, since later turns build on them; a line stands for the
question then. A pinned turn is sent word for word for as long as it is pinned: compactions keep its
talk. A turn has at most one mark, the newest one counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, Literal, TypeAlias

from jupyter_ac.chat.prompt.blocks import Block, answer_block, note_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.log_removals import CompactedEntry, Removal

Mark: TypeAlias = Literal["exclude", "pin"]

EXCLUDED_QUESTION: Final = note_block(
    None,
    "The user has taken the question that stood here, and its answer, out of the conversation.",
)
EXCLUDED_ANSWER: Final = answer_block("Understood; I go on without them.")


def marks_of(removals: Iterable[Removal]) -> Mapping[str, Mark]:
    """Return the marks that hold, by turn."""
    marks: dict[str, Mark] = {}
    for removal in removals:
        for turn_id in removal.turns:
            match removal.case:
                case "exclude" | "pin" as mark:
                    marks[turn_id] = mark
                case "release":
                    marks.pop(turn_id, None)
                case _:
                    pass
    return marks


def pinned_in(removals: Iterable[Removal], turn_ids: Iterable[str]) -> tuple[str, ...]:
    """Name those of the turns that are pinned."""
    marks = marks_of(removals)
    return tuple(turn_id for turn_id in turn_ids if marks.get(turn_id) == "pin")


def without_excluded(
    log: Sequence[CompactedEntry], removals: Iterable[Removal]
) -> list[CompactedEntry]:
    """Give the log without the talk of the excluded turns.

    Args:
        log: without what removals took out.
        removals: with the marks among them.
    """
    marks = marks_of(removals)
    if "exclude" not in marks.values():
        return list(log)
    left: list[CompactedEntry] = []
    for turn_id, entries in groupby(log, lambda entry: entry.turn_id):
        if marks.get(turn_id) == "exclude":
            left += _files_of(turn_id, list(entries))
        else:
            left += entries
    return left


def _files_of(turn_id: str, entries: Sequence[CompactedEntry]) -> list[CompactedEntry]:
    """Put what a turn said about files into one exchange; none when it said nothing about any."""
    about: list[Block] = [block for entry in entries for block in entry.exchange.about_files]
    if not about:
        return []
    return [CompactedEntry(turn_id, Exchange((*about, EXCLUDED_QUESTION), EXCLUDED_ANSWER))]


def marked(mark: Mark | None, turns: Sequence[str], through: str, at_ms: int) -> Removal:
    """Make the record that gives turns a mark, or takes it away.

    Args:
        mark: None to take it away.
        turns: which.
        through: the last turn that is over.
        at_ms: when, milliseconds since 1970.
    """
    return replace(Removal(mark or "release", through), turns=tuple(turns), created_ms=at_ms)
