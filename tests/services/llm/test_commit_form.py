import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from jupyter_ac.chat.commit_message import MessageWriter
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.conversation_pages import ConversationPages
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.chat.turn.runner import Turns
from jupyter_ac.errors import ProviderUnavailable
from jupyter_ac.event_bus import EventBus
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.start import begin
from jupyter_ac.ids import ConversationKey, RequestId
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.activity_log import ActivityLog
from jupyter_ac.services.llm import commit_form
from jupyter_ac.services.llm.chat import ChatMethods, QuestionContext
from jupyter_ac.services.llm.commit_form import CommitFormMethods
from jupyter_ac.services.llm.commit_work import CommitMessages, CommitWork
from jupyter_ac.services.llm.delivery import Deliveries
from jupyter_ac.services.llm.page_fetching import PageFetching
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.web.fetch_process import Fetcher
from jupyter_ac.web.host_rules import HostRules
from jupyter_ac.web.url_cache import UrlCache
from tests.chat.memory import ADA, MemoryPages, ScriptedModel, World, memory_book, open_world
from tests.services.llm.pages import Page, connect, objects
from tests.services.llm.test_commit import Noted, world_with
from tests.support.changing import changer_of, writers_of
from tests.support.exclusions import none_excluded
from tests.support.repositories import RepositoryFolder, diverge, make_repository

LISTED = (
    "AcApp.commitResult",
    "AcApp.filesModified",
    "AcApp.streamDelta",
    "AcApp.streamChunk",
    "AcApp.streamComplete",
)


@dataclass
class Form:
    """A page with a commit form, and what is behind it."""

    page: Page
    book: ConversationRegistry
    noted: Noted

    async def listed(self) -> dict[str, object]:
        return await self.page.ask("list_commit_candidates")

    async def rows(self) -> dict[str, dict[str, object]]:
        return {str(row["path"]): row for row in objects((await self.listed())["files"])}

    async def commit(self, paths: list[object], *more: object) -> dict[str, object]:
        return await self.page.ask("commit_files", paths, "some", *more)

    async def written(self, paths: list[object], request_id: str = "m-1") -> dict[str, object]:
        """Have a message written, and return how that ended."""
        ended = len(self.page.named("streamComplete"))
        answer = await self.page.ask("write_commit_message", request_id, paths)
        assert answer == {"status": "started"}
        await self.page.until(lambda page: len(page.named("streamComplete")) > ended)
        return dict(await self.page.completion())


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "r", {"a.txt": "1\n", "b.txt": "1\n"})
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    made.write("a.txt", "2\n")
    made.write("new.txt", "n\n")
    return made


@asynccontextmanager
async def form(folder: RepositoryFolder, world: World | None = None) -> AsyncIterator[Form]:
    ports = (world or world_with(ScriptedModel(pieces=["feat: ", "count"]))).ports()
    audience, noted, deliveries = Subscribers(), Noted(), Deliveries()
    book = memory_book(ports.history, ports.files)
    repository = await discover(folder.root)
    messages = CommitMessages(
        book, MessageWriter(ports.models, lambda: "Be brief.", none_excluded), noted.spent
    )
    work = CommitWork(audience, noted)
    writers = replace(writers_of(repository, audience), open_note=ActivityLog(book, noted).open)
    part = CommitFormMethods(repository, book, messages, work, writers, deliveries)
    turns = Turns(ports, EventBus())
    fetching = PageFetching(
        ConversationPages(MemoryPages()),
        Fetcher(HostRules),
        UrlCache(folder.root, lambda: 0.0),
        audience,
        lambda: False,
    )
    context = QuestionContext(book, audience, fetching)
    chat = ChatMethods(book, turns, deliveries, context, ports.images)
    page = Page(LISTED)
    connection = await connect(page, MethodTable(Namespace("LLMService", part, chat)))
    audience.join(connection.host, ConversationKey(ADA))
    try:
        yield Form(page, book, noted)
    finally:
        await work.aclose()
        await deliveries.aclose()
        await audience.aclose()
        await connection.close()


async def test_the_list_says_what_a_commit_takes_and_why_not_all(folder: RepositoryFolder) -> None:
    folder.write("b.txt", "2\n")
    folder.git("add", "b.txt")
    folder.write("b.txt", "3\n")
    folder.write("secrets.env", "A=1\n")
    folder.write("large.bin", b"\0" * 1_000_001)
    folder.write("node_modules/x/index.js", "x\n")
    folder.write("node_modules/y.js", "y\n")
    folder.write(".ipynb_checkpoints/n.ipynb", "{}\n")
    async with form(folder) as found:
        listed = await found.listed()
        rows = await found.rows()
    assert {name: listed[name] for name in listed if name != "files"} == {
        "left_out": 0,
        "operation": None,
        "refusal": "",
        "no_model": "",
        "undo": None,
    }
    assert [(path, row["ticked"]) for path, row in rows.items()] == [
        ("b.txt", True),
        ("a.txt", True),
        ("large.bin", False),
        ("new.txt", True),
        ("secrets.env", False),
        ("node_modules/", False),
    ]
    assert rows["b.txt"]["partly"] is True
    assert rows["secrets.env"]["secret"] is True
    assert rows["node_modules/"]["files"] == 2
    assert "1.0 MB" in str(rows["large.bin"]["reason"])


