"""A review through a real host: what the model is sent, what is refused, a restart, and the end."""

import asyncio
import itertools
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from tests.chat.edited import edit
from tests.support.model_process import RunningModelServer
from tests.support.pages import EVENTS, CallFailedError, Page
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.sanity import require_sane, snapshot
from tests.support.serve_process import ServeProcess, plain_environment, serving

REVIEW_EVENTS = (*EVENTS, "reviewStarted", "reviewEnded", "filesModified")
WAIT_S = 90.0
REVIEWS = "You review the changes of a branch"
PASSING = "From the map, likely to matter for this question:"
REFUSED = (
    ("Repo.commit", "by accident"),
    ("Repo.reset_hard",),
    ("Repo.checkout_branch", "main"),
    ("LLMService.commit_all", "by accident"),
    ("LLMService.commit_files", ["pump.py"], "by accident", False),
    ("LLMService.undo_commit",),
    ("LLM.commit_all", "by accident"),
    ("LiteLLM.commit_all", "by accident"),
)


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """`feature` renames a function and removes a file."""
    files: dict[str, str | bytes] = {
        "pump.py": "def prime_pump():\n    return 1\n",
        "old.py": "def legacy_valve():\n    return 2\n",
        "same.py": "def untouched():\n    return 3\n",
    }
    folder = make_repository(tmp_path / "garden", files)
    folder.git("checkout", "-q", "-b", "feature")
    folder.write("pump.py", "def start_pump():\n    return 1\n")
    (folder.root / "old.py").unlink()
    folder.commit("Start the pump")
    folder.git("checkout", "-q", "main")
    return folder


@pytest.fixture
def serve(
    tmp_path: Path, folder: RepositoryFolder, model_server: RunningModelServer
) -> Iterator[ServeProcess]:
    environment = plain_environment(
        tmp_path / "home",
        JUPYTER_AC_MODEL="openai/scripted-edits@0.004",
        JUPYTER_AC_API_BASE=model_server.openai,
        OPENAI_API_KEY="sk-scripted-0123456789",
    )
    with serving(folder.root, environment) as serve:
        yield serve


async def open_page(serve: ServeProcess) -> Page:
    request = HTTPRequest(serve.address, connect_timeout=30)
    page = Page(await websocket_connect(request), REVIEW_EVENTS)
    await page.ready()
    return page


async def ask(page: Page, request_id: str, *answers: str) -> dict[str, object]:
    """Ask for these answers and wait for the end of the turn."""
    question = "\n=====\n".join(["Please look.", *answers])
    started = await page.call("LLMService.chat_streaming", request_id, question)
    assert started == {"status": "started"}
    while (ended := await page.event("streamComplete"))[0] != request_id:
        pass
    return cast("dict[str, object]", ended[1])


async def refusal(page: Page, name: str, *args: object) -> str:
    """Give the sentence with which a call is refused, as an error or as a result."""
    try:
        return str(cast("dict[str, object]", await page.call(name, *args))["error"])
    except CallFailedError as error:
        return str(error)


def texts(body: dict[str, object]) -> list[str]:
    """All text parts of a request that the next one holds too, in order."""
    found: list[str] = []
    for message in cast("list[dict[str, object]]", body["messages"]):
        content = message["content"]
        parts = [{"text": content}] if isinstance(content, str) else content
        found += [str(part["text"]) for part in cast("list[dict[str, object]]", parts)]
    return [text for text in found if not text.startswith(PASSING)]


async def test_the_model_gets_the_review_and_after_it_the_usual_prompt(
    folder: RepositoryFolder, model_server: RunningModelServer, serve: ServeProcess
) -> None:
    page = await open_page(serve)
    await page.call("LLMService.set_selected_files", ["same.py"])
    begun = cast("dict[str, object]", await page.call("LLMService.start_review", "feature"))
    assert begun["status"] == "review_active"
    assert await page.call("LLMService.get_selected_files") == []
    assert await page.call("LLMService.set_selected_files", ["pump.py", "old.py"]) == [
        "pump.py",
        "old.py",
    ]
    await ask(page, "first", "Fine.")
    sent = texts(model_server.bodies()[-1])
    assert REVIEWS in sent[0]
    whole = "\n".join(sent)
    assert "review://summary (" in whole
    assert "Start the pump" in whole
    assert "-def prime_pump():\n+def start_pump():" in whole
    assert "deleted file mode 100644" in whole

    await await_map(page)
    second = await ask(page, "second", edit("pump.py", "return 1", "return 2"))
    again = texts(model_server.bodies()[-1])
    assert again[: len(sent)] == sent
    (before,) = (text for text in again if text.startswith("review://map-before/"))
    assert "legacy_valve" in before
    assert "start_pump" not in before
    assert "review is under way" in json.dumps(second)
    assert (folder.root / "pump.py").read_text() == "def start_pump():\n    return 1\n"
    for name, *args in REFUSED:
        assert "A review of 'feature' is in progress" in await refusal(page, name, *args)

    names = {row["name"] for row in await review_rows(page)}
    assert {"summary", "changes/pump.py", "changes/old.py"} < names

    ended = cast("dict[str, object]", await page.call("LLMService.end_review"))
    assert ended["status"] == "restored"
    assert await page.call("LLMService.get_selected_files") == ["same.py"]
    await ask(page, "third", "Fine.")
    after = texts(model_server.bodies()[-1])
    assert REVIEWS not in after[0]
    assert "review://summary no longer counts.\n" in after
    assert [note["kind"] for note in await notes(page)] == ["review_started", "review_ended"]
    await page.leave()


