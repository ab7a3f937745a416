"""What the prompts of sessions cost, by the rules of `reference/prompt-cost.md`.

Sessions are drawn at random (`benchmarks/sessions.py`) on three repositories: this one, and two
packages of the environment. They are played through the real engine with the real index
(`playing.py`), and the marks of `jupyter_ac.worker.cache_control` are set on the requests. The cost
is computed under both kinds of caches (`caches.py`), beside no cache and beside the best possible.
`python -m benchmarks.prompt_cost SEED …` plays other seeds; nothing is sent anywhere.
"""

import asyncio
import hashlib
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final

from benchmarks.caches import AutomaticCache, Bill, MarkedCache, Part, Sent, best_marked
from benchmarks.figure import at_most, reported
from benchmarks.index_maps import IndexMaps
from benchmarks.playing import SUMMARY_TOKENS, AfterPause, Left, play
from benchmarks.sessions import Session, draw
from jupyter_ac.models.tokens import TokenCounter
from jupyter_ac.worker.cache_control import with_marks
from jupyter_ac.workers.process import Worker
from tests.support.repositories import make_repository

ROOT: Final = Path(__file__).parents[1]
ENCODING: Final = "cl100k_base"
MINIMUM: Final = 1024
SEEDS: Final = (1,)
PACKAGES: Final = ("jupyter_server", "tornado")
PAUSES: Final = 0.3
FEW_NEW: Final = 0.15
MOST_COST: Final = 0.25
MOST_OVER_BEST: Final = 1.05
SLACK: Final = 1.05
OUTPUT: Final = 5
"""Price of a written token, where one that is read without a cache costs 1."""


@dataclass(frozen=True, slots=True)
class Played:
    """A session's requests with what each took.

    Attributes:
        sent: of turns and side tasks, in order.
        turns: the turn of each.
        fresh: tokens of each that are new.
        marked: the bills where prompts are marked.
        automatic: the bills where the provider decides.
    """

    sent: list[Sent]
    turns: list[int]
    fresh: list[int]
    marked: list[Bill]
    automatic: list[Bill]

    @property
    def plain(self) -> int:
        """What it costs without a cache."""
        return sum(one.tokens for one in self.sent)

    @property
    def share_new(self) -> float:
        """The part of all that was sent that was new."""
        return sum(self.fresh) / self.plain

    def over_bar(self, bills: Sequence[Bill]) -> list[float]:
        """Return each turn's cost by what it may be, without the 5 % that are allowed."""
        rows: dict[int, list[float]] = {}
        for turn, fresh, bill in zip(self.turns, self.fresh, bills, strict=True):
            row = rows.setdefault(turn, [0.0, 0.0])
            row[0] += bill.cost
            row[1] += 1.25 * fresh + 0.1 * (bill.tokens - fresh)
        return [cost / allowed for cost, allowed in rows.values()]


class Scales:
    """Weighs requests, each text once."""

    def __init__(self) -> None:
        self._worker = Worker("tokens")
        self._counter = TokenCounter(self._worker)
        self._sizes: dict[str, int] = {}

    async def sent(self, left: Left) -> Sent:
        """Give a request as the provider sees it."""
        messages = left.request.messages
        texts = [text for message in messages for text, _ in _parts(message)]
        fresh = [text for text in dict.fromkeys(texts) if text not in self._sizes]
        counts = await self._counter.count(ENCODING, fresh) if fresh else []
        self._sizes.update(zip(fresh, counts, strict=True))
        if left.request.cache:
            passing = left.request.passing_parts
            messages, _ = with_marks(messages, MINIMUM, self._sizes.__getitem__, passing)
        return Sent(
            left.at_s,
            tuple(
                Part(f"{message['role']}:{text}", self._sizes[text], is_marked)
                for message in messages
                for text, is_marked in _parts(message)
            ),
        )

    async def aclose(self) -> None:
        """End the worker."""
        await self._worker.aclose()


def _parts(message: Mapping[str, object]) -> list[tuple[str, bool]]:
    content = message["content"]
    if not isinstance(content, list):
        return [(str(content), False)]
    return [(str(part["text"]), "cache_control" in part) for part in content]


