"""What the prompts of a session cost, by the rules of `reference/prompt-cost.md`.

Twelve turns on this repository: eight edits of selected files, two questions, an edit of a file
that is not selected, a new file, and selections that change. Our own stages put the prompts
together and our own marks are set; nothing is sent. Unit: one input token that no cache serves; a
token written to the cache counts 1.25, one read from it 0.1. The prompts hold no map yet; a second
run has a head as long as one, which bars are for.
"""

import asyncio
import hashlib
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.figure import at_most, reported
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.profiles import profile_of
from jupyter_ac.chat.turns import Ask, Turns
from jupyter_ac.ids import RepoPath, Seat
from jupyter_ac.models.client import Completion
from jupyter_ac.models.tokens import TokenCounter
from jupyter_ac.worker.marks import with_marks
from jupyter_ac.workers.process import Worker
from tests.chat.memory import ADA, Recorder, World, open_world

ROOT: Final = Path(__file__).parents[1]
ENCODING: Final = "cl100k_base"
MINIMUM: Final = 1024
LOOKBACK: Final = 20
READ: Final = 0.1
WRITE: Final = 1.25

FILES: Final = (
    *("jupyter_ac/chat/turns.py", "jupyter_ac/chat/stages.py", "jupyter_ac/rpc/peer.py"),
    *("jupyter_ac/git/search/grep.py", "jupyter_ac/chat/conversation.py", "jupyter_ac/errors.py"),
    *("jupyter_ac/store/sqlite.py", "jupyter_ac/git/paths.py", "tests/chat/test_turns.py"),
    *("tests/chat/test_stages.py", "jupyter_ac/rpc/codec.py", "jupyter_ac/settings/schema.py"),
)
SELECTIONS: Final[Mapping[int, Sequence[int]]] = {
    1: (0, 1, 8),
    5: (0, 1, 9, 4),
    7: (2, 4),
    8: (2, 3, 5),
    10: (5, 6),
    11: (6, 7),
    12: (6, 7, 10, 11),
}
EDITS: Final[Mapping[int, Sequence[int]]] = {
    1: (0,),
    2: (1,),
    3: (0, 8),
    5: (4,),
    6: (9,),
    7: (3,),
    8: (2,),
    11: (6, 7),
    12: (10,),
}
TURNS: Final = 12
MOST: Final = 195_000
"""0.6 of what AC-DC's prompts cost in a session of this kind, its map of 46k tokens included."""


class Cache:
    """A provider's prompt cache: marked prefixes, without expiry."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def read(self, parts: Sequence[tuple[str, bool, int]]) -> tuple[int, int, int]:
        """Tokens of a request's parts (text, marked, tokens): read, written, neither."""
        digest, total, read, marked_to = hashlib.sha256(), 0, 0, 0
        ends: list[tuple[str, int]] = []
        marks: list[str] = []
        for text, marked, tokens in parts:
            digest.update(text.encode() + b"\0")
            total += tokens
            ends.append((digest.hexdigest(), total))
            if marked:
                marks.append(ends[-1][0])
                marked_to = total
                near = [size for end, size in ends[-LOOKBACK:] if end in self._known]
                read = max([read, *near])
        self._known.update(marks)
        return read, max(0, marked_to - read), total - max(marked_to, read)


async def requests_of(world: World, ports: TurnPorts) -> list[Completion]:
    """Play the session; the requests as they would leave."""
    chance = random.Random(1)
    conversation = Conversation(Seat(ADA))
    turns = Turns(ports, world.pages)
    for number in range(1, TURNS + 1):
        if number in SELECTIONS:
            conversation.selection = tuple(RepoPath(FILES[at]) for at in SELECTIONS[number])
        world.model.pieces = ["word " * 180]
        follower = Recorder()
        question = f"Turn {number}: " + "please " * 30
        turns.start(conversation, Ask(f"{number}-x", question, "p")).follow("p", follower)
        await asyncio.wait_for(follower.over.wait(), 60)
        for at in EDITS.get(number, ()):
            _edit(world, FILES[at], chance)
    return world.model.requests


def _edit(world: World, path: str, chance: random.Random) -> None:
    lines = str(world.files.texts[path]).splitlines(keepends=True)
    at = chance.randrange(len(lines))
    lines[at : at + 2] = [f"    changed_{number} = True\n" for number in range(4)]
    world.files.texts[path] = "".join(lines)


async def weigh(requests: Sequence[Completion]) -> list[tuple[int, int, float]]:
    """Input, read tokens and cost of each request."""
    worker, cache, found = Worker("tokens"), Cache(), []
    counter = TokenCounter(worker)
    try:
        for request in requests:
            texts = [text for message in request.messages for text, _ in _parts(message)]
            sizes = dict(zip(texts, await counter.count(ENCODING, texts), strict=True))
            marked, _ = with_marks(
                request.messages, MINIMUM, sizes.__getitem__, request.passing_parts
            )
            parts = [
                (text, is_marked, sizes[text])
                for message in marked
                for text, is_marked in _parts(message)
            ]
            read, written, rest = cache.read(parts)
            found.append((read + written + rest, read, READ * read + WRITE * written + rest))
    finally:
        await worker.aclose()
    return found


def _parts(message: Mapping[str, object]) -> list[tuple[str, bool]]:
    content = message["content"]
    if not isinstance(content, list):
        return [(str(content), False)]
    return [(str(part["text"]), "cache_control" in part) for part in content]


async def measure(name: str, head: str) -> None:
    """Print the table and the figures for one system prompt."""
    world = open_world({path: (ROOT / path).read_text() for path in FILES})
    world.model.info = replace(world.model.info, max_input_tokens=1_000_000)
    ports = world.ports()
    if head:
        ports = replace(ports, profile_for=lambda choice: profile_of(choice, own=head))
    rows = await weigh(await requests_of(world, ports))
    for number, (size, read, cost) in enumerate(rows, 1):
        sys.stderr.write(f"{name}, turn {number}: {size} / {read / size:.0%} / {cost:.0f}\n")
    total, plain = sum(cost for _, _, cost in rows), sum(size for size, _, _ in rows)
    share = sum(read for _, read, _ in rows[1:]) / sum(size for size, _, _ in rows[1:])
    worst = max(cost for _, _, cost in rows[1:]) / rows[0][2]
    beside = ("without a cache", [float(plain)])
    if not head:
        reported(f"prompts of a session, {name}", [total], "tokens", beside).emit()
        reported(f"cached share from turn 2 on, {name}", [share], "").emit()
        return
    at_most(f"prompts of a session, {name}", [total], "tokens", MOST, beside).emit()
    at_most(f"uncached share from turn 2 on, {name}", [1 - share], "", 0.15).emit()
    at_most(f"dearest later turn / first turn, {name}", [worst], "", 0.4).emit()


async def main() -> None:
    """Measure with our head as it is, and with one as long as AC-DC's with its map."""
    await measure("no map", "")
    await measure("a head of 46k tokens", "word another " * 23_000)


if __name__ == "__main__":
    asyncio.run(main())