NAMES = ("--help", "-f", "--output=pwned", "nope", "", "main", "feature..main", ":/Start", "a\0b")
BASES = ("--output=pwned", "-x", "nope", "HEAD", "a" * 10_000)
PATHS = ("../pump.py", "/etc/passwd", ".git/config", "", "a\0b", "x" * 5000)


async def test_names_that_are_no_branches_change_nothing(
    folder: RepositoryFolder, serve: ServeProcess
) -> None:
    folder.write("later.py", "x = 1\n")
    folder.commit("main moves on")
    before = snapshot(folder)
    page = await open_page(serve)
    for method in ("LLMService.start_review", "Repo.checkout_review_parent"):
        for args in (*((name,) for name in NAMES), *(("feature", base) for base in BASES)):
            assert await refusal(page, method, *args)
            assert snapshot(folder) == before
    await page.call("LLMService.start_review", "feature")
    for path in PATHS:
        assert await refusal(page, "LLMService.get_review_file_diff", path)
    await page.call("LLMService.end_review")
    assert snapshot(folder) == before
    await page.leave()


async def test_two_pages_that_begin_and_end_reviews_at_once(
    folder: RepositoryFolder, serve: ServeProcess
) -> None:
    before = snapshot(folder)
    one, two = await open_page(serve), await open_page(serve)

    async def all_at_once(*names: str) -> list[dict[str, object]]:
        pages = itertools.cycle((one, two))
        args = {"start_review": ["feature"], "checkout_review_parent": ["feature"]}
        calls = [next(pages).call(name, *args.get(name.partition(".")[2], [])) for name in names]
        return cast("list[dict[str, object]]", await asyncio.gather(*calls))

    begun = await all_at_once(*["LLMService.start_review"] * 4)
    assert [each.get("status") for each in begun].count("review_active") == 1
    assert sum("is in progress; end it" in str(each.get("error")) for each in begun) == 3
    ended = await all_at_once(*["LLMService.end_review", "Repo.exit_review_mode"] * 2)
    assert [each.get("status") for each in ended].count("restored") == 1
    assert sum(each.get("error") == "No review is in progress here." for each in ended) == 3
    assert snapshot(folder) == before
    await all_at_once("LLMService.start_review", "LLMService.end_review", "LLM.end_review")
    await all_at_once("Repo.checkout_review_parent", "LLMService.start_review")
    await all_at_once("LLMService.end_review", "LiteLLM.end_review")
    assert snapshot(folder) == before
    require_sane(folder)
    await one.leave()
    await two.leave()


async def test_the_page_that_begins_a_review_leaves_at_once(
    folder: RepositoryFolder, serve: ServeProcess
) -> None:
    before = snapshot(folder)
    one, two = await open_page(serve), await open_page(serve)
    beginning = asyncio.create_task(one.call("LLMService.start_review", "feature"))
    await asyncio.sleep(0.02)
    await one.leave()
    with pytest.raises(ConnectionError):
        await beginning
    (state,) = await two.event("reviewStarted")
    assert cast("dict[str, object]", state)["branch"] == "feature"
    await two.call("LLMService.end_review")
    assert snapshot(folder) == before
    await two.leave()


async def review_rows(page: Page) -> list[dict[str, object]]:
    """What the next request would hold of the review."""
    found = cast("dict[str, object]", await page.call("LLMService.get_context_breakdown"))
    breakdown = cast("dict[str, object]", found["breakdown"])
    rows = cast("list[dict[str, object]]", breakdown["review_details"])
    assert breakdown["review"] == sum(cast("int", row["tokens"]) for row in rows)
    return rows


async def await_map(page: Page) -> None:
    """Return when the map of before is made."""
    async with asyncio.timeout(WAIT_S):
        while not any(
            str(row["name"]).startswith("map-before/") for row in await review_rows(page)
        ):
            pass


async def notes(page: Page) -> list[dict[str, object]]:
    """The notes beside the talk."""
    messages = cast("list[dict[str, object]]", (await page.state())["messages"])
    return [one for one in messages if one["role"] == "system"]


async def test_the_next_host_goes_on_with_the_review_after_a_crash(
    model_server: RunningModelServer, serve: ServeProcess
) -> None:
    page = await open_page(serve)
    await page.call("LLMService.set_selected_files", ["same.py"])
    await page.call("LLMService.start_review", "feature")
    await page.call("LLMService.set_selected_files", ["pump.py"])
    await await_map(page)
    await ask(page, "first", "Fine.")
    before = texts(model_server.bodies()[-1])
    await page.leave()
    serve.end(signal.SIGKILL)
    serve.start()
    page = await open_page(serve)
    assert cast("dict[str, object]", (await page.state())["review_state"])["active"]
    await ask(page, "third", "Fine.")
    sent = texts(model_server.bodies()[-1])
    assert sent[: len(before)] == before
    assert not [text for text in sent[len(before) :] if text.startswith("review://")]
    assert cast("dict[str, object]", await page.call("LLMService.end_review"))["status"] == (
        "restored"
    )
    assert await page.call("LLMService.get_selected_files") == ["same.py"]
    await page.leave()
