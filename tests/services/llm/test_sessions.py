import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import nbformat
import pytest

from jupyter_ac.chat.branching import Branching
from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.branching import HistoryBranches
from jupyter_ac.chat.history.importing import HistoryImport
from jupyter_ac.chat.history.session_management import SessionManagement
from jupyter_ac.chat.history.versions import VersionArchive
from jupyter_ac.errors import RemoteError
from jupyter_ac.ids import Identity
from jupyter_ac.rpc.dialect import JSONRPC2
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.sessions import (
    SessionBranchMethods,
    SessionManagementMethods,
    TransferMethods,
)
from tests.chat.memory import MemoryImages, World, open_world
from tests.services.llm.pages import (
    Connection,
    Page,
    Service,
    connect,
    keeping,
    llm_methods,
    objects,
    serving,
)
from tests.support.histories import history_in


@pytest.mark.parametrize("method", ["new_session", "history_new_session"])
async def test_a_new_session_empties_every_page_of_the_person(method: str) -> None:
    async with serving(open_world()) as service:
        one, two = await service.page(), await service.page()
        await one.ask("chat_streaming", "1-a", "Why?")
        await one.completion()
        begun = await one.ask(method)
        assert re.fullmatch(r"sess_\d+_[0-9a-f]{6}", str(begun["session_id"]))
        for page in (one, two):
            await page.until(
                lambda page: (
                    (begun | {"messages": [], "earlier": 0},) in page.named("sessionChanged")
                )
            )
        state = await two.ask("get_current_state")
        assert (state["messages"], state["session_id"]) == ([], begun["session_id"])


async def test_no_session_begins_while_an_answer_is_made() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        service.world.model.held = True
        await page.ask("chat_streaming", "1-a", "Why?")
        await asyncio.wait_for(service.world.model.began.wait(), 30)
        assert "press Stop" in str((await page.ask("new_session"))["error"])
        service.world.model.release.set()
        await page.completion()


async def test_an_earlier_session_goes_on_in_every_page_of_the_person(tmp_path: Path) -> None:
    world = open_world()
    async with keeping(world, tmp_path) as service:
        one, two = await service.page(), await service.page()
        await one.say("1-a", "Why?")
        first = await one.ask("get_current_state")
        await one.ask("new_session")
        loaded = await one.ask("load_session_into_context", first["session_id"])
        assert loaded == {
            "session_id": first["session_id"],
            "messages": first["messages"],
            "message_count": 2,
            "earlier": 0,
        }
        told = {name: loaded[name] for name in ("session_id", "messages", "earlier")}
        await two.until(lambda page: page.named("sessionChanged")[-1:] == [(told,)])
        await two.say("2-b", "And?")
        sent = [str(message["content"]) for message in world.model.requests[-1].messages]
        assert [any(said in text for text in sent) for said in ("Why?", "Hello world")] == [
            True
        ] * 2
        listed = await one.rows("history_list_sessions")
        assert [found["message_count"] for found in listed] == [4]
    async with keeping(world, tmp_path) as service:
        state = await (await service.page()).ask("get_current_state")
        assert state["session_id"] != first["session_id"]
        assert len(objects(state["messages"])) == 4


async def test_a_session_from_a_notebooks_cells_becomes_the_panels(tmp_path: Path) -> None:
    world = open_world()
    async with keeping(world, tmp_path) as service:
        panel, cells = await service.page(), await service.page(aside="cells")
        await panel.say("1-a", "In the panel")
        await cells.say("2-b", "In a cell")
        session_id = (await cells.ask("get_current_state"))["session_id"]
        listed = await panel.rows("history_list_sessions")
        assert [(found["preview"], found["aside"], found["current"]) for found in listed] == [
            ("In a cell", True, False),
            ("In the panel", False, True),
        ]
        await panel.ask("load_session_into_context", session_id)
        assert [found["aside"] for found in await panel.rows("history_list_sessions")] == [
            False,
            False,
        ]
        await cells.say("3-c", "Again in a cell")
        await panel.say("4-d", "And in the panel")
        messages = await panel.rows("history_get_session", session_id)
        assert [message["content"] for message in messages if message["role"] == "user"] == [
            "In a cell",
            "Again in a cell",
            "And in the panel",
        ]
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        state = await page.ask("get_current_state")
        assert state["session_id"] != session_id
        await page.say("5-e", "After a restart")
        first, *_ = await page.rows("history_list_sessions")
        assert (first["continues"], first["inherited"]) == (session_id, 6)


