"""Asking an earlier question anew, over a history on disk."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jupyter_ac.chat.branching import Branching
from jupyter_ac.chat.history.branching import HistoryBranches
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.llm.branches import SessionBranchMethods
from tests.chat.memory import World, open_world
from tests.services.llm.pages import Service, keeping, llm_methods, objects
from tests.support.histories import history_in


@asynccontextmanager
async def branching(world: World, folder: Path) -> AsyncIterator[Service]:
    """Serve a world that can branch, as a host does from its start to its end."""
    database = history_in(folder)
    async with keeping(world, folder) as service:
        book, audience = service.domain.book, service.domain.audience
        branches = SessionBranchMethods(book, Branching(book, HistoryBranches(database)), audience)
        service.table = MethodTable(llm_methods(service.domain, branches))
        try:
            yield service
        finally:
            await database.aclose()


def asked(world: World) -> list[str]:
    """The questions of the last request."""
    sent = [str(message["content"]) for message in world.model.requests[-1].messages]
    return [name for name in ("One?", "Two?", "Three?", "Else?") if any(name in s for s in sent)]


async def test_an_earlier_question_is_asked_anew_in_a_session_of_its_own(tmp_path: Path) -> None:
    world = open_world()
    async with branching(world, tmp_path) as service:
        page, other = await service.page(), await service.page()
        for number, question in enumerate(("One?", "Two?", "Three?")):
            await page.say(f"{number}-a", question)
        before = await page.ask("get_current_state")
        found = await page.ask("branch_session", "1-a")
        assert (found["question"], found["images"], found["message_count"]) == ("Two?", [], 2)
        assert found["messages"] == objects(before["messages"])[:2]
        told = {name: found[name] for name in ("session_id", "messages", "earlier")}
        await other.until(lambda page: page.named("sessionChanged")[-1:] == [(told,)])
        await page.say("5-b", "Else?")
        assert asked(world) == ["One?", "Else?"]
        listed = await page.rows("history_list_sessions")
        assert [(row["preview"], row["message_count"], row["continues"]) for row in listed] == [
            ("Else?", 4, before["session_id"]),
            ("One?", 6, None),
        ]
        await page.ask("load_session_into_context", before["session_id"])
        assert (await page.ask("get_current_state"))["messages"] == before["messages"]


async def test_a_branch_is_there_after_a_restart_also_before_anything_is_asked_in_it(
    tmp_path: Path,
) -> None:
    world = open_world()
    async with branching(world, tmp_path) as service:
        page = await service.page()
        await page.say("1-a", "One?")
        await page.say("2-a", "Two?")
        found = await page.ask("branch_session", "2-a")
    async with branching(world, tmp_path) as service:
        page = await service.page()
        state = await page.ask("get_current_state")
        assert (state["session_id"], state["messages"]) == (found["session_id"], found["messages"])
        await page.say("3-b", "Else?")
        assert asked(world) == ["One?", "Else?"]


async def test_the_first_question_is_asked_anew_in_an_empty_session(tmp_path: Path) -> None:
    async with branching(open_world(), tmp_path) as service:
        page = await service.page()
        await page.say("1-a", "One?")
        found = await page.ask("branch_session", "1-a")
        assert (found["messages"], found["question"]) == ([], "One?")


async def test_an_unknown_question_is_named(tmp_path: Path) -> None:
    async with branching(open_world(), tmp_path) as service:
        page = await service.page()
        refused = await page.ask("branch_session", "9-z")
        assert "no question '9-z'" in str(refused["error"])