async def test_chosen_files_are_committed_and_everybody_hears(folder: RepositoryFolder) -> None:
    async with form(folder) as found:
        result = await found.commit(["a.txt"], False)
        await found.page.until(lambda page: bool(page.named("commitResult")))
        ((told,),) = found.page.named("commitResult")
        undo = (await found.listed())["undo"]
    short = folder.git("rev-parse", "--short", "HEAD")
    assert result == told
    assert (result["status"], result["files"], result["message"]) == (
        "committed",
        ["a.txt"],
        "some",
    )
    assert folder.git("status", "--porcelain") == "?? new.txt"
    assert undo == {"sha": result["sha"], "short_sha": short, "subject": "some"}
    assert [text for *_, text in found.noted.events] == [f"Committed {short}: some"]


async def test_what_was_listed_is_what_is_committed(folder: RepositoryFolder) -> None:
    before = folder.git("rev-parse", "HEAD")
    async with form(folder) as found:
        row = (await found.rows())["a.txt"]
        choice = {"path": "a.txt", "version": row["version"], "part": "whole"}
        folder.write("a.txt", "other\n")
        refused = await found.commit([choice])
        assert "has changed since it was listed" in str(refused["error"])
        assert folder.git("rev-parse", "HEAD") == before
        choice["version"] = (await found.rows())["a.txt"]["version"]
        assert (await found.commit([choice]))["files"] == ["a.txt"]
        assert len(found.page.named("commitResult")) == 1


@pytest.mark.parametrize(
    "paths", [[{"path": ""}], [{"path": "a.txt", "part": "half"}], [{}], ["a.txt"] * 10_001]
)
async def test_what_is_no_choice_is_refused(folder: RepositoryFolder, paths: list[object]) -> None:
    async with form(folder) as found:
        assert "paths" in str((await found.commit(paths))["error"])


async def test_secrets_are_refused_by_name_until_it_is_said_that_they_are_meant(
    folder: RepositoryFolder,
) -> None:
    folder.write("secrets.env", "A=1\n")
    async with form(folder) as found:
        refused = await found.commit(["a.txt", "secrets.env"])
        assert refused["secrets"] == ["secrets.env"]
        assert "sha" not in refused
        result = await found.commit(["a.txt", "secrets.env"], True)
    assert result["files"] == ["a.txt", "secrets.env"]
    assert "secrets.env" in str(result["notices"])