async def test_after_a_restart_the_prompt_is_byte_equal_under_a_new_session(tmp_path: Path) -> None:
    world = open_world({"a.py": "print(1)\n"})
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        await page.call("set_selected_files", ["a.py"])
        await page.say("1-a", "Why?")
        await page.say("2-b", "And?")
        before = await page.ask("get_current_state")
        listed = await page.rows("history_list_sessions")
        asked = world.model.requests[-1].messages
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        state = await page.ask("get_current_state")
        assert state["messages"] == before["messages"]
        assert state["session_id"] != before["session_id"]
        again = await page.rows("history_list_sessions")
        assert again == [{**listed[0], "current": False}]
        await page.say("3-c", "Still?")
        sent = world.model.requests[-1].messages
        assert str(sent[: len(asked) - 1]) == str(asked[:-1])
        new, old = await page.rows("history_list_sessions")
        assert (new["session_id"], new["message_count"]) == (state["session_id"], 6)
        assert (new["preview"], new["current"]) == ("Still?", True)
        assert old == again[0]
        whole = await page.rows("history_get_session", state["session_id"])
        assert [message["content"] for message in whole if message["role"] == "user"] == [
            "Why?",
            "And?",
            "Still?",
        ]
        loaded = await page.ask("load_session_into_context", before["session_id"])
        assert loaded["session_id"] == before["session_id"]
        assert loaded["message_count"] == 4


async def test_nothing_is_loaded_while_an_answer_is_made(tmp_path: Path) -> None:
    world = open_world()
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        await page.say("1-a", "Why?")
        session_id = (await page.ask("get_current_state"))["session_id"]
        await page.ask("new_session")
        world.model.held = True
        world.model.began.clear()
        await page.ask("chat_streaming", "2-b", "And?")
        await asyncio.wait_for(world.model.began.wait(), 30)
        refused = await page.ask("load_session_into_context", session_id)
        assert "press Stop or wait before loading another session" in str(refused["error"])
        world.model.release.set()
        await page.until(lambda page: len(page.named("streamComplete")) == 2)
        assert "error" not in await page.ask("load_session_into_context", session_id)


LINE = {"session_id": "sess_1700000000000_abcdef", "timestamp": "2023-11-14T22:13:20Z"}
CONTENT = "\n".join(
    json.dumps(LINE | {"id": role, "role": role, "content": content})
    for role, content in (("user", "Why?"), ("assistant", "So."))
)


@asynccontextmanager
async def transferring(folder: Path) -> AsyncIterator[MethodTable]:
    database = history_in(folder)
    archive, importer = HistoryArchive(database, ""), HistoryImport(database, "")
    yield MethodTable(
        Namespace("LLMService", TransferMethods(archive, importer, MemoryImages().get))
    )
    await database.aclose()


@asynccontextmanager
async def page_of(table: MethodTable, name: str = "ada") -> AsyncIterator[Page]:
    page = Page()
    connection: Connection = await connect(page, table, Identity(name))
    try:
        yield page
    finally:
        await connection.close()


async def test_what_is_taken_in_can_be_given_out_again(tmp_path: Path) -> None:
    async with transferring(tmp_path) as table, page_of(table) as page:
        taken = await page.ask("import_history", f"{CONTENT}\nbroken\n")
        assert taken == {
            "sessions": 1,
            "messages": 2,
            "known": 0,
            "images": 0,
            "bad": 1,
            "bad_lines": [3],
        }
        file = await page.ask("export_session", LINE["session_id"])
        assert file["filename"] == "jupyter-ac-sess_1700000000000_abcdef.md"
        assert "> Why?" in str(file["content"])
        file = await page.ask("export_session", LINE["session_id"], "ipynb")
        notebook = nbformat.reads(str(file["content"]), as_version=4)
        nbformat.validate(notebook)
        assert len(notebook.cells) == 3
        with pytest.raises(RemoteError, match="'markdown', 'ipynb' or 'json'"):
            await page.ask("export_session", LINE["session_id"], "pdf")


