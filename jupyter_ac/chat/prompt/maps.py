"""The repository maps in a prompt, and the updates to them.

The map of the present mode, code or documents, is in the head, as it was when the head was made.
Later ones are appended, never put in front: a map that wasn't ready then, and the map of the other
kind if the user wants it. Each map is sent once until the log is compacted; lines say when the
other kind's is switched off and on again. Which maps the model has is derived from the head and the
log, so no second record of it can disagree. So is what they show, of which nothing is sent again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.prompt.blocks import Block, Category, body_of, wellformed
from jupyter_ac.chat.prompt.log import Exchange, standing
from jupyter_ac.chat.prompt.profiles import PromptProfile
from jupyter_ac.events import Mode
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.indexing.file_reader import blob_hash

_OF: Final[dict[Mode, str]] = {"code": "code", "doc": "documents"}
_OTHER: Final[dict[Mode, Mode]] = {"code": "doc", "doc": "code"}
_SWITCHED: Final = "switch"

_MEANING: Final = "as it was when this was sent; names are no text: to see a file, ask for it"


@dataclass(frozen=True, slots=True)
class ShownStructure:
    """What a prompt shows of the repository's structure before a question.

    Attributes:
        maps: of the code.
        ranked: what earlier questions got of the map, as far as the log still has it.
        files: whole copies of files, each with git's hash of its text.
    """

    maps: tuple[str, ...] = ()
    ranked: tuple[str, ...] = ()
    files: frozenset[tuple[RepoPath, str]] = frozenset()


NOTHING_SHOWN: Final = ShownStructure()


@dataclass(frozen=True, slots=True)
class KnownMaps:
    """The maps that a request may show.

    Attributes:
        own: blocks of the map of what is worked on; none when it isn't ready or not wanted.
        other: blocks of the other kind's.
        with_other: the user wants the other kind's, too.
        ranked: what this question is likely to need and nothing before it shows.
    """

    own: tuple[Block, ...] = ()
    other: tuple[Block, ...] = ()
    with_other: bool = False
    ranked: tuple[Block, ...] = ()


def mode_of(profile: PromptProfile) -> Mode:
    """Say whose map the prompts of a profile show."""
    return "doc" if profile.name == "doc" else "code"


def other_than(mode: Mode) -> Mode:
    """Name the other kind."""
    return _OTHER[mode]


def map_blocks(mode: Mode, legend: str, text: str, files: int = 0) -> tuple[Block, ...]:
    """Make the blocks of a map: what its signs mean, then the map; none for an empty one.

    Args:
        mode: of the code, or of the documents.
        legend: "" for none.
        text: the map.
        files: how many it names; stored with the block, as its source.
    """
    if not text.strip():
        return ()
    title = f"Map of the repository's {_OF[mode]}, {_MEANING}."
    source = f"map:{mode}:{files}"
    body = Block(Category.MAP, f"{title}\n\n{wellformed(text).strip()}\n", None, source)
    if not legend.strip():
        return (body,)
    return (Block(Category.LEGEND, f"{wellformed(legend).strip()}\n", None, source), body)


def ranked_blocks(text: str) -> tuple[Block, ...]:
    """Make the block of what a question is likely to need of the map; none for nothing."""
    if not text.strip():
        return ()
    title = "From the map, likely to matter for this question:"
    return (Block(Category.RANKED, f"{title}\n\n{wellformed(text).strip()}\n"),)


def shown_modes(head: Iterable[Block], past: Iterable[Exchange]) -> set[Mode]:
    """Say which maps the model has."""
    sent = (block for exchange in past for block in exchange.sent)
    return {kind_of(block) for block in (*head, *sent) if block.category is Category.MAP}


def structure_shown(fixed: Iterable[Block], past: Sequence[Exchange]) -> ShownStructure:
    """Read off what a prompt already shows.

    Args:
        fixed: the head, and maps that go out for the first time.
        past: the log.
    """
    sent = [block for exchange in past for block in exchange.sent]
    copies = ((path, copy.whole) for path, copy in standing(past).items())
    return ShownStructure(
        maps=tuple(
            block.text
            for block in (*fixed, *sent)
            if block.category is Category.MAP and kind_of(block) == "code"
        ),
        ranked=tuple(block.text for block in sent if block.category is Category.RANKED),
        files=frozenset(
            (path, blob_hash(content))
            for path, whole in copies
            if whole is not None and whole.category is Category.FILE
            for content in _contents(body_of(whole))
        ),
    )


def _contents(body: str) -> tuple[bytes, bytes]:
    """Return what a file may hold: a block's text ends with a line's end that it may lack."""
    return body.encode(), body.removesuffix("\n").encode()


def is_switch(block: Block) -> bool:
    """Say whether a block is a line that switches a map on or off."""
    return block.category is Category.NOTE and block.source.startswith(f"{_SWITCHED}:")


def kind_of(block: Block) -> Mode:
    """Say what a map is of."""
    return "doc" if block.source.startswith("map:doc:") else "code"


def files_in(block: Block) -> int:
    """Say how many files a map names."""
    count = block.source.rpartition(":")[2]
    return int(count) if count.isascii() and count.isdigit() else 0


def map_updates(
    head: Sequence[Block], past: Sequence[Exchange], mode: Mode, known: KnownMaps
) -> tuple[Block, ...]:
    """Write what is new of the maps for the end of the log.

    Args:
        head: of the request.
        past: its log.
        mode: what is worked on.
        known: the maps that there are.
    """
    in_head, shown = shown_modes(head, ()), shown_modes(head, past)
    news: list[Block] = []
    for kind, blocks, is_wanted in (
        (mode, known.own, True),
        (_OTHER[mode], known.other, known.with_other),
    ):
        if kind not in shown:
            news += blocks if is_wanted else ()
        elif kind not in in_head and is_wanted != _is_on(past, kind):
            told = "counts again" if is_wanted else "is switched off; leave it aside"
            sentence = f"The map of the repository's {_OF[kind]} above {told}.\n"
            news.append(Block(Category.NOTE, sentence, None, f"{_SWITCHED}:{kind}"))
    return tuple(news)


def _is_on(past: Sequence[Exchange], mode: Mode) -> bool:
    """Say how the lines about a map have left it; each one turns it over."""
    sent = (block for exchange in past for block in exchange.sent)
    notes = [block for block in sent if block.source == f"{_SWITCHED}:{mode}"]
    return len(notes) % 2 == 0
