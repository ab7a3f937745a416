import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jupyter_ac.chat.chat_events import SystemEventRecorder
from jupyter_ac.chat.commit_message import MessageWriter
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.model_gateway import SideTaskResult
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.errors import ProviderUnavailable
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import ConversationKey, RequestId, SessionId
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.commit import CommitMethods
from jupyter_ac.services.llm.commit_work import CommitMessages, CommitWork
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.memory import ADA, ScriptedModel, World, memory_book, open_world
from tests.services.llm.pages import Page, connect
from tests.support.changing import writers_of
from tests.support.exclusions import none_excluded
from tests.support.repositories import RepositoryFolder, make_repository

LISTED = ("AcApp.commitResult", "AcApp.filesModified", "AcApp.compactionEvent")


@dataclass
class Noted(SystemEventRecorder):
    """Remembers what is noted and what was spent."""

    events: list[tuple[ConversationKey, SessionId, str, str]] = field(default_factory=list)
    costs: list[tuple[SessionId, str, float | None]] = field(default_factory=list)

    async def note(
        self, conversation_key: ConversationKey, session_id: SessionId, kind: str, text: str
    ) -> None:
        self.events.append((conversation_key, session_id, kind, text))

    async def spent(
        self,
        conversation_key: ConversationKey,
        session_id: SessionId,
        purpose: str,
        answer: SideTaskResult,
    ) -> None:
        assert conversation_key
        self.costs.append((session_id, purpose, answer.usage.cost_usd))


@dataclass
class Desk:
    """A page, and what commits for it."""

    page: Page
    book: ConversationRegistry
    noted: Noted
    work: CommitWork

    async def commit_all(self, *message: object) -> dict[str, object]:
        """Commit and wait for the result."""
        before = len(self.page.named("commitResult"))
        assert await self.page.ask("commit_all", *message) == {"status": "started"}
        await self.page.until(lambda page: len(page.named("commitResult")) > before, 30)
        (result,) = self.page.named("commitResult")[-1]
        assert isinstance(result, dict)
        return result


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "r", {"a.txt": "1\n"})
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    made.write("a.txt", "2\n")
    made.write("new.txt", "n\n")
    return made


@asynccontextmanager
async def desk(folder: RepositoryFolder, world: World | None = None) -> AsyncIterator[Desk]:
    ports = (world or world_with(ScriptedModel(pieces=["feat: ", "count"]))).ports()
    audience, noted = Subscribers(), Noted()
    book = memory_book(ports.history, ports.files)
    writers = writers_of(await discover(folder.root), audience)
    writer = MessageWriter(ports.models, lambda: "Be brief.", none_excluded)
    messages, work = CommitMessages(book, writer, noted.spent), CommitWork(audience, noted)
    commits = CommitMethods(book, messages, work, writers, audience)
    page = Page(LISTED)
    connection = await connect(page, MethodTable(Namespace("LLMService", commits)))
    audience.join(connection.host, ConversationKey(ADA))
    try:
        yield Desk(page, book, noted, work)
    finally:
        await work.aclose()
        await audience.aclose()
        await connection.close()


def world_with(model: ScriptedModel) -> World:
    world = open_world()
    world.model = model
    return world


async def test_everything_is_committed_with_the_models_message(folder: RepositoryFolder) -> None:
    async with desk(folder) as found:
        result = await found.commit_all()
        session = (await found.book.open(ConversationKey(ADA))).session.session_id
    sha = folder.git("rev-parse", "HEAD")
    short = folder.git("rev-parse", "--short", "HEAD")
    told = f"Committed {short}: feat: count"
    assert result == {
        "status": "committed",
        "sha": sha,
        "short_sha": short,
        "message": "feat: count",
        "files": ["a.txt", "new.txt"],
        "hooks": [],
        "system_event_message": told,
        "notices": [],
    }
    assert folder.git("status", "--porcelain") == ""
    assert found.noted.events == [(ConversationKey(ADA), session, "commit", told)]
    assert found.noted.costs == [(session, "commit", 0.5)]
    assert found.page.named("filesModified")
    steps = [event for _, event in found.page.named("compactionEvent")]
    assert len(steps) == 3