async def test_nobody_gets_what_is_not_theirs(tmp_path: Path) -> None:
    async with transferring(tmp_path) as table, page_of(table) as ada, page_of(table, "bob") as bob:
        await ada.ask("import_history", CONTENT)
        refused = await bob.ask("export_session", LINE["session_id"])
        assert "There is no session" in str(refused["error"])


async def test_the_form_can_be_named(tmp_path: Path) -> None:
    async with transferring(tmp_path) as table:
        page = Page()
        connection = await connect(page, table, profile=JSONRPC2)
        await page.ask("import_history", CONTENT)
        method = table["LLMService.export_session"]
        bound = JSONRPC2.bind(method, {"session_id": "x", "format": "ipynb"})
        assert bound[1] == {"session_id": "x", "format": "ipynb"}
        await connection.close()


@asynccontextmanager
async def branching(world: World, folder: Path) -> AsyncIterator[Service]:
    """Serve a world that can branch, as a host does from its start to its end."""
    database = history_in(folder)
    async with keeping(world, folder) as service:
        book, audience = service.domain.book, service.domain.audience
        branches = SessionBranchMethods(
            book, Branching(book, HistoryBranches(database)), VersionArchive(database, ""), audience
        )
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


def emptied(page: Page) -> bool:
    """Whether a page was told of a session without messages."""
    told = [event for (event,) in page.named("sessionChanged")]
    return any(isinstance(event, dict) and event["messages"] == [] for event in told)


@asynccontextmanager
async def managing(world: World, folder: Path) -> AsyncIterator[Service]:
    """Serve a world whose sessions can be named and deleted."""
    database = history_in(folder)
    async with keeping(world, folder) as service:
        book, audience = service.domain.book, service.domain.audience
        owner = service.domain.ports.history.owner
        management = SessionManagement(database, "", owner, MemoryImages())
        methods = SessionManagementMethods(book, management, audience)
        service.table = MethodTable(llm_methods(service.domain, methods))
        try:
            yield service
        finally:
            await database.aclose()


async def test_a_session_is_named_for_all_pages(tmp_path: Path) -> None:
    async with managing(open_world(), tmp_path) as service:
        page = await service.page()
        await page.say("1-a", "Why?")
        session_id = (await page.ask("get_current_state"))["session_id"]
        named = await page.ask("rename_session", session_id, " The  garden ")
        assert named == {"session_id": session_id, "title": "The garden"}
        (row,) = await page.rows("history_list_sessions")
        assert (row["title"], row["preview"]) == ("The garden", "Why?")
        assert "at most 200" in str(
            (await page.ask("rename_session", session_id, "x" * 201))["error"]
        )
        assert "no session" in str((await page.ask("rename_session", "sess_0_x", "x"))["error"])


async def test_the_session_that_pages_show_is_deleted_and_a_new_one_begins(tmp_path: Path) -> None:
    async with managing(open_world(), tmp_path) as service:
        one, two = await service.page(), await service.page()
        await one.say("1-a", "Why?")
        before = (await one.ask("get_current_state"))["session_id"]
        assert await one.ask("delete_session", before) == {"status": "ok", "session_id": before}
        await two.until(emptied)
        state = await two.ask("get_current_state")
        assert state["session_id"] != before
        assert state["messages"] == []
        assert await one.rows("history_list_sessions") == []
        assert await one.rows("history_get_session", before) == []
        await two.say("2-b", "And?")
        assert len(await one.rows("history_list_sessions")) == 1


async def test_no_session_is_deleted_while_an_answer_is_made(tmp_path: Path) -> None:
    world = open_world()
    async with managing(world, tmp_path) as service:
        page = await service.page()
        world.model.held = True
        await page.ask("chat_streaming", "1-a", "Why?")
        await asyncio.wait_for(world.model.began.wait(), 30)
        session_id = (await page.ask("get_current_state"))["session_id"]
        assert "press Stop" in str((await page.ask("delete_session", session_id))["error"])
        world.model.release.set()
        await page.completion()
        assert len(await page.rows("history_list_sessions")) == 1
