"""What is excluded occurs in no request, by whichever way it might get into one.

Each excluded file holds a word of its own, which is looked for in all that the provider gets after
the file was excluded. The model is scripted; the host, its workers and litellm are real.
"""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.git.excluded_paths import REASON
from tests.chat.edited import edit
from tests.support.agent_scripts import address, call, script
from tests.support.model_process import RunningModelServer, running_model_server
from tests.support.pages import EVENTS, CallFailedError, Page, ready_page
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess, plain_environment, serving

WAIT_S: Final = 90.0
HEARD: Final = (*EVENTS, "excludedFilesChanged", "commitResult", "toolUpdated")

WORDS: Final = {
    "vault/plan.py": "wordmoon",
    "vault/deep/table.py": "wordstar",
    "hidden.md": "wordcave",
    "hidden.ipynb": "wordcell",
}
EXCLUDED: Final = ["hidden.ipynb", "hidden.md", "vault"]
SHOWN: Final = "shown.py"
NOTEBOOK: Final = {
    "cells": [
        {
            "cell_type": "code",
            "id": "one",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": "wordcell = 1  # needle",
        }
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}
FILES: Final[dict[str, str | bytes]] = {
    SHOWN: (
        "from vault.plan import shown_name\n\n\ndef caller():\n    return shown_name()  # needle\n"
    ),
    "vault/plan.py": (
        'def shown_name():\n    return "wordmoon"  # needle\n\n\ndef wordmoon_of():\n    pass\n'
    ),
    "vault/deep/table.py": "class Wordstar:\n    wordstar = 1  # needle\n",
    "hidden.md": "# Of wordcave\n\nneedle\n\n## More wordcave\n",
    "README.md": "# Garden\n\nSee [the cave](hidden.md).\n",
    "hidden.ipynb": json.dumps(NOTEBOOK),
}


def text_of(path: str) -> str:
    return cast("str", FILES[path])


@dataclass
class Host:
    """A host with its repository, put back before each test."""

    folder: RepositoryFolder
    serve: ServeProcess
    model: RunningModelServer
    config: Path
    base: str

    def page(self) -> AbstractAsyncContextManager[Page]:
        return ready_page(self.serve.address, HEARD)

    async def begin(self, page: Page, scenario: str = "") -> None:
        """Make all as it was: files, settings, nothing excluded, an empty conversation."""
        self.folder.git("reset", "--quiet", "--hard", self.base)
        self.folder.git("clean", "-ffdxq")
        base = address(self.model.openai) if scenario == "tools" else self.model.openai
        model = {"tools": "openai/gpt-4o", "edits": "openai/scripted-edits"}.get(scenario)
        llm = {"model": model or "openai/gpt-4o", "api_base": base, "smaller_model": "openai/fill"}
        self.config.mkdir(parents=True, exist_ok=True)
        app = {"inline_completion": {"enabled": True}}
        (self.config / "llm.json").write_text(json.dumps(llm))
        (self.config / "app.json").write_text(json.dumps(app))
        await page.call("Settings.reload_llm_config")
        await page.call("Settings.reload_app_config")
        await page.call("LLMService.set_excluded_index_files", [])
        await page.call("LLMService.set_selected_files", [])
        await page.call("LLMService.new_session")
        await page.call("LLMService.switch_mode", "code")

    def sent(self, since: int = 0) -> str:
        return "\n".join(
            json.dumps(body, ensure_ascii=False) for body in self.model.bodies()[since:]
        )

    @property
    def count(self) -> int:
        return len(self.model.bodies())


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    place = tmp_path_factory.mktemp("excluded")
    folder = make_repository(place / "garden", FILES)
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    (folder.root / "alias.py").symlink_to("vault/plan.py")
    base = folder.commit("a link")
    with running_model_server(place / "requests") as model:
        environment = plain_environment(
            place / "home",
            OPENAI_API_KEY="sk-scripted-0123456789",
        )
        with serving(folder.root, environment) as serve:
            yield Host(folder, serve, model, Path(environment["JUPYTER_AC_CONFIG_DIR"]), base)


async def exclude(page: Page) -> None:
    kept = await page.call("LLMService.set_excluded_index_files", EXCLUDED)
    assert kept == EXCLUDED


async def ask(
    page: Page, *answers: str, files: object = None, mode: str = "ask"
) -> dict[str, object]:
    """Ask for these answers; return the result of the turn."""
    request_id = os.urandom(6).hex()
    question = script(*answers) if answers else "Why is the sky blue?"
    args = (files, None, None, None, False, None, mode)
    await page.call("LLMService.chat_streaming", request_id, question, *args)
    while (ended := await page.event("streamComplete", WAIT_S))[0] != request_id:
        pass
    result = cast("dict[str, object]", ended[1])
    assert "error" not in result, result
    return result


async def map_is_ready(page: Page) -> None:
    """Wait until the map of the code is part of the next request."""
    async with asyncio.timeout(WAIT_S):
        while SHOWN not in str(await page.call("LLMService.get_sent_map")):
            await asyncio.sleep(0.05)


async def ticked(page: Page, _host: Host) -> None:
    kept = await page.call("LLMService.set_selected_files", [SHOWN, *WORDS, "alias.py"])
    assert kept == [SHOWN]
    await ask(page)


async def named_with_a_question(page: Page, _host: Host) -> None:
    result = await ask(page, files=[SHOWN, "vault/plan.py", "hidden.ipynb"])
    notices = "\n".join(cast("list[str]", result["notices"]))
    assert "'vault/plan.py': it is excluded; include it in the picker" in notices
    assert result["invalid_files"] == ["vault/plan.py", "hidden.ipynb"]


async def in_the_maps(page: Page, _host: Host) -> None:
    await map_is_ready(page)
    await ask(page)
    await page.call("LLMService.set_cross_reference", True)
    await ask(page, "Nothing.")
    await page.call("LLMService.switch_mode", "doc")
    await ask(page)
    await page.call("LLMService.set_cross_reference", False)


async def ranked_for_a_question(page: Page, _host: Host) -> None:
    await map_is_ready(page)
    request_id = os.urandom(6).hex()
    question = "What do shown_name, hidden.md and vault/deep/table.py do?"
    await page.call("LLMService.chat_streaming", request_id, question)
    await page.event("streamComplete", WAIT_S)


async def by_a_review(page: Page, host: Host) -> None:
    folder = host.folder
    folder.git("checkout", "--quiet", "-B", "theirs")
    for path in ("vault/plan.py", SHOWN):
        (folder.root / path).write_text(text_of(path) + "# changed\n")
    folder.git("commit", "--quiet", "-am", "change")
    folder.git("checkout", "--quiet", "-")
    started = cast("dict[str, object]", await page.call("LLMService.start_review", "theirs"))
    assert "error" not in started, started
    try:
        await page.call("LLMService.set_selected_files", [SHOWN, "vault/plan.py"])
        before = host.count
        await ask(page)
        assert "what the branch under review changes" in host.sent(before)
        assert "plan.py" not in host.sent(before)
    finally:
        await page.call("LLMService.end_review")
        folder.git("branch", "-D", "theirs")


async def by_a_commit_message(page: Page, host: Host) -> None:
    for path in (SHOWN, "vault/plan.py", "hidden.md"):
        (host.folder.root / path).write_text(text_of(path) + "# changed\n")
    before = host.count
    assert "error" not in await message_for(page, [SHOWN, "vault/plan.py", "hidden.md"])
    assert "+# changed" in host.sent(before)
    assert "are excluded" in str((await message_for(page, ["vault/plan.py"]))["error"])


async def message_for(page: Page, paths: list[str]) -> dict[str, object]:
    request_id = os.urandom(6).hex()
    await page.call("LLMService.write_commit_message", request_id, paths)
    while (ended := await page.event("streamComplete", WAIT_S))[0] != request_id:
        pass
    return cast("dict[str, object]", ended[1])


async def by_inline_completion(page: Page, _host: Host) -> None:
    for path in ("vault/plan.py", "hidden.ipynb", "alias.py"):
        told = await page.call("LLMService.complete_inline", path, "wordmoon wordcell", "")
        assert "it is excluded; include it in the picker" in str(told)


async def by_what_is_added(page: Page, _host: Host) -> None:
    item = {"kind": "selection", "name": "selection", "text": "wordmoon", "source": "vault/plan.py"}
    told = await page.call("LLMService.add_context", item)
    assert "it is excluded; include it in the picker" in str(told)
    await ask(page)


WAYS: Final[tuple[Callable[[Page, Host], Awaitable[None]], ...]] = (
    ticked,
    named_with_a_question,
    in_the_maps,
    ranked_for_a_question,
    by_a_review,
    by_a_commit_message,
    by_inline_completion,
    by_what_is_added,
)


@pytest.mark.parametrize("way", WAYS)
async def test_an_excluded_file_occurs_in_no_request(
    host: Host, way: Callable[[Page, Host], Awaitable[None]]
) -> None:
    async with host.page() as page:
        await host.begin(page)
        await exclude(page)
        before = host.count
        await way(page, host)
        assert_nothing_left(host.sent(before))


def assert_nothing_left(sent: str) -> None:
    for path, word in WORDS.items():
        assert word not in sent.lower(), path


TOOLS: Final = {
    "read_file": call("read_file", path="vault/plan.py") + call("read_file", path="alias.py"),
    "read_cell": call("read_cell", path="hidden.ipynb", cell="1"),
    "search": call("search", text="needle") + call("search", text="needle", folder="vault"),
    "list_files": call("list_files") + call("list_files", folder="vault"),
    "find_symbol": call("find_symbol", name="word"),
    "outline": call("outline", path="vault/plan.py"),
    "references": call("references", name="shown_name")
    + call("references", path="vault/plan.py", line=1, name="shown_name"),
    "git_diff": call("git_diff") + call("git_diff", path="vault"),
    "git_log": call("git_log", path="hidden.md"),
}


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_tool_shows_nothing_of_an_excluded_file(host: Host, tool: str) -> None:
    async with host.page() as page:
        await host.begin(page, "tools")
        await map_is_ready(page)
        await exclude(page)
        for path in (SHOWN, "vault/plan.py"):
            (host.folder.root / path).write_text(text_of(path) + "# changed needle\n")
        before = host.count
        result = await ask(page, TOOLS[tool], "Done.", mode="plan")
        run = cast("dict[str, list[dict[str, object]]]", result["run"])
        assert {row["tool"] for row in run["calls"]} == {tool}
        results = [
            message["content"]
            for body in host.model.bodies()[before:]
            for message in cast("list[dict[str, object]]", body["messages"])
            if message["role"] == "tool"
        ]
        said = json.dumps(results)
        assert all(word not in said.lower() for word in WORDS.values()), said
        if tool in {"search", "list_files", "git_diff"}:
            assert SHOWN in said
            assert "plan.py" not in str(results[0])
        if tool != "find_symbol":
            assert "is excluded; include it in the picker" in said or tool == "references"


async def test_an_edit_of_an_excluded_file_is_refused_and_not_asked_for_again(host: Host) -> None:
    async with host.page() as page:
        await host.begin(page, "edits")
        await exclude(page)
        before = host.count
        blocks = (
            edit("vault/plan.py", "def shown_nome():\n", "x\n"),
            edit("vault/new.py", "", "x\n"),
        )
        result = await ask(page, "\n".join(blocks))
        rows = cast("list[dict[str, object]]", result["edit_results"])
        assert [row["status"] for row in rows] == ["skipped"] * 2
        assert all(
            "it is excluded; include it in the picker" in str(row["message"]) for row in rows
        )
        assert host.count == before + 1
        assert_nothing_left(host.sent(before))
        assert not (host.folder.root / "vault" / "new.py").exists()
        state = cast("dict[str, object]", await page.call("LLMService.get_current_state"))
        assert state["selected_files"] == []


async def test_what_was_sent_before_goes_with_one_change_of_the_beginning(host: Host) -> None:
    async with host.page() as page:
        await host.begin(page)
        await map_is_ready(page)
        await page.call("LLMService.set_selected_files", [SHOWN, "vault/plan.py", "hidden.md"])
        before = host.count
        await ask(page)
        assert "wordmoon" in host.sent(before)
        await exclude(page)
        assert await page.event("excludedFilesChanged", WAIT_S) == [EXCLUDED]
        assert await page.event("filesChanged", WAIT_S) is not None
        state = cast("dict[str, object]", await page.call("LLMService.get_current_state"))
        assert (state["selected_files"], state["excluded_index_files"]) == ([SHOWN], EXCLUDED)
        next_one = await page.call("LLMService.get_context_breakdown")
        assert "plan.py" not in json.dumps(cast("dict[str, object]", next_one)["breakdown"])
        before = host.count
        for _ in range(3):
            await ask(page)
        assert_nothing_left(host.sent(before))
        first, *others = [
            [json.dumps(message) for message in cast("list[object]", body["messages"])]
            for body in host.model.bodies()[before:]
        ]
        assert SHOWN in first[0]
        for later in others:
            assert later[:2] == first[:2]


async def test_a_renamed_file_stays_excluded_and_a_deleted_one_too(host: Host) -> None:
    async with host.page() as page:
        await host.begin(page)
        await exclude(page)
        await page.call("Repo.rename_file", "vault/plan.py", "open.py")
        await page.call("Repo.rename_file", "hidden.md", "cave.md")
        await page.call("Repo.rename_directory", "vault", "safe")
        wanted = ["cave.md", "hidden.ipynb", "open.py", "safe"]
        assert await page.call("LLMService.get_excluded_index_files") == wanted
        with pytest.raises(CallFailedError):
            await page.call("Repo.rename_file", "cave.md", SHOWN)
        await page.call("Repo.delete_file", "open.py")
        assert await page.call("LLMService.get_excluded_index_files") == wanted
        await page.call("LLMService.set_selected_files", ["cave.md", "safe/deep/table.py"])
        assert await page.call("LLMService.get_selected_files") == []


async def test_another_host_follows_at_once(host: Host, tmp_path: Path) -> None:
    environment = plain_environment(tmp_path / "home", OPENAI_API_KEY="sk-scripted-0123456789")
    with serving(host.folder.root, environment) as other:
        theirs = Page(await websocket_connect(HTTPRequest(other.address)), HEARD)
        async with host.page() as page:
            await theirs.ready()
            await host.begin(page)
            await theirs.call("LLMService.set_selected_files", [SHOWN, "vault/plan.py"])
            await exclude(page)
            state = cast("dict[str, object]", await theirs.call("LLMService.get_current_state"))
            assert (state["selected_files"], state["excluded_index_files"]) == ([SHOWN], EXCLUDED)
            kept = await theirs.call("LLMService.set_selected_files", ["vault/plan.py", SHOWN])
            assert kept == [SHOWN]
        await theirs.leave()


async def test_an_excluded_file_is_not_offered_with_an_edited_question(host: Host) -> None:
    async with host.page() as page:
        await host.begin(page)
        await page.call("LLMService.set_selected_files", [SHOWN, "hidden.md"])
        request_id = os.urandom(6).hex()
        await page.call("LLMService.chat_streaming", request_id, "Why is the sky blue?")
        await page.event("streamComplete", WAIT_S)
        await exclude(page)
        await page.call("LLMService.set_selected_files", [])
        assert await page.call("LLMService.get_question_files", request_id) == {
            "files": [SHOWN],
            "left_out": [{"path": "hidden.md", "reason": REASON}],
        }
