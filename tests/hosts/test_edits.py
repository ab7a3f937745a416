"""Edits through a real host: the wire, real litellm, real files, a real restart."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from tests.chat.edited import edit
from tests.support.model_process import RunningModelServer, running_model_server
from tests.support.pages import EVENTS, Page
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess, plain_environment, serving

WAIT_S = 90.0
NEW = ("streamDelta", "editBlocks", "editsChanged", "filesModified", "settingsChanged")
NEW_EVENTS = (*EVENTS, *NEW)
TEXT = "one\ntwo\nthree\n"

Result = dict[str, object]
Rows = list[dict[str, object]]


@dataclass
class Host:
    """A host, its repository, and the model behind it."""

    folder: RepositoryFolder
    serve: ServeProcess
    model: RunningModelServer

    @asynccontextmanager
    async def page(self, events: tuple[str, ...] = NEW_EVENTS) -> AsyncIterator[Page]:
        """A page with a session of its own."""
        request = HTTPRequest(self.serve.address, connect_timeout=30)
        page = Page(await websocket_connect(request), events)
        try:
            await page.ready()
            yield page
        finally:
            await page.leave()

    def text(self, path: str) -> str:
        return (self.folder.root / path).read_bytes().decode()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    place = tmp_path_factory.mktemp("edits")
    names = ("wire", "retry", "pending", "restart", "seed", "settings")
    folder = make_repository(place / "garden", {f"{name}.txt": TEXT for name in names})
    with running_model_server(place / "requests") as model:
        environment = plain_environment(
            place / "home",
            JUPYTER_AC_MODEL="openai/scripted-edits@0.004",
            JUPYTER_AC_API_BASE=model.openai,
            OPENAI_API_KEY="sk-scripted-0123456789",
        )
        with serving(folder.root, environment) as serve:
            yield Host(folder, serve, model)


async def ask(page: Page, request_id: str, *answers: str) -> Result:
    """Ask for these answers and wait for the end of the turn."""
    question = "\n=====\n".join(["Please edit.", *answers])
    started = await page.call("LLMService.chat_streaming", request_id, question)
    assert started == {"status": "started"}
    while (ended := await page.event("streamComplete", WAIT_S))[0] != request_id:
        pass
    return cast("Result", ended[1])


async def called(page: Page, method: str, *args: object) -> Result:
    return cast("Result", await page.call(f"LLMService.{method}", *args))


def rows(value: object) -> Rows:
    return cast("Rows", value)


async def test_blocks_are_told_behind_the_text_that_they_are_about(host: Host) -> None:
    async with host.page() as page:
        await page.call("LLMService.set_selected_files", ["wire.txt"])
        answer = "😀 First:\n\n" + edit("wire.txt", "one\n", "1\n")
        answer += "and " * 100 + "\n\n"
        answer += edit("wire.txt", "two\n", "2\n")
        result = await ask(page, "wire-1", answer)
        units = 0
        told = 0
        for name, args in page.events:
            if name == "streamDelta":
                units += len(str(args[2]).encode("utf-16-le")) // 2
            if name == "editBlocks":
                told += 1
                assert args[0] == "wire-1"
                assert all(cast("list[int]", row["span"])[1] <= units for row in rows(args[1]))
        assert told
        last = list(page.named("editBlocks"))[-1][1]
        assert [row["index"] for row in rows(last)] == [0, 1]
        assert host.text("wire.txt") == "1\n2\nthree\n"
        text = str(result["response"]).encode("utf-16-le")
        start, end = cast("list[int]", rows(result["edit_blocks"])[1]["span"])
        assert (
            text[2 * start : 2 * end].decode("utf-16-le").startswith("wire.txt\n🟧🟧🟧 EDIT\ntwo")
        )
        assert list(page.named("filesModified")) == [[["wire.txt"]]]
        assert host.folder.git("diff", "--cached", "--name-only").split() == ["wire.txt"]


async def test_one_completion_after_the_retry_under_one_request_id(host: Host) -> None:
    async with host.page() as page:
        before = len(host.model.bodies())
        good = edit("retry.txt", "two\n", "2\n")
        result = await ask(page, "retry-1", good, "Sorry.\n" + good)
        assert [row["status"] for row in rows(result["edit_results"])] == [
            "not_in_context",
            "applied",
        ]
        assert len(rows(result["attempts"])) == 2
        assert result["files_auto_added"] == ["retry.txt"]
        assert host.text("retry.txt") == "one\n2\nthree\n"
        assert len(list(page.named("streamComplete"))) == 1
        assert "retry.txt" in cast("list[str]", list(page.named("filesChanged"))[-1][0])
        first, second = (json.dumps(body) for body in host.model.bodies()[before:])
        assert "one\\\\ntwo" not in first
        assert "retry.txt" in second
        messages = rows((await page.state())["messages"])
        assert messages[-1]["attempts"] == result["attempts"]


async def test_pending_edits_wait_for_the_user_and_all_pages_hear(host: Host) -> None:
    async with host.page() as page, host.page() as other:
        await page.call("LLMService.set_selected_files", ["pending.txt"])
        assert await called(page, "set_edits_review", True) == {
            "status": "ok",
            "edits_review": True,
        }
        (changed,) = await other.event("settingsChanged")
        assert cast("Result", changed)["edits_review"] is True
        try:
            answer = edit("pending.txt", "one\n", "1\n") + edit("pending.txt", "two\n", "2\n")
            result = await ask(page, "pending-1", answer)
            assert (result["pending"], host.text("pending.txt")) == (2, TEXT)
            assert (await page.state())["edits_review"] is True
            (listed,) = rows(await page.call("LLMService.list_pending_edits"))
            assert listed["request_id"] == "pending-1"
            assert len(rows(listed["results"])) == 2
            done = await called(page, "apply_edits", "pending-1", [1])
            assert [row["status"] for row in rows(done["edit_results"])] == ["pending", "applied"]
            assert host.text("pending.txt") == "one\n2\nthree\n"
            name, change = await other.event("editsChanged")
            assert name == "pending-1"
            assert cast("Result", change)["can_undo"] is True
            await called(page, "reject_edits", "pending-1")
            assert await page.call("LLMService.list_pending_edits") == []
            refused = await called(page, "apply_edits", "pending-1", [0])
            assert "error" in refused
        finally:
            await called(page, "set_edits_review", False)


async def test_undo_works_after_a_restart_and_is_offered(host: Host) -> None:
    async with host.page() as page:
        await page.call("LLMService.new_session")
        await page.call("LLMService.set_selected_files", ["restart.txt"])
        await ask(page, "restart-1", edit("restart.txt", "one\n", "1\n"))
        offer = {"request_id": "restart-1", "files": ["restart.txt"]}
        assert (await page.state())["undo"] == offer
    host.serve.restart()
    async with host.page() as page:
        state = await page.state()
        assert state["undo"] == offer
        message = rows(state["messages"])[-1]
        assert [row["status"] for row in rows(message["edit_results"])] == ["applied"]
        assert await called(page, "undo_last_edits") == {
            "status": "undone",
            "files_restored": ["restart.txt"],
        }
        assert host.text("restart.txt") == TEXT
        assert (await page.state())["undo"] is None
        refused = await called(page, "undo_last_edits")
        assert (refused["status"], refused["files_restored"]) == ("refused", [])
        assert refused["reason"]


async def test_a_seeds_client_gets_the_fields_that_it_knows_and_no_new_event(host: Host) -> None:
    async with host.page(EVENTS) as page:
        await page.call("LLMService.set_selected_files", ["seed.txt"])
        result = await ask(
            page, "seed-1", edit("seed.txt", "one\n", "1\n") + "```bash\nls -l\n```\n"
        )
        (block,) = rows(result["edit_blocks"])
        (row,) = rows(result["edit_results"])
        assert (block["file"], block["is_create"]) == ("seed.txt", False)
        assert (row["file"], row["file_path"], row["status"]) == ("seed.txt",) * 2 + ("applied",)
        assert "message" in row
        assert result["shell_commands"] == ["ls -l"]
        assert {name for name, _ in page.events} <= set(EVENTS)


async def test_edits_review_set_by_hand_holds_at_once(host: Host) -> None:
    async with host.page() as page:
        await page.call("LLMService.set_selected_files", ["settings.txt"])
        config = Path(host.serve.environment["JUPYTER_AC_CONFIG_DIR"])
        config.mkdir(exist_ok=True)
        (config / "app.json").write_text('{"edits": {"review": true, "retries": 0}}')
        result = await ask(page, "settings-1", edit("settings.txt", "one\n", "1\n"))
        (config / "app.json").write_text("{}")
        assert result["pending"] == 1
        assert host.text("settings.txt") == TEXT


async def test_a_file_that_runs_by_itself_waits_whatever_the_settings_say(host: Host) -> None:
    async with host.page() as page:
        await page.call("LLMService.new_session")
        host.folder.git("config", "core.hooksPath", ".githooks")
        hook = ".githooks/post-index-change"
        evil = f"#!/bin/sh\ntouch {host.folder.root}/mark\n"
        result = await ask(page, "guard-1", edit(hook, "", evil) + edit("fine.txt", "", "x\n"))
        hooked, fine = rows(result["edit_results"])
        assert (hooked["status"], fine["status"]) == ("pending", "applied")
        assert "hooks folder" in str(hooked["protected"])
        refused = await called(page, "apply_edits", "guard-1")
        assert "by itself" in str(refused["error"])
        assert not (host.folder.root / ".githooks").exists()
        done = await called(page, "apply_edits", "guard-1", [0])
        assert [row["status"] for row in rows(done["edit_results"])] == ["applied"] * 2
        assert host.text(hook) == evil
        asked = await called(page, "undo_last_edits")
        assert asked["status"] == "confirm"
        assert [row["file"] for row in rows(asked["protected"])] == [hook]
        undone = await called(page, "undo_last_edits", "guard-1", [hook])
        assert undone["status"] == "undone"
        assert not (host.folder.root / ".githooks").exists()
        assert not (host.folder.root / "mark").exists()
        host.folder.git("config", "--unset", "core.hooksPath")
