"""What the replayed session of `reference/prompt-cost.md` costs, and what its prompts name.

The session (`replay_session.py`) is played through the real engine with the real index on 342 files
of this repository and on two packages. Beside it stands what the same prompts cost when the whole
ranked part goes out behind each question and in no log, as it did before decision 0054. Recall is
the share of the files and names of that whole part that the prompt shows, in its maps or as text.
The files are chosen so that the session costs about what the one of that page did. Nothing is sent
anywhere.
"""

import asyncio
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.caches import best_marked
from benchmarks.figure import at_most, reported
from benchmarks.index_maps import IndexMaps
from benchmarks.playing import Left, play
from benchmarks.prompt_cost import PACKAGES, Played, Scales, cache_dir, our_revision, tree, weigh
from benchmarks.recall.judge import Named, read
from benchmarks.replay_session import replayed
from jupyter_ac.chat.ports import MapAsk
from jupyter_ac.chat.prompt.maps import ShownStructure
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.client import IndexClient
from jupyter_ac.index.map.shown import ShownMaps
from jupyter_ac.index.map.text import map_text
from jupyter_ac.settings.app import PromptSettings
from tests.support.repositories import make_repository

FILES: Final = 342
SEEDS: Final = (1, 2, 3)
RANKED: Final = "From the map, likely to matter for this question:"
MAPS: Final = ("Map of the repository's code", RANKED)
_DEFINED: Final = re.compile(r"(?:def|class)\s+(\w+)|^(\w+)\s*[:=]", re.MULTILINE)
MOST_COST: Final = 0.22
MOST_UNITS: Final = 50_000


@dataclass
class BothMaps(IndexMaps):
    """The maps of the engine, and the whole ranked part of each question.

    Attributes:
        whole: by turn's question, the part that was sent before.
    """

    client: IndexClient
    whole: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(self.client)

    async def ranked(self, ask: MapAsk, /) -> str:
        """Return what is new for a question; remember all that it is likely to need."""
        paths = ShownMaps(ask.shown.maps).paths
        bare = ShownStructure((map_text(dict.fromkeys(paths, "")),)) if paths else ShownStructure()
        self.whole[ask.question] = await super().ranked(
            replace(ask, shown=bare, budget_tokens=PromptSettings().ranked_tokens)
        )
        return await super().ranked(ask)


def as_before(lefts: Sequence[Left], whole: Mapping[int, str]) -> list[Left]:
    """Return the requests with the whole ranked part of each turn behind its question only.

    Args:
        lefts: the requests as they left.
        whole: the part, by the request's number.
    """
    found = []
    for number, left in enumerate(lefts):
        messages = [_without_ranked(message) for message in left.request.messages]
        passing = left.request.passing_parts
        if whole.get(number):
            last = messages[-1]
            parts = _texts(last)
            behind = len(parts) - passing
            block = f"{RANKED}\n\n{whole[number].strip()}\n"
            messages[-1] = _message(last, [*parts[:behind], block, *parts[behind:]])
            passing += 1
        request = replace(left.request, messages=messages, passing_parts=passing)
        found.append(replace(left, request=request))
    return found


def _without_ranked(message: Mapping[str, object]) -> Mapping[str, object]:
    return _message(message, [text for text in _texts(message) if not text.startswith(RANKED)])


def _message(message: Mapping[str, object], texts: Sequence[str]) -> Mapping[str, object]:
    return {**message, "content": [{"type": "text", "text": text} for text in texts]}


def _texts(message: Mapping[str, object]) -> list[str]:
    content = message["content"]
    if not isinstance(content, list):
        return [str(content)]
    return [str(part["text"]) for part in content]


def recall(left: Left, whole: str, texts: Mapping[str, str]) -> float:
    """Return the share of a ranked part's files and names that a request shows.

    Args:
        left: the request.
        whole: the part.
        texts: of the repository's files.
    """
    known = [RepoPath(path) for path in texts]
    sent = [text for message in left.request.messages for text in _texts(message)]
    shown = [read(text, known) for text in sent if text.startswith(MAPS)]
    wanted = _entries(read(whole, known), texts)
    found = set().union(*(_entries(one, texts) for one in shown))
    missed = {(path, name) for path, name in wanted - found if not _is_whole(path, sent)}
    return 1 - len(missed) / len(wanted) if wanted else 1.0


