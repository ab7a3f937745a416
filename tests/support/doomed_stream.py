"""A process that streams an answer into a history until it is killed; it prints what it has got.

`python -m tests.support.doomed_stream FOLDER`: a line `<seconds> <characters>` for each piece.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.history.notebook_views import NotebookViewStore
from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.ids import ConversationKey
from jupyter_ac.models.client import CompletedAnswer, CompletionRequest, PromptProgress, Retry
from tests.chat.memory import ADA, ScriptedModel, open_world
from tests.support.histories import history_in

PIECE = "word "
PACE_S = 0.01
QUESTION = "Will you be killed?"


class Endless(ScriptedModel):
    """Streams until the end of its process."""

    async def complete(
        self,
        request: CompletionRequest,
        on_text: Callable[[str], None],
        on_progress: Callable[[PromptProgress | Retry], None] | None = None,
        on_reasoning: Callable[[str], None] | None = None,
    ) -> CompletedAnswer:
        """Give a piece every few milliseconds."""
        assert request or on_progress or on_reasoning
        said = 0
        while True:
            on_text(PIECE)
            said += len(PIECE)
            sys.stdout.write(f"{time.monotonic()} {said}\n")
            sys.stdout.flush()
            await asyncio.sleep(PACE_S)


async def main(folder: Path) -> None:
    """Restore the conversation and ask in it."""
    world = open_world({"a.py": "print(1)\n"})
    world.model = Endless()
    database = history_in(folder)
    ports = replace(world.ports(), history=HistoryStore(database, ""))
    conversation = await ConversationRegistry(
        ports.history,
        ports.files,
        FocusStore(database, ""),
        PageStore(database, ""),
        NotebookViewStore(database, ""),
    ).open(ConversationKey(ADA))
    number = len(conversation.session.turns)
    Turns(ports, world.pages).start(conversation, ChatRequest(f"{number}-a", QUESTION, None))
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
