"""Conversations with a scripted model, for tests of what shortens them."""

import asyncio
import json

from jupyter_ac.chat.compaction.compactor import Compactor
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.events import CompactionEvent
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.models.client import CompletionRequest
from jupyter_ac.settings.app import AppSettings, CompactionSettings
from tests.chat.memory import ADA, Recorder, World, open_world

SUMMARY = json.dumps({"boundary_index": None, "confidence": 0, "summary": "They spoke of gardens."})


def settings(
    trigger: int = 100, window: int = 50, summary: int = 20, least: int = 2
) -> AppSettings:
    """Settings with which a few turns are a long conversation."""
    compaction = CompactionSettings(
        compaction_trigger_tokens=trigger,
        verbatim_window_tokens=window,
        summary_budget_tokens=summary,
        min_verbatim_exchanges=least,
    )
    return AppSettings(history_compaction=compaction)


class Talk:
    """A conversation whose model answers side tasks with `finding`."""

    def __init__(self, world: World | None = None, found: AppSettings | None = None) -> None:
        self.world = world or open_world({"a.py": "1\n" * 40, "b.py": "2\n" * 40})
        self.world.settings = found or settings()
        self.ports = self.world.ports()
        self.compactor = Compactor(self.ports, self.world.pages)
        self.turns = Turns(self.ports, self.world.pages)
        self.conversation = Conversation(ConversationKey(ADA))
        self.world.model.aside = SUMMARY

    def select(self, *paths: str) -> None:
        self.conversation.selection = tuple(RepoPath(path) for path in paths)

    def start(self, request_id: str, question: str) -> Recorder:
        follower = Recorder()
        ask = ChatRequest(request_id, question, "page")
        self.turns.start(self.conversation, ask).follow("page", follower)
        return follower

    async def say(self, *questions: str) -> None:
        """ChatRequest, and wait for the end of each turn and of the compaction after it."""
        for question in questions:
            follower = self.start(f"id-{len(self.conversation.session.turns)}", question)
            async with asyncio.timeout(30):
                await follower.over.wait()
                await self.conversation.session.compaction.over()

    @property
    def prompts(self) -> list[CompletionRequest]:
        """The requests of turns."""
        return [request for request in self.world.model.requests if request.cache]

    @property
    def asides(self) -> list[CompletionRequest]:
        """The requests of side tasks."""
        return [request for request in self.world.model.requests if not request.cache]

    def told(self) -> list[CompactionEvent]:
        """The events of the compactions, in order."""
        events = [event for event, _, _ in self.world.pages.published]
        return [event for event in events if isinstance(event, CompactionEvent)]

    def stages(self) -> list[str]:
        return [event.event["stage"] for event in self.told()]


def sent(request: CompletionRequest) -> list[tuple[str, list[str]]]:
    """The texts of a request's messages, without the reminder."""
    found = []
    for message in request.messages:
        content = message["content"]
        parts = [content] if isinstance(content, str) else [part["text"] for part in _list(content)]
        texts = [str(part) for part in parts if not str(part).startswith("Reminder")]
        found.append((str(message["role"]), texts))
    return found


def _list(content: object) -> list[dict[str, str]]:
    assert isinstance(content, list)
    return content