async def test_a_hook_that_takes_long_is_not_waited_for(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(commit_form, "ANSWER_S", 0.05)
    gate = tmp_path / "gate"
    hook = folder.write(
        ".git/hooks/pre-commit", f"#!/bin/sh\nwhile [ ! -e {gate} ]; do sleep 0.05; done\nexit 1\n"
    )
    hook.chmod(0o755)
    async with form(folder) as found:
        assert await found.commit(["a.txt"]) == {"status": "started"}
        assert "being made already" in str((await found.commit(["a.txt"]))["error"])
        gate.touch()
        await found.page.until(lambda page: bool(page.named("commitResult")), 30)
    ((told,),) = found.page.named("commitResult")
    assert isinstance(told, dict)
    assert told["status"] == "failed"
    assert "hook refused" in told["error"]


async def test_a_message_streams_and_has_only_what_is_ticked(folder: RepositoryFolder) -> None:
    folder.write("b.txt", "unticked\n")
    folder.write("secrets.env", "planted=1\n")
    folder.write("key.py", "k = 'sk-proj-" + "a1b2" * 6 + "'\n")
    model = ScriptedModel(pieces=["feat: count", "\n\nWhy", " not.\n", "\nLet me know!"])
    async with form(folder, world_with(model)) as found:
        result = await found.written(["a.txt", "new.txt", "key.py"])
        assert found.page.streamed() == result["response"] == "feat: count\n\nWhy not."
        assert (await found.book.open(ConversationKey(ADA))).side_streams == {}
    sent = str([request.messages for request in model.requests])
    assert "+2" in sent
    assert "+n" in sent
    assert not any(word in sent for word in ("unticked", "b.txt", "secrets", "planted", "sk-proj"))
    assert [purpose for _, purpose, _ in found.noted.costs] == ["commit"]
    assert folder.git("status", "--porcelain").splitlines()[0] == " M a.txt"


async def test_of_a_partly_staged_file_what_is_chosen_is_sent(folder: RepositoryFolder) -> None:
    folder.git("add", "a.txt")
    folder.write("a.txt", "later\n")
    model = ScriptedModel(pieces=["feat: it"])
    async with form(folder, world_with(model)) as found:
        await found.written(["a.txt"])
        assert "later" not in str(model.requests[-1].messages)
        await found.written([{"path": "a.txt", "part": "whole"}], "m-2")
        assert "later" in str(model.requests[-1].messages)


async def test_a_message_can_be_stopped(folder: RepositoryFolder) -> None:
    model = ScriptedModel(pieces=["feat: co", "unt"], held=True)
    async with form(folder, world_with(model)) as found:
        assert await found.page.ask("write_commit_message", "m-1", ["a.txt"]) == {
            "status": "started"
        }
        await asyncio.wait_for(model.began.wait(), 30)
        again = await found.page.ask("write_commit_message", "m-2", ["a.txt"])
        assert "being written already" in str(again["error"])
        attached = await found.page.ask("attach_stream", "m-1")
        assert attached["done"] is False
        assert (await found.page.ask("cancel_streaming", "m-1"))["status"] == "cancelling"
        result = await found.page.completion()
        assert result["cancelled"] is True
        model.release.set()
        assert (await found.written(["a.txt"], "m-2"))["response"] == "feat: count"


async def test_a_model_that_fails_is_said(folder: RepositoryFolder) -> None:
    model = ScriptedModel(error=ProviderUnavailable("The provider is down."))
    async with form(folder, world_with(model)) as found:
        result = await found.written(["a.txt"])
    assert (result["response"], result["error"]) == ("", "The provider is down.")


async def test_without_a_model_no_message_is_written(folder: RepositoryFolder) -> None:
    world = open_world()
    world.choice = None
    async with form(folder, world) as found:
        answer = await found.page.ask("write_commit_message", "m-1", ["a.txt"])
        assert "No language model" in str(answer["error"])
        assert "No language model" in str((await found.listed())["no_model"])
        assert (await found.commit(["a.txt"]))["status"] == "committed"


@pytest.mark.parametrize(
    ("request_id", "paths", "error"),
    [("a b", ["a.txt"], "request_id"), ("m", [], "selected"), ("m", ["no"], "no change")],
)
async def test_what_no_message_can_be_written_for_is_refused(
    folder: RepositoryFolder, request_id: str, paths: list[object], error: str
) -> None:
    async with form(folder) as found:
        answer = await found.page.ask("write_commit_message", request_id, paths)
    assert error in str(answer["error"])


async def test_a_commit_is_undone(folder: RepositoryFolder) -> None:
    before = folder.git("rev-parse", "HEAD")
    async with form(folder) as found:
        assert "No commit was made here" in str((await found.page.ask("undo_commit"))["error"])
        made = await found.commit(["a.txt"])
        undone = await found.page.ask("undo_commit")
        assert (await found.listed())["undo"] is None
    assert undone == {
        "status": "undone",
        "sha": made["sha"],
        "short_sha": made["short_sha"],
        "message": "some",
        "parent": before,
    }
    assert folder.git("status", "--porcelain") == "M  a.txt\n?? new.txt"
    assert found.noted.events[-1][3] == f"Undid the commit {made['short_sha']}: some"


async def test_nothing_is_committed_or_undone_while_an_answer_is_made(
    folder: RepositoryFolder,
) -> None:
    async with form(folder) as found:
        await found.commit(["a.txt"])
        (await found.book.open(ConversationKey(ADA))).stream = ActiveStream(RequestId("1-a"))
        assert "press Stop" in str((await found.commit(["new.txt"]))["error"])
        assert "press Stop" in str((await found.page.ask("undo_commit"))["error"])


async def test_in_the_middle_of_a_merge_the_list_says_so(folder: RepositoryFolder) -> None:
    folder.commit("mine")
    diverge(folder, "a.txt")
    folder.git("merge", "side", ok=(1,))
    async with form(folder) as found:
        listed = await found.listed()
        assert listed["operation"] == "merge"
        assert "in conflict" in str(listed["refusal"])
        folder.write("a.txt", "both\n")
        folder.git("add", "a.txt")
        assert (await found.listed())["refusal"] == ""
        assert (await found.commit(["a.txt"]))["status"] == "committed"


async def test_a_review_under_way_is_said(folder: RepositoryFolder) -> None:
    folder.commit("mine")
    diverge(folder, "a.txt")
    changer = changer_of(await discover(folder.root))
    await changer.change_files(lambda git: begin(git, "side", ""))
    async with form(folder) as found:
        assert "review" in str((await found.listed())["refusal"])