async def weigh(lefts: Sequence[Left], scales: Scales) -> Played:
    """Compute what a session's requests took."""
    sent = [await scales.sent(left) for left in lefts]
    is_side = [not left.request.cache for left in lefts]
    marked, automatic = MarkedCache(MINIMUM), AutomaticCache(MINIMUM)
    return Played(
        sent,
        [left.turn for left in lefts],
        fresh_tokens(sent, is_side, [left.request.passing_parts for left in lefts]),
        [marked.take(one) for one in sent],
        [automatic.take(one) for one in sent],
    )


def fresh_tokens(
    sent: Sequence[Sent], is_side: Sequence[bool], passing: Sequence[int]
) -> list[int]:
    """Count the tokens of each request that no request before had.

    Where the log was shortened, by a compaction or since old copies left it, all behind that place
    counts as new; so does what was chosen for a question, which no log holds, also where two
    questions get the same.
    """
    known: set[str] = set()
    found = []
    before: tuple[Part, ...] = ()
    for one, aside, passes in zip(sent, is_side, passing, strict=True):
        if not aside:
            pairs = zip(before, one.parts, strict=False)
            same = sum(1 for _ in takewhile(_are_same, pairs))
            if any(part.is_marked for part in before[same:]):
                known = {part.name for part in one.parts[:same]}
            before = one.parts
        found.append(sum(part.tokens for part in one.parts if part.name not in known))
        chosen = slice(len(one.parts) - passes, len(one.parts) - 1) if passes else slice(0)
        known |= {part.name for part in one.parts} - {part.name for part in one.parts[chosen]}
    return found


def _are_same(pair: tuple[Part, Part]) -> bool:
    return pair[0].name == pair[1].name


def digest(lefts: Sequence[Left]) -> str:
    """Name what was sent, byte for byte."""
    messages = [left.request.messages for left in lefts]
    return hashlib.sha256(json.dumps(messages).encode()).hexdigest()


async def elsewhere(name: str, seed: int) -> str:
    """Play a session in another process, in which sets are ordered otherwise; its digest."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.prompt_cost", "digest", name, str(seed)),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": str(seed + 1)},
    )
    told, _ = await process.communicate()
    return told.decode().strip()


def tree(name: str) -> dict[str, str | bytes]:
    """Return the text files of a repository: ours as it was committed, or an installed package."""
    if name not in PACKAGES:
        return {path: data for path, data in _committed(name).items() if _is_text(data)}
    folder = Path(next(path for path in sys.path if path.endswith("site-packages")))
    files = (path for path in sorted((folder / name).rglob("*")) if path.is_file())
    found = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    return {path: data for path, data in found.items() if _is_text(data)}


def _committed(revision: str) -> dict[str, bytes]:
    command = ["git", "archive", "--format=tar", revision]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        files = [entry for entry in archive if entry.isfile()]
        read = [(entry.name, archive.extractfile(entry)) for entry in files]
        return {name: file.read() for name, file in read if file is not None}


def our_revision() -> str:
    """Name the commit that is checked out here; others may commit meanwhile."""
    command = ["git", "rev-parse", "HEAD"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _is_text(data: bytes) -> bool:
    if b"\0" in data or b"\r" in data:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


async def played(
    name: str,
    files: dict[str, str | bytes],
    session: Session,
    after_pause: AfterPause = "decide",
) -> list[Left]:
    """Play a session on a repository that is made for it."""
    with TemporaryDirectory(prefix="jupyter-ac-bench-") as folder:
        made = make_repository(Path(folder) / name, files)
        async with IndexMaps.of(made, cache_dir()) as maps:
            return await play(made, Path(folder), session, maps, after_pause)


def cache_dir() -> Path:
    """Return the folder in which the index is kept between sessions."""
    folder = Path(gettempdir()) / "jupyter-ac-bench-index"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def show(name: str, seed: int, one: Played) -> None:
    """Print a session's row."""
    marked, automatic = (sum(bill.cost for bill in bills) for bills in (one.marked, one.automatic))
    best = best_marked(one.sent)
    head = max(one.sent[0].parts, key=lambda part: part.tokens).tokens
    sys.stderr.write(
        f"{name[:14]} {seed}: {len(set(one.turns))} turns, {one.plain} tokens, "
        f"{one.share_new:.1%} new; marked {marked / one.plain:.3f}, "
        f"automatic {automatic / one.plain:.3f} of no cache; {marked / best:.3f} of the best; "
        f"dearest turn {max(one.over_bar(one.marked)):.3f}, "
        f"{max(one.over_bar(one.automatic)):.3f} of its bar; largest part {head}\n"
    )


