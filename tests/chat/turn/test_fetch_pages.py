"""The stage that fetches the web pages of a question."""

from collections.abc import Sequence
from dataclasses import replace

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import PageAsk
from jupyter_ac.chat.turn.fetch_pages import fetch_pages
from tests.chat.memory import open_world
from tests.chat.turn.stages import asked


async def test_what_was_contacted_is_a_notice() -> None:
    turn, seen = asked("What is https://a.org/?", "1-a"), list[PageAsk]()

    async def fetch(conversation: Conversation, ask: PageAsk) -> Sequence[str]:
        assert conversation is turn.context.conversation
        seen.append(ask)
        return ["Fetched."]

    ports = replace(open_world().ports(), fetch_pages=fetch)
    await fetch_pages(turn.context, turn.stored, ports)
    assert seen == [PageAsk("What is https://a.org/?", (), "1-a")]
    assert turn.context.notices == ["Fetched."]


async def test_by_default_nothing_is_fetched() -> None:
    turn = asked("What is https://a.org/?")
    await fetch_pages(turn.context, turn.stored, open_world().ports())
    assert turn.context.notices == []