async def test_the_users_own_message_needs_no_model(folder: RepositoryFolder) -> None:
    world = open_world()
    world.choice = None
    async with desk(folder, world) as found:
        result = await found.commit_all("Mine\n\nAll of it.\n")
        assert result["status"] == "committed"
        await found.page.until(lambda _: bool(found.noted.events), 10)
        ((_, _, kind, text),) = found.noted.events
    assert (kind, text) == ("commit", f"Committed {result['short_sha']}: Mine")
    assert folder.git("log", "-1", "--format=%B").strip() == "Mine\n\nAll of it."


async def test_a_new_session_meanwhile_leaves_the_event_where_the_commit_was_asked_for(
    folder: RepositoryFolder,
) -> None:
    model = ScriptedModel(pieces=["feat: count"], held=True)
    async with desk(folder, world_with(model)) as found:
        conversation = await found.book.open(ConversationKey(ADA))
        session = conversation.session.session_id
        assert await found.page.ask("commit_all") == {"status": "started"}
        await asyncio.wait_for(model.began.wait(), 30)
        assert "being made already" in str((await found.page.ask("commit_all"))["error"])
        await found.book.new_session(conversation)
        model.release.set()
        await found.page.until(lambda page: bool(page.named("commitResult")), 20)
        await found.work.aclose()
    assert [event[1] for event in found.noted.events] == [session]


async def test_a_hook_that_refuses_is_quoted_and_everything_stays_staged(
    folder: RepositoryFolder,
) -> None:
    hook = folder.write(".git/hooks/pre-commit", "#!/bin/sh\necho 'tabs in a.txt' >&2\nexit 1\n")
    hook.chmod(0o755)
    before = folder.git("rev-parse", "HEAD")
    async with desk(folder) as found:
        result = await found.commit_all()
    assert result["status"] == "failed"
    assert "tabs in a.txt" in str(result["error"])
    assert result["message"] == "feat: count"
    assert folder.git("rev-parse", "HEAD") == before
    assert folder.git("status", "--porcelain") == "M  a.txt\nA  new.txt"
    assert found.noted.events == []


async def test_a_model_that_fails_makes_no_commit(folder: RepositoryFolder) -> None:
    model = ScriptedModel(error=ProviderUnavailable("The provider is down."))
    before = folder.git("rev-parse", "HEAD")
    async with desk(folder, world_with(model)) as found:
        result = await found.commit_all()
        diff = await found.page.ask("generate_commit_message", "diff --git a/x b/x\n")
    assert result == {"status": "failed", "error": "The provider is down.", "notices": []}
    assert diff == {"error": "The provider is down."}
    assert folder.git("rev-parse", "HEAD") == before


async def test_nothing_to_commit_is_said_without_asking_a_model(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "1\n"})
    world = open_world()
    async with desk(folder, world) as found:
        assert "nothing to commit" in str((await found.commit_all())["error"])
    assert world.model.requests == []


async def test_a_commit_is_refused_while_an_answer_is_made_or_files_are_in_conflict(
    folder: RepositoryFolder,
) -> None:
    async with desk(folder) as found:
        conversation = await found.book.open(ConversationKey(ADA))
        conversation.stream = ActiveStream(RequestId("1-a"))
        assert "press Stop" in str((await found.page.ask("commit_all"))["error"])
        conversation.stream = None
        folder.commit("mine")
        folder.git("checkout", "--quiet", "-b", "other", "HEAD~1")
        folder.write("a.txt", "other\n")
        folder.commit("other")
        folder.git("merge", "-", ok=(1,))
        assert "in conflict: a.txt" in str((await found.page.ask("commit_all"))["error"])
    assert found.page.named("commitResult") == []


async def test_without_a_model_nothing_is_staged(folder: RepositoryFolder) -> None:
    world = open_world()
    world.choice = None
    before = folder.git("status", "--porcelain")
    async with desk(folder, world) as found:
        assert "No language model" in str((await found.page.ask("commit_all"))["error"])
    assert folder.git("status", "--porcelain") == before