@dataclass(frozen=True, slots=True)
class Paused:
    """What a session with pauses costs, by what happens to the log after each.

    Attributes:
        decided: the engine decides.
        kept: all is kept.
        compacted: the conversation is compacted.
    """

    decided: float
    kept: float
    compacted: float

    @property
    def ratio(self) -> float:
        """What is decided by the cheaper of the others."""
        return self.decided / min(self.kept, self.compacted)


async def pausing(
    name: str, files: dict[str, str | bytes], seed: int, scales: Scales
) -> list[Paused]:
    """Play a session with pauses in the three ways; under marks and where the provider decides."""
    session = draw(seed, {path: len(data) for path, data in files.items()}, PAUSES)
    ways: list[AfterPause] = ["decide", "keep", "compact"]
    costs: list[tuple[float, float]] = []
    for way in ways:
        lefts = await played(name, files, session, way)
        one = await weigh(lefts, scales)
        # Compacting is paid for with the summary that somebody writes, too.
        written = OUTPUT * SUMMARY_TOKENS * sum(not left.request.cache for left in lefts)
        marked = sum(bill.cost for bill in one.marked) + written
        costs.append((marked, sum(bill.cost for bill in one.automatic) + written))
    return [Paused(*row) for row in zip(*costs, strict=True)]


async def main() -> None:
    """Measure."""
    seeds = [int(word) for word in sys.argv[1:]] or SEEDS
    scales = Scales()
    plain: list[Played] = []
    paused: list[Paused] = []
    try:
        for name in (our_revision(), *PACKAGES):
            files = tree(name)
            sizes = {path: len(data) for path, data in files.items()}
            for seed in seeds:
                lefts = await played(name, files, draw(seed, sizes))
                assert await elsewhere(name, seed) == digest(lefts), "two runs differ"
                plain.append(await weigh(lefts, scales))
                show(name, seed, plain[-1])
                paused += await pausing(name, files, seed, scales)
                for one in paused[-2:]:
                    sys.stderr.write(
                        f"    with pauses {one.decided:.0f}; all kept {one.kept:.0f}; "
                        f"compacted {one.compacted:.0f}\n"
                    )
    finally:
        await scales.aclose()
    _report(plain, paused)


async def tell_digest(name: str, seed: int) -> None:
    """Print the digest of one session."""
    files = tree(name)
    sizes = {path: len(data) for path, data in files.items()}
    sys.stdout.write(digest(await played(name, files, draw(seed, sizes))) + "\n")


def _report(plain: Sequence[Played], paused: Sequence[Paused]) -> None:
    few = [one for one in plain if one.share_new <= FEW_NEW]
    for world, bills_of in WORLDS:
        costs = [sum(bill.cost for bill in bills_of(one)) / one.plain for one in few]
        if costs:
            name = f"prompts of sessions with little new text, {world}, dearest"
            at_most(name, [max(costs)], "of no cache", MOST_COST).emit()
        over = list(chain.from_iterable(one.over_bar(bills_of(one)) for one in plain))
        at_most(f"dearest turn, {world}", [max(over)], "of its bar", SLACK).emit()
    best = [sum(bill.cost for bill in one.marked) / best_marked(one.sent) for one in plain]
    at_most("prompts of a session, dearest", [max(best)], "of the best", MOST_OVER_BEST).emit()
    total = [sum(bill.cost for bill in one.marked) for one in plain]
    beside = "no cache", [float(one.plain) for one in plain]
    reported("prompts of a session", total, "tokens", beside).emit()
    ratio = max(one.ratio for one in paused)
    at_most("sessions with pauses, dearest", [ratio], "of the cheaper way", 1.0).emit()


WORLDS: Final[tuple[tuple[str, Callable[[Played], list[Bill]]], ...]] = (
    ("marks", lambda one: one.marked),
    ("automatic", lambda one: one.automatic),
)


if __name__ == "__main__":
    if sys.argv[1:2] == ["digest"]:
        asyncio.run(tell_digest(sys.argv[2], int(sys.argv[3])))
    else:
        asyncio.run(main())
