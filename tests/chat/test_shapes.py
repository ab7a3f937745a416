"""The views that chat writes for a front end have the shapes that their types promise."""

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.shapes import ContextBreakdown
from jupyter_ac.chat.turn.preview import context_breakdown
from jupyter_ac.ids import ConversationKey, RepoPath
from tests.chat.memory import ADA, World, open_world
from tests.support.conformance import problems


async def views(world: World) -> list[str]:
    """Say what is wrong with the views of a conversation that has selected every file."""
    conversation = Conversation(ConversationKey(ADA))
    conversation.selection = tuple(RepoPath(path) for path in world.files.texts)
    breakdown = await context_breakdown(conversation, world.ports(), "Why?")
    return problems(breakdown, ContextBreakdown)


async def test_the_views_are_complete_with_files_that_can_and_cannot_be_sent() -> None:
    assert await views(open_world({"a.py": "1\n", ".env": "KEY=1\n", "b.bin": None})) == []


async def test_the_views_are_complete_without_a_model() -> None:
    world = open_world({"a.py": "1\n"})
    world.choice = None
    assert await views(world) == []