async def test_a_message_for_a_diff_is_a_plain_text_and_a_blank_one_an_error(
    folder: RepositoryFolder,
) -> None:
    async with desk(folder) as found:
        assert await found.page.call("generate_commit_message", "diff --git a/x b/x\n+1\n") == (
            "feat: count"
        )
        assert "blank" in str((await found.page.ask("generate_commit_message", " \n"))["error"])


async def test_a_likely_secret_is_said_before_the_diff_goes_to_the_model(
    folder: RepositoryFolder,
) -> None:
    folder.write(".env", "KEY=1\n")
    async with desk(folder) as found:
        result = await found.commit_all("", True)
    assert ".env: " in str(result["notices"])
    told = [event for _, event in found.page.named("compactionEvent")]
    stages = [event["stage"] for event in told if isinstance(event, dict)]
    assert stages == ["waiting", "notice", "waiting", "waiting"]


async def test_what_git_cant_hold_is_left_out_of_the_commit_and_said(
    folder: RepositoryFolder,
) -> None:
    folder.write("a.txt", "changed\n")
    folder.write("pipe", "1\n")
    folder.git("add", "pipe")
    folder.git("commit", "-qm", "pipe")
    (folder.root / "pipe").unlink()
    os.mkfifo(folder.root / "pipe")
    async with desk(folder) as found:
        result = await found.commit_all()
    assert result["status"] == "committed"
    assert result["notices"] == [
        "Left out: 'pipe'; a pipe, a socket or a device stands in the file's place."
    ]


async def test_only_names_are_sent_of_secrets_and_of_files_that_git_did_not_track(
    folder: RepositoryFolder,
) -> None:
    folder.write("a.txt", "shown\n")
    folder.write("deploy/.env", "planted-env\n")
    folder.git("add", "--all")
    folder.write("swept.txt", "planted-swept\n")
    folder.write("key.py", "k = 'sk-proj-" + "a1b2" * 6 + "'\n")
    model = ScriptedModel(pieces=["feat: count"])
    async with desk(folder, world_with(model)) as found:
        result = await found.commit_all("", True)
    assert result["files"] == ["a.txt", "deploy/.env", "key.py", "new.txt", "swept.txt"]
    sent = str([request.messages for request in model.requests])
    assert "+shown" in sent
    assert "new.txt" in sent
    assert "planted" not in sent
    assert "sk-proj" not in sent
    assert "[content left out: looks like a secret]" in sent
    assert "Its content is not sent." in str(result["notices"])


async def test_new_files_that_look_like_secrets_are_refused_before_anything_is_done(
    folder: RepositoryFolder,
) -> None:
    folder.write("secrets.env", "KEY=1\n")
    folder.write("key.py", "k = 'sk-proj-" + "a1b2" * 6 + "'\n")
    folder.git("add", "key.py")
    before, model = folder.git("status", "--porcelain"), ScriptedModel(pieces=["feat: it"])
    async with desk(folder, world_with(model)) as found:
        answer = await found.page.ask("commit_all")
        assert answer["secrets"] == ["key.py", "secrets.env"]
        assert "Nothing was committed" in str(answer["error"])
        assert "sk-proj" not in str(answer)
        assert folder.git("status", "--porcelain") == before
        assert model.requests == []
        assert found.page.named("commitResult") == []
        result = await found.commit_all("", True)
    assert result["status"] == "committed"
    assert folder.git("status", "--porcelain") == ""


async def test_a_secret_that_appears_while_everything_is_staged_is_not_committed(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing_yet(_git: object) -> None:
        folder.write("secrets.env", "KEY=1\n")

    monkeypatch.setattr("jupyter_ac.services.llm.commit.refuse_new_secrets", nothing_yet)
    before, model = folder.git("rev-parse", "HEAD"), ScriptedModel(pieces=["feat: it"])
    async with desk(folder, world_with(model)) as found:
        result = await found.commit_all()
    assert (result["status"], result["secrets"]) == ("failed", ["secrets.env"])
    assert folder.git("rev-parse", "HEAD") == before
    assert model.requests == []
