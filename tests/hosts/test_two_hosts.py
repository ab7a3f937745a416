"""A Jupyter server and `jupyter ac serve`, both real processes, at work on one repository."""

import asyncio
import hashlib
import shutil
import signal
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from tests.support.jupyter_process import JupyterProcess, jupyter_serving
from tests.support.model_process import RunningModelServer, running_model_server
from tests.support.pages import CallFailedError, Page
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess, plain_environment, serving

WAIT_S = 90.0
WRITES = 300
ASKED_IN_EACH = 6


@dataclass
class Hosts:
    """Both, the repository between them, and the model behind them."""

    folder: RepositoryFolder
    jupyter: JupyterProcess
    serve: ServeProcess
    model: RunningModelServer

    @property
    def history(self) -> Path:
        return self.folder.root / ".git/jupyter_ac/history.sqlite"

    def require_health(self) -> None:
        """Everything on disk is whole."""
        assert "error" not in self.folder.git("fsck", "--full", "--strict")
        with closing(sqlite3.connect(self.history)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def answering(server: RunningModelServer, model: str) -> dict[str, str]:
    return {
        "JUPYTER_AC_MODEL": f"openai/{model}",
        "JUPYTER_AC_API_BASE": server.openai,
        "OPENAI_API_KEY": "sk-scripted-0123456789",
    }


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    place = tmp_path_factory.mktemp("two_hosts")
    folder = make_repository(place / "garden", {"a.py": "print(1)\n", "b.py": "print(2)\n"})
    folder.write("counter.txt", content_of(0))
    folder.commit()
    with running_model_server(place / "requests") as model:
        # One person, who has one key wherever they work.
        settings = {"JUPYTER_AC_CONFIG_DIR": str(place / "settings")}
        chosen = answering(model, "scripted") | settings
        with (
            jupyter_serving(place, plain_environment(place / "one", **chosen)) as jupyter,
            serving(folder.root, plain_environment(place / "two", **chosen)) as serve,
        ):
            yield Hosts(folder, jupyter, serve, model)


@asynccontextmanager
async def pages(hosts: Hosts, jupyter: JupyterProcess) -> AsyncIterator[tuple[Page, Page]]:
    """A page of the same person on each."""
    one = await connect(jupyter.socket(hosts.folder.root))
    two = await connect(hosts.serve.address)
    try:
        await asyncio.gather(one.ready(), two.ready())
        yield one, two
    finally:
        await asyncio.gather(one.leave(), two.leave())


async def connect(address: str) -> Page:
    return Page(await websocket_connect(HTTPRequest(address, connect_timeout=30)))


async def ask(asking: Page, request_id: str, question: str) -> dict[str, object]:
    """Ask and wait for the end of that turn."""
    assert await asking.call("LLMService.chat_streaming", request_id, question) == {
        "status": "started"
    }
    while (ended := await asking.event("streamComplete", WAIT_S))[0] != request_id:
        pass
    result = ended[1]
    assert isinstance(result, dict)
    return result


async def breakdown(asking: Page) -> object:
    return await asking.call("LLMService.get_context_breakdown")


async def rows(asking: Page, method: str, *args: object) -> list[dict[str, object]]:
    found = await asking.call(f"LLMService.{method}", *args)
    assert isinstance(found, list)
    return found


async def test_a_conversation_goes_on_in_either_host_and_loses_nothing(hosts: Hosts) -> None:
    async with pages(hosts, hosts.jupyter) as (one, two):
        await one.call("LLMService.set_selected_files", ["b.py"])
        assert "error" not in await ask(one, "one-first", "First, in Jupyter")
        session_id = (await one.state())["session_id"]
        listed = await rows(two, "history_list_sessions")
        assert [(found["session_id"], found["preview"]) for found in listed] == [
            (session_id, "First, in Jupyter")
        ]
        loaded = await two.call("LLMService.load_session_into_context", session_id)
        assert isinstance(loaded, dict)
        assert loaded["messages"] == (await one.state())["messages"]
        assert (await two.state())["selected_files"] == ["b.py"]
        assert "error" not in await ask(two, "two-first", "Then, in serve")
        async with asyncio.timeout(WAIT_S):  # each host has an index, which may be ready or not
            while await breakdown(one) != await breakdown(two):
                await asyncio.sleep(0.05)
        assert (await one.state())["messages"] == (await two.state())["messages"]

        async def keep_asking(asking: Page, name: str) -> None:
            for number in range(ASKED_IN_EACH):
                result = await ask(asking, f"{name}-{number}", f"<{name} {number}>")
                assert "error" not in result
                assert not result.get("notices")

        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(keep_asking(one, "one"), keep_asking(two, "two"))
        messages = await rows(one, "history_get_session", session_id)
        assert messages == await rows(two, "history_get_session", session_id)
        assert {message["state"] for message in messages} == {"done"}
        questions = [str(found["content"]) for found in messages if found["role"] == "user"]
        asked = {f"<{name} {n}>" for name in ("one", "two") for n in range(ASKED_IN_EACH)}
        assert set(questions[2:]) == asked
        assert len(questions) == 2 + len(asked)
        require_each_prompt_goes_on_from_the_last(hosts.model, questions)
        hosts.require_health()


def require_each_prompt_goes_on_from_the_last(
    server: RunningModelServer, questions: list[str]
) -> None:
    """Whoever asked, the model was sent all that had been said before, and one at a time."""
    bodies = server.bodies()
    assert len(bodies) == len(questions)
    for number, body in enumerate(bodies):
        text = str(body["messages"])
        assert [question in text for question in questions] == [
            *[True] * (number + 1),
            *[False] * (len(questions) - number - 1),
        ]


def content_of(number: int) -> str:
    """A file that says whether it is whole."""
    filler = f"{number} " * 2000
    return f"{number}\n{filler}\n{hashlib.sha256(filler.encode()).hexdigest()}\n"


def number_in(content: str) -> int:
    number = int(content.partition("\n")[0])
    assert content == content_of(number), "a file in pieces"
    return number


async def count_up(page: Page, written: list[int], limit: int) -> None:
    """Raise the number in the file until it is `limit`, reading it anew when it has changed."""
    while True:
        seen = await page.call("Repo.get_file_hash", "counter.txt")
        number = number_in(str(await page.call("Repo.get_file_content", "counter.txt")))
        if number >= limit:
            return
        try:
            await page.call("Repo.write_file", "counter.txt", content_of(number + 1), seen)
        except CallFailedError as error:
            if error.kind != "conflict":
                raise
        else:
            written.append(number + 1)


async def test_hundreds_of_interleaved_writes_do_no_damage(hosts: Hosts) -> None:
    target = hosts.folder.write("counter.txt", content_of(0))
    written: dict[str, list[int]] = {"one": [], "two": []}

    async def watch() -> None:
        last = 0
        while last < WRITES:
            number = number_in(target.read_text("utf-8"))
            assert number >= last, "a write was undone"
            last = number
            await asyncio.sleep(0.002)

    async with pages(hosts, hosts.jupyter) as (one, two):
        async with asyncio.timeout(2 * WAIT_S):
            await asyncio.gather(
                watch(),
                count_up(one, written["one"], WRITES),
                count_up(two, written["two"], WRITES),
            )
    assert number_in(target.read_text("utf-8")) == WRITES
    assert sorted(written["one"] + written["two"]) == list(range(1, WRITES + 1))
    assert min(map(len, written.values())) >= WRITES // 100, "one host kept the other out"
    assert hosts.folder.git("status", "--porcelain") == " M counter.txt"
    hosts.require_health()


async def test_a_host_that_is_killed_leaves_the_other_at_work(hosts: Hosts, tmp_path: Path) -> None:
    hosts.folder.write("counter.txt", content_of(0))
    settings = {"JUPYTER_AC_CONFIG_DIR": str(hosts.folder.root.parent / "settings")}
    chosen = answering(hosts.model, "scripted-slow@0.2") | settings
    environment = plain_environment(tmp_path, **chosen)
    with jupyter_serving(hosts.folder.root.parent, environment) as doomed:
        async with pages(hosts, doomed) as (one, two):
            await one.call("LLMService.new_session")
            session_id = (await one.state())["session_id"]
            await one.call("LLMService.chat_streaming", "1-a", "Will this end?")
            partial = await answer_so_far(hosts.history, session_id)
            written: list[int] = []
            counting = asyncio.create_task(count_up(one, written, WRITES))
            async with asyncio.timeout(WAIT_S):
                while len(written) < 20:
                    await asyncio.sleep(0.01)
            doomed.end(signal.SIGKILL)
            with pytest.raises(ConnectionError):
                await counting
            at = number_in((hosts.folder.root / "counter.txt").read_text("utf-8"))
            assert at in {written[-1], written[-1] + 1}
            await count_up(two, [], at + 20)
            loaded = await two.call("LLMService.load_session_into_context", session_id)
            assert isinstance(loaded, dict)
            question, answer = loaded["messages"]
            assert question["content"] == "Will this end?"
            assert (answer["state"], answer["error"]["type"]) == ("error", "internal")
            assert "interrupted" in answer["error"]["message"]
            assert answer["content"].startswith(partial)
            assert "error" not in await ask(two, "2-b", "And now?")
            sent = hosts.model.bodies()[-1]["messages"]
            assert isinstance(sent, list)
            assert sent[-2]["content"] == answer["content"]
            assert "And now?" in str(sent[-1]["content"])
            assert "Will this end?" in str(sent[-3]["content"])
            hosts.require_health()


async def answer_so_far(history: Path, session_id: object) -> str:
    """Wait until part of the running answer is on disk."""
    async with asyncio.timeout(WAIT_S):
        while True:
            with closing(sqlite3.connect(history)) as database:
                row = database.execute(
                    "SELECT content FROM messages"
                    " WHERE role = 'assistant' AND content <> '' AND session_id = ?",
                    (session_id,),
                ).fetchone()
            if row:
                return str(row[0])
            await asyncio.sleep(0.05)


async def test_a_state_folder_that_is_removed_costs_the_past_and_nothing_else(
    hosts: Hosts,
) -> None:
    async with pages(hosts, hosts.jupyter) as (one, two):
        await one.call("LLMService.new_session")
        for number in range(2):
            assert "error" not in await ask(one, f"before-{number}", f"<before {number}>")
        session_id = (await one.state())["session_id"]
        await two.call("LLMService.load_session_into_context", session_id)
        shutil.rmtree(hosts.history.parent)
        for page, content in ((two, "two\n"), (one, "one\n")):
            await page.call("Repo.write_file", "after.txt", content)
        asked = [f"<before {number}>" for number in range(2)]
        for number, page in enumerate((one, two, one)):
            result = await ask(page, f"after-{number}", f"<after {number}>")
            assert "error" not in result
            lost = str(result.get("notices") or "")
            assert lost == "" or "deleted while it was open" in lost
            assert lost or number
            asked.append(f"<after {number}>")
            body = str(hosts.model.bodies()[-1]["messages"])
            assert [body.find(question) for question in asked] == sorted(
                body.find(question) for question in asked
            )
            assert -1 not in [body.find(question) for question in asked]
        kept = await rows(two, "history_get_session", session_id)
        assert [found["content"] for found in kept if found["role"] == "user"] == asked[2:]
        hosts.require_health()
    (hosts.folder.root / "after.txt").unlink()
