"""Removals from a session's prompt log, and the log without them.

Turns are never deleted or changed. The log that is sent to the model is computed from them and from
these records, each applied to the log before it, so that it is the same after a restart.

Copies of files are evicted if sending them again costs less. There are two occasions, both checked
before a question is sent:

- The provider's cache has expired, because nothing was sent for so long. The whole request is paid
  for then, so the shorter one is the cheaper at once: copies of files that are no longer selected
  go, and of files with several copies one goes out, as the file is.
- Talk and copies together have more than `log_trigger_tokens`. All text after the first evicted
  copy is written to the cache again (1.25 of its tokens in place of 0.1), which the shorter log
  saves at 0.1 of the difference a turn. That is done when it at least halves the log: it
  then pays after twelve turns at the latest, mostly much sooner, and can't happen often.

In the middle of an agent's run the log can be shortened between two steps: the first exchanges of
the run go, and all that was said before it; the question of the run then stands before the first
exchange that stays. So no result of a call stays without its call.

Talk is never touched here: a summary costs a request of its own and loses words. It has its own
trigger, of which `log_trigger_tokens` is an upper bound; when the cache has expired it is compacted
where that pays (`compaction/due.py`).

Marks of turns are records of the same kind (`prompt/turn_marks.py`); they are applied after all
removals.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final, Literal, TypeAlias

from jupyter_ac.chat.prompt.blocks import Block, answer_block, summary_block
from jupyter_ac.chat.prompt.context_fitting import Draft, worn
from jupyter_ac.chat.prompt.excluded_blocks import withheld
from jupyter_ac.chat.prompt.log import Exchange, leading_copies
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import Usage

Case: TypeAlias = Literal[
    "summarize", "truncate", "trim", "steps", "withhold", "list", "exclude", "pin", "release"
]

_COMPACTIONS: Final = frozenset({"summarize", "truncate", "steps"})
_OF_BLOCKS: Final = frozenset({"trim", "withhold"})

ACKNOWLEDGEMENT: Final = answer_block("Understood; I go on from this summary.")
"""Never varies: it stands near the beginning of every later prompt."""


@dataclass(frozen=True, slots=True)
class Removal:
    """One shortening of the log.

    Attributes:
        case: `summarize` and `truncate` are compactions, which take out talk and the copies of
            files; `trim` takes out the copies of some files; `steps` is a compaction in the middle
            of the run that is the turn `through`; `withhold` takes out what was sent of excluded
            files; `list` says only that none of it has to go; `exclude`, `pin` and `release` mark
            turns.
        through: the last turn that it is about; what came later stays as it was sent.
        first_kept: the first turn of a compaction whose talk stays; "" when none does.
        steps: of the run, how many exchanges go that the log had of it.
        answered: how many answers the run had then, of which the log may have fewer.
        turns: those that a mark is about; of a compaction, those whose talk stays although the
            talk around it goes.
        summary: stands for the talk before; "" when nothing does.
        paths: of a trim, the files that go; of a compaction, those whose copies at the very
            beginning of the log stay there; of `withhold` and `list` all that was excluded then.
        model: who wrote the summary.
        usage: what that took; None when nobody was asked.
        created_ms: when, milliseconds since 1970.
        number: of `withhold` and `list`, that of the last change that had excluded something.
        links: of `withhold`, the paths in the log that led to excluded files then.
    """

    case: Case
    through: str
    first_kept: str = ""
    summary: str = ""
    paths: tuple[RepoPath, ...] = ()
    model: str = ""
    usage: Usage | None = None
    created_ms: int = 0
    steps: int = 0
    answered: int = 0
    turns: tuple[str, ...] = ()
    number: int = 0
    links: tuple[RepoPath, ...] = ()

    @property
    def is_look(self) -> bool:
        """Whether the log was looked through for excluded files."""
        return self.case in {"withhold", "list"}

    @property
    def is_compaction(self) -> bool:
        """Whether talk was replaced by a summary, or dropped with its subject."""
        return self.case in _COMPACTIONS

    @property
    def of_run(self) -> str:
        """The turn of the run in whose middle it was made; "" for any other."""
        return self.through if self.case == "steps" else ""

    @property
    def renews_head(self) -> bool:
        """Whether the head is rebuilt as well.

        It is where nothing of the log stays in its place, and where files are withheld that its
        map may show. In the middle of a run the head stays: the provider's cache has it.
        """
        if self.case == "withhold":
            return True
        return self.is_compaction and not self.paths and self.case != "steps"


@dataclass(frozen=True, slots=True)
class CompactedEntry:
    """One exchange of the log, and the turn that it belongs to; "" for a summary."""

    turn_id: str
    exchange: Exchange


def shorten(
    entries: Sequence[CompactedEntry], turn_ids: Sequence[str], removals: Sequence[Removal]
) -> list[CompactedEntry]:
    """Give the log as it goes to the model.

    Args:
        entries: the log of all turns, nothing taken out.
        turn_ids: of the session, in order.
        removals: in the order in which they were made; one about unknown turns is ignored. Marks
            of turns are not applied here.
    """
    order = {turn_id: number for number, turn_id in enumerate(turn_ids)}
    log = list(entries)
    for removal in removals:
        if removal.through in order and (removal.is_compaction or removal.case in _OF_BLOCKS):
            log = _without(log, removal, order)
    return log


def _without(
    log: Sequence[CompactedEntry], removal: Removal, order: Mapping[str, int]
) -> list[CompactedEntry]:
    end = order[removal.through]
    old = [entry for entry in log if order.get(entry.turn_id, -1) <= end]
    rest = log[len(old) :]
    if removal.case == "withhold":
        excluded = ExcludedPaths((*removal.paths, *removal.links))
        left_in = (replace(entry, exchange=withheld(entry.exchange, excluded)) for entry in old)
        return [*left_in, *rest]
    if removal.case == "trim":
        gone = set(removal.paths)
        return [*(_without_files(entry, gone) for entry in old), *rest]
    pinned: list[CompactedEntry] = []
    if removal.case == "steps":
        pinned = _talk_of(old, removal.turns, before=end, order=order)
        kept = _resumed([entry for entry in old if entry.turn_id == removal.through], removal.steps)
    else:
        first = order.get(removal.first_kept, end + 1)
        pinned = _talk_of(old, removal.turns, before=first, order=order)
        kept = [
            _with_sent(entry, entry.exchange.questions)
            for entry in old
            if order.get(entry.turn_id, -1) >= first
        ]
    left = [*_summary(removal.summary), *pinned, *kept]
    if left and old:
        left[0] = _behind(_staying(old[0].exchange, set(removal.paths)), left[0])
    return [*left, *rest]


def _talk_of(
    log: Sequence[CompactedEntry],
    turns: Collection[str],
    *,
    before: int,
    order: Mapping[str, int],
) -> list[CompactedEntry]:
    """Give the talk of some turns that stand before a place; copies of files are left out."""
    return [
        _with_sent(entry, entry.exchange.questions)
        for entry in log
        if entry.turn_id in turns and order[entry.turn_id] < before
    ]


def _resumed(run: Sequence[CompactedEntry], steps: int) -> list[CompactedEntry]:
    """Give what stays of a run: its question, then the exchanges as they were sent."""
    kept = list(run[steps:])
    if steps and kept:
        kept[0] = _with_sent(kept[0], run[0].exchange.questions)
    return kept


def _with_sent(entry: CompactedEntry, sent: tuple[Block, ...]) -> CompactedEntry:
    return CompactedEntry(entry.turn_id, replace(entry.exchange, sent=sent))


def _staying(first: Exchange, paths: set[RepoPath]) -> tuple[Block, ...]:
    return tuple(takewhile(lambda block: block.path in paths, leading_copies(first)))


def _behind(copies: tuple[Block, ...], entry: CompactedEntry) -> CompactedEntry:
    return _with_sent(entry, (*copies, *entry.exchange.sent))


def _without_files(entry: CompactedEntry, gone: set[RepoPath]) -> CompactedEntry:
    exchange = entry.exchange
    sent = tuple(block for block in exchange.sent if block.path is None or block.path not in gone)
    if len(sent) == len(exchange.sent):
        return entry
    return _with_sent(entry, sent)


def _summary(text: str) -> list[CompactedEntry]:
    if not text:
        return []
    return [CompactedEntry("", Exchange((summary_block(text),), ACKNOWLEDGEMENT))]


_HALF: Final = 2


async def evicted(
    draft: Draft, selected: Collection[RepoPath], *, is_cold: bool
) -> tuple[RepoPath, ...]:
    """Return the files whose copies are to leave the log; mostly none.

    Args:
        draft: makes the prompt without some files' copies.
        selected: the files that the prompt must hold.
        is_cold: the provider's cache has expired; else the log is too long.
    """
    kept = await draft(())
    size = _size(kept)
    best: tuple[RepoPath, ...] = ()
    for gone in worn(kept, selected):
        shorter = _size(await draft(gone))
        if shorter < size and (is_cold or _HALF * shorter <= _size(kept)):
            best, size = gone, shorter
    return best


def _size(prompt: Prompt) -> int:
    """Give the bytes behind the head; the head is the same in all drafts."""
    behind = len(prompt.tools) + len(prompt.head)
    return sum(block.size_bytes for block in prompt.blocks[behind:])