def _entries(named: Named, texts: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return the files, and what they define; parameters in signatures are no names."""
    found = {(str(path), "") for path in named.files}
    for path, words in named.symbols.items():
        defined = {name for row in _DEFINED.findall(texts[path]) for name in row}
        found |= {(path, word) for word in words & defined}
    return found


def _is_whole(path: str, sent: Sequence[str]) -> bool:
    return any(text.startswith(f"{path}\n```") for text in sent)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replayed session, as it is and as it was.

    Attributes:
        now: what it takes.
        before: what it took with the whole ranked part behind each question.
        ranked: tokens of the ranked parts, now and before.
        recall: of each question.
    """

    now: Played
    before: Played
    ranked: tuple[int, int]
    recall: list[float]


async def replay(name: str, files: dict[str, str | bytes], seed: int, scales: Scales) -> Replayed:
    """Play the session on a repository that is made for it."""
    texts = {
        path: data.decode() if isinstance(data, bytes) else data for path, data in files.items()
    }
    session = replayed(texts, seed)
    with TemporaryDirectory(prefix="jupyter-ac-bench-") as folder:
        made = make_repository(Path(folder) / name, files)
        async with BothMaps.of(made, cache_dir()) as maps:
            lefts = await play(made, Path(folder), session, maps)
            whole = maps.whole
    parts = {
        number: whole[session.steps[left.turn].question]
        for number, left in enumerate(lefts)
        if not number or lefts[number - 1].turn != left.turn
    }
    before = await weigh(as_before(lefts, parts), scales)
    now = await weigh(lefts, scales)
    return Replayed(
        now,
        before,
        (_ranked_tokens(now), _ranked_tokens(before)),
        [recall(lefts[number], part, texts) for number, part in parts.items()],
    )


def _ranked_tokens(one: Played) -> int:
    parts = {part.name: part for sent in one.sent for part in sent.parts if RANKED in part.name}
    return sum(part.tokens for part in parts.values())


def units(one: Played) -> float:
    """Return what a session costs with marks."""
    return sum(bill.cost for bill in one.marked)


def show(name: str, seed: int, one: Replayed) -> None:
    """Print a session's row."""
    rows = [
        f"{what} {units(played):.0f} units, {units(played) / played.plain:.3f} of no cache, "
        f"{units(played) / best_marked(played.sent):.3f} of the best, ranked {ranked}"
        for what, played, ranked in zip(
            ("now", "before"), (one.now, one.before), one.ranked, strict=True
        )
    ]
    sys.stderr.write(f"{name[:14]} {seed}: {'; '.join(rows)}; recall {min(one.recall):.3f}\n")


def trees() -> dict[str, dict[str, str | bytes]]:
    """Return the repositories: 342 files of ours, and packages of the environment."""
    ours = {
        path: data
        for path, data in sorted(tree(our_revision()).items())
        if path.startswith("jupyter_ac/") and path.endswith(".py")
    }
    some = dict(list(ours.items())[:FILES])
    return {"ours": some, **{name: tree(name) for name in PACKAGES}}


async def main() -> None:
    """Measure."""
    seeds = [int(word) for word in sys.argv[1:]] or SEEDS
    scales = Scales()
    found: list[Replayed] = []
    try:
        for name, files in trees().items():
            for seed in seeds:
                found.append(await replay(name, files, seed, scales))
                show(name, seed, found[-1])
    finally:
        await scales.aclose()
    _report(found)


def _report(found: Sequence[Replayed]) -> None:
    costs, shares = zip(
        *((units(one.now), units(one.now) / one.now.plain) for one in found), strict=True
    )
    before = [units(one.before) for one in found]
    before_shares = [units(one.before) / one.before.plain for one in found]
    at_most("replayed session", costs, "units", MOST_UNITS, ("whole parts", before)).emit()
    at_most(
        "replayed session", shares, "of no cache", MOST_COST, ("whole parts", before_shares)
    ).emit()
    least = min(value for one in found for value in one.recall)
    reported("replayed session, least recall", [least], "of the whole parts").emit()


if __name__ == "__main__":
    asyncio.run(main())
