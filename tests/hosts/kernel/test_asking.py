"""`panel.ask()` through a page and without one."""

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest

from jupyter_ac.errors import AcError, InvalidParams, TimedOut
from jupyter_ac.hosts.kernel import asking as module
from jupyter_ac.hosts.kernel.asking import Asking
from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.questions import Questions
from tests.hosts.kernel.child.ends import FAKE
from tests.hosts.kernel.environment import LIMIT_S, child_environment, until
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder

Message = Mapping[str, object]


class Page:
    """Answers what the kernel posts, from a thread as a subshell's messages come."""

    asking: Asking

    def __init__(self, answer: Callable[["Page", Message], None]) -> None:
        self.seen: list[Message] = []
        self._answer = answer

    def post(self, message: Message) -> None:
        self.seen.append(message)
        self._answer(self, message)

    def send(self, kind: str, message: Message, **members: str) -> None:
        content = {"type": kind, "id": message["id"], **members}
        on_thread(lambda: self.asking.receive(content))


def on_thread(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(LIMIT_S)


def takes(page: Page, message: Message) -> None:
    if message["type"] == "ask":
        page.send("ask.taken", message)
        page.send("answer", message, text=f"the page's answer to {message['question']}")


def only_takes(page: Page, message: Message) -> None:
    if message["type"] == "ask":
        page.send("ask.taken", message)


def fails(page: Page, message: Message) -> None:
    if message["type"] == "ask":
        page.send("ask.taken", message)
        page.send("answer", message, error="The answer was stopped.")


def ignores(_page: Page, _message: Message) -> None:
    """A page that is gone."""


@pytest.fixture
def silent(garden: RepositoryFolder) -> Iterator[HostChild]:
    made = HostChild(garden.root, arguments=FAKE)
    yield made
    made.close(LIMIT_S)


def joined(child: HostChild, answer: Callable[[Page, Message], None]) -> tuple[Asking, Page]:
    """An asker and a page whose messages come on a subshell."""
    page = Page(answer)
    page.asking = asking = Asking(lambda: child, page.post)
    on_thread(lambda: asking.receive({"type": "hello"}))
    return asking, page


async def test_a_page_that_takes_the_question_answers_it(silent: HostChild) -> None:
    asking, page = joined(silent, takes)
    answers = await asyncio.gather(*(asking.ask(f"number {n}", ["a.py"]) for n in range(3)))
    assert answers == [f"the page's answer to number {n}" for n in range(3)]
    assert len({str(message["id"]) for message in page.seen}) == 3
    assert silent.pid is None


async def test_it_works_from_any_thread_s_loop(silent: HostChild) -> None:
    asking, _ = joined(silent, takes)
    answers: list[str] = []
    on_thread(lambda: answers.append(asyncio.run(asking.ask("there", []))))
    assert answers == ["the page's answer to there"]


async def test_a_page_s_error_is_raised(silent: HostChild) -> None:
    asking, _ = joined(silent, fails)
    with pytest.raises(AcError, match="was stopped"):
        await asking.ask("Well?", [])


async def test_a_page_that_falls_silent_is_not_waited_for(
    silent: HostChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ALIVE_S", 0.1)
    asking, _ = joined(silent, only_takes)
    with pytest.raises(TimedOut, match="in the panel's conversation"):
        await asking.ask("Well?", [])


async def test_one_that_is_alive_is(silent: HostChild, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ALIVE_S", 1.0)
    asking, page = joined(silent, only_takes)
    waiting = asyncio.create_task(asking.ask("Well?", []))
    for _ in range(12):
        await asyncio.sleep(0.1)
        page.send("ask.alive", page.seen[0])
    assert not waiting.done()
    page.send("answer", page.seen[0], text="at last")
    assert await waiting == "at last"


async def test_who_no_longer_waits_stops_the_page_s_answer(silent: HostChild) -> None:
    asking, page = joined(silent, only_takes)
    waiting = asyncio.create_task(asking.ask("Well?", []))
    await seen(page, 1)
    waiting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await waiting
    await seen(page, 2)
    assert page.seen[1] == {"type": "ask.cancel", "id": page.seen[0]["id"]}


async def test_when_no_page_takes_it_the_host_answers(
    shared: HostChild, shared_server: RunningModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = len(shared_server.bodies())
    monkeypatch.setattr(module, "TAKEN_S", 0.1)
    asking, page = joined(shared, ignores)
    assert "What is it?" in await asking.ask("What is it?", ["a.py"])
    assert [message["type"] for message in page.seen] == ["ask", "ask.cancel"]
    page.send("ask.taken", page.seen[0])
    page.send("answer", page.seen[0], text="too late")
    assert "What else?" in await Asking(lambda: shared, page.post).ask("What else?", [])
    assert "apple" in json.dumps(shared_server.bodies()[before])


async def test_a_page_that_speaks_only_between_cells_is_not_asked(
    shared: HostChild, shared_server: RunningModelServer
) -> None:
    before = len(shared_server.requests())
    posted: list[Message] = []
    asking = Asking(lambda: shared, posted.append)
    assert not asking.receive({"type": "state"})
    assert "What is it?" in await asking.ask("What is it?", [])
    assert posted == []
    with pytest.raises(AcError, match=r"no\.py"):
        await asking.ask("And this?", ["no.py"])
    assert len(shared_server.requests()) == before + 1


async def test_what_is_attached_goes_out_with_the_next_question_of_the_host(
    shared: HostChild, shared_server: RunningModelServer
) -> None:
    before = len(shared_server.bodies())
    asking = Asking(lambda: shared, print)
    asking.attach({"kind": "variable", "name": "rates", "text": "rates: 0.25"})
    shared_server.answer_as("scripted-401")
    with pytest.raises(AcError):
        await asking.ask("Refused?", [])
    shared_server.answer_as("")
    await asking.ask("What is it?", [])
    await asking.ask("And now?", [])
    bodies = [json.dumps(body) for body in shared_server.bodies()[before:]]
    assert ["rates: 0.25" in body for body in bodies] == [True] * len(bodies)
    assert bodies[-1].count("rates: 0.25") == 1


async def test_cancelling_stops_the_host_s_answer(
    garden: RepositoryFolder, model_server: RunningModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = child_environment(garden.root.parent, model_server, "scripted-long@0.02")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    child = HostChild(garden.root)
    try:
        waiting = asyncio.create_task(Asking(lambda: child, print).ask("Everything!", []))
        await asyncio.to_thread(until, model_server, lambda seen: bool(seen and seen[0]["chunks"]))
        waiting.cancel()
        await asyncio.to_thread(until, model_server, lambda seen: bool(seen[0]["closed_early"]))
        with pytest.raises(asyncio.CancelledError) as stopped:
            await waiting
        assert vars(stopped.value)["_render_traceback_"]() == [
            "CancelledError: the answer was stopped"
        ]
    finally:
        await asyncio.to_thread(child.close, LIMIT_S)


async def test_an_empty_question_is_refused(silent: HostChild) -> None:
    with pytest.raises(InvalidParams, match="empty"):
        await Asking(lambda: silent, print).ask(" \n", [])


async def test_what_is_no_question_is_refused(silent: HostChild) -> None:
    with pytest.raises(InvalidParams, match="a text, not NoneType"):
        await Asking(lambda: silent, print).ask(json.loads("null"), [])


async def test_a_limit_on_the_time_is_a_timeout(silent: HostChild) -> None:
    asking, _ = joined(silent, only_takes)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await asking.ask("Well?", [])


async def test_a_selection_goes_to_the_page_or_else_to_the_host(host: HostChild) -> None:
    posted: list[Message] = []
    asking = Asking(lambda: host, posted.append)
    asking.select(["a.py"])
    panels = Questions(host, "")
    while await on_child(host, panels) != ["a.py"]:
        await asyncio.sleep(0.02)
    assert posted == []
    asking.receive({"type": "hello"})
    asking.select(["docs/b.md"])
    assert posted == [{"type": "select", "files": ["docs/b.md"]}]
    assert await on_child(host, panels) == ["a.py"]


async def test_selections_arrive_in_the_order_in_which_they_were_made(
    silent: HostChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Sequence[str]] = []

    async def keep(_self: Questions, files: Sequence[str]) -> None:
        await asyncio.sleep(0.1 if files == ["b"] else 0)
        kept.append(files)

    monkeypatch.setattr(Questions, "select", keep)
    asking = Asking(lambda: silent, print)
    chosen = [["b"], ["a"], ["c"]]
    for files in chosen:
        asking.select(files)
    async with asyncio.timeout(LIMIT_S):
        while len(kept) < len(chosen):
            await asyncio.sleep(0.01)
    assert kept == chosen


@pytest.mark.parametrize(
    ("error", "level"), [(AcError("no such file"), "WARNING"), (KeyError("files"), "ERROR")]
)
async def test_why_a_selection_is_not_kept_is_logged(
    silent: HostChild,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    level: str,
) -> None:
    async def fail(_self: Questions, _files: object) -> None:
        raise error

    monkeypatch.setattr(Questions, "select", fail)
    Asking(lambda: silent, print).select(["a.py"])
    async with asyncio.timeout(LIMIT_S):
        while not caplog.records:
            await asyncio.sleep(0.01)
    (record,) = caplog.records
    assert (record.levelname, record.name) == (level, module.__name__)
    assert "the selection is not kept" in record.getMessage()
    assert str(error) in caplog.text


async def test_questions_go_on_with_another_child(garden: RepositoryFolder) -> None:
    children = [HostChild(garden.root, arguments=FAKE) for _ in range(2)]
    page = Page(takes)
    page.asking = asking = Asking(lambda: children[0], page.post)
    on_thread(lambda: asking.receive({"type": "hello"}))
    try:
        for _ in range(len(children)):
            answers = await asyncio.gather(*(asking.ask(f"number {n}", []) for n in range(3)))
            assert answers == [f"the page's answer to number {n}" for n in range(3)]
            children.reverse()
    finally:
        for child in children:
            await asyncio.to_thread(child.close, LIMIT_S)


def test_other_messages_are_for_others(silent: HostChild) -> None:
    asking = Asking(lambda: silent, print)
    assert asking.receive({"type": "answer", "id": "x"})
    assert not asking.receive({"type": "state"})
    assert not asking.receive("answer")


async def on_child(child: HostChild, questions: Questions) -> object:
    async def selected() -> object:
        peer = (await questions._connected()).peer
        return await peer.call("LLMService.get_selected_files")

    return await asyncio.wrap_future(child.submit(selected()))


async def seen(page: Page, count: int) -> None:
    async with asyncio.timeout(LIMIT_S):
        while len(page.seen) < count:
            await asyncio.sleep(0.01)
