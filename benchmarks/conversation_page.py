"""A conversation of 500 turns in the page: opening it, and scrolling all of it, in Chromium.

Beside the frames while it scrolls: those of the same page at rest. The answers have prose, lists,
tables, code and edits, as those of real models do.
"""

import asyncio
import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from playwright.sync_api import CDPSession, Page, sync_playwright

from benchmarks.figure import at_most, beside
from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.edit_blocks.reading.parser import parse
from jupyter_ac.chat.edit_blocks.rows import Utf16Offsets, result_row
from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits
from jupyter_ac.chat.history.schema import history_database
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.records import TurnPosition, TurnRecord, TurnState
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.signing import row_signer
from jupyter_ac.ids import ConversationKey, Identity, RequestId, SessionId
from jupyter_ac.models.client import Usage
from jupyter_ac.store.signing_key import FILE, KEY_BYTES
from jupyter_ac.store.state_paths import state_folder
from tests.e2e.conftest import CHROMIUM_FLAGS
from tests.support.repositories import make_repository
from tests.support.serve_process import ServeProcess

TURNS: Final = 500
ROUNDS: Final = 3
SECONDS: Final = 2
PX_PER_SECOND: Final = 4000
MOST_OPEN_MS: Final = 1500.0
MOST_BUSY_MS: Final = 8.0
"""Half of a frame."""

SCRIPT: Final = Path(__file__).with_suffix(".js")

PROSE: Final = """The function **reads** the file twice: once for its size, and once for `{name}`.

1. It opens the file in `src/module_{number}.py`, which is short.
2. It counts lines, words and *characters*, with a [link](https://example.org/{number}).
3. It closes it again.

| step | time |
| --- | --- |
| open | {number} ms |
| read | 12 ms |
"""
CODE: Final = """
```python
def count_{number}(path: str) -> int:
    \"\"\"Count the lines of a file.\"\"\"
    with open(path, encoding="utf-8") as lines:
        return sum(1 for line in lines if line.strip())


class Reader{number}:
    def __init__(self, path: str) -> None:
        self.path = path
        self.lines = count_{number}(path)
```
"""
EDIT: Final = """
src/module_{number}.py
🟧🟧🟧 EDIT
def old_{number}():
    return {number}
🟨🟨🟨 REPL
def new_{number}(value: int) -> int:
    return value + {number}
🟩🟩🟩 END

That makes the call in `main` simpler.
"""


def answer(number: int) -> str:
    """Give one of three kinds of answers: prose, with code, with an edit."""
    parts = (PROSE, PROSE + CODE, PROSE + EDIT)[number % 3] * (1 + number % 2)
    return parts.replace("{number}", str(number)).replace("{name}", f"name_{number}")


def turn(number: int) -> TurnRecord:
    """Give a turn that is over."""
    text = answer(number)
    blocks = parse(text, exists=lambda _: True)
    units = Utf16Offsets(text, blocks)
    outcomes = (BlockOutcome(block, BlockStatus.APPLIED, added=2, removed=2) for block in blocks)
    return TurnRecord(
        turn_id=f"turn_{number}",
        request_id=RequestId(f"{number}-bench"),
        question=f"Question {number}: what does `module_{number}` do, and can it be simpler?",
        created_ms=1_700_000_000_000 + number,
        state=TurnState.DONE,
        answer=text,
        model="anthropic/claude",
        usage=Usage(input_tokens=1000 + number, output_tokens=300),
        edits=TurnEdits(results=tuple(result_row(each, units, 0) for each in outcomes)),
    )


async def fill(root: Path, config: Path) -> None:
    """Keep the conversation in a repository's history."""
    repository = await discover(root)
    place = state_folder(repository.common_dir)
    secret = config / FILE
    secret.touch(0o600)
    secret.write_bytes(os.urandom(KEY_BYTES))
    _, signer = row_signer(repository, config)
    database = history_database(place.directory, signer)
    store = HistoryStore(database, "")
    key, session = ConversationKey(Identity("local")), SessionId("sess_1_bench")
    for number in range(TURNS):
        whole = turn(number)
        asked = replace(whole, state=TurnState.RUNNING, answer="", edits=TurnEdits(), usage=None)
        await store.begin(TurnPosition(key, session, 2 * number), asked)
        await store.finish(whole)
    await database.aclose()


class Seen(NamedTuple):
    """What was seen of a page.

    Attributes:
        opened: milliseconds until the last answer was there.
        frames: a second, while it scrolled.
        busy: processor time of the main thread for one of them, in milliseconds.
        rest: frames a second while nothing was done.
    """

    opened: float
    frames: float
    busy: float
    rest: float


def measure(page: Page, address: str) -> Seen:
    """Open the conversation, and scroll in it."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address)
    page.evaluate(f"() => {{ {SCRIPT.read_text(encoding='utf-8')} }}")
    opened = page.evaluate("window.opened()")
    count = page.evaluate("window.whole()")
    if count != 2 * TURNS:
        raise RuntimeError(f"{count} messages are shown")
    rest = page.evaluate(f"window.rest({SECONDS})")
    before = busy_s(session)
    moved = page.evaluate(f"window.scroll({SECONDS}, {PX_PER_SECOND})")
    used_ms = 1000 * (busy_s(session) - before)
    return Seen(opened, moved["frames"], used_ms / (moved["frames"] * SECONDS), rest)


def busy_s(session: CDPSession) -> float:
    """Return how long the page's main thread has worked."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


def main() -> None:
    """Measure opening and scrolling."""
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        (home / "ac").mkdir(parents=True)
        root = make_repository(Path(folder) / "repo").root
        asyncio.run(fill(root, home / "ac"))
        environment = {
            **os.environ,
            "HOME": str(home),
            "JUPYTER_AC_CONFIG_DIR": str(home / "ac"),
            "JUPYTER_AC_CACHE_DIR": str(home / "cache"),
        }
        with (
            sync_playwright() as playwright,
            closing(ServeProcess(root, environment).start()) as server,
            closing(
                playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
            ) as browser,
        ):
            found = [measure(browser.new_page(), server.page) for _ in range(ROUNDS)]
    opened, frames, busy, rest = zip(*found, strict=True)
    name = f"conversation of {TURNS} turns"
    at_most(f"{name}, opened", opened, "ms", MOST_OPEN_MS).emit()
    at_most(f"{name}, processor time for a frame", busy, "ms", MOST_BUSY_MS).emit()
    beside(f"{name}, scrolled", frames, "frames/s", ("at rest", rest), 0.9).emit()


if __name__ == "__main__":
    main()
