"""Items that go out with one question of the kernel, through the real host."""

import json

import pytest

from jupyter_ac.chat.context_items import MAX_CHARS
from jupyter_ac.chat.images import MAX_BYTES
from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.errors import InvalidParams
from jupyter_ac.hosts.kernel.child.added_items import add_items
from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.questions import QuestionResult, Questions, Watcher, aside
from tests.hosts.kernel.environment import LIMIT_S
from tests.support.model_process import RunningModelServer
from tests.support.pictures import png_of_size, uri

SECRET = "hunter2-of-the-cell"
CELL: ContextItemGiven = {
    "kind": "cell",
    "name": "In[3]",
    "text": f"connect('{SECRET}')",
    "source": "here",
    "cell": "In[3]",
}
LATER: ContextItemGiven = {"kind": "error", "name": "e", "text": f"password = '{SECRET}'"}


def ask(questions: Questions, question: str, *items: ContextItemGiven) -> QuestionResult:
    work = questions.ask(question, [], Watcher(), items)
    return questions.child.submit(work).result(LIMIT_S)


async def left(questions: Questions) -> object:
    """List what would go out with the next question."""
    return await (await questions._connected()).peer.call("LLMService.get_context_items")


def test_items_go_out_once_without_secrets_that_any_of_them_reveals(
    shared: HostChild, shared_server: RunningModelServer
) -> None:
    before = len(shared_server.bodies())
    questions = Questions(shared, aside("cells"))
    answer = ask(questions, "What is it?", CELL, LATER)
    ask(questions, "And now?")
    bodies = [json.dumps(body) for body in shared_server.bodies()[before:]]
    assert len(bodies) == 2
    assert all(SECRET not in body for body in bodies)
    assert "connect('[secret 1]')" in bodies[0]
    assert "password = '[secret 1]'" in bodies[0]
    assert "In[3]: 1 likely secret is masked before it is sent." in answer.notices
    restored = shared.submit(questions.restored(CELL, "f('[secret 1]', '[secret 2]')"))
    assert restored.result(LIMIT_S) == f"f('{SECRET}', '[secret 2]')"
    assert shared.submit(left(questions)).result(LIMIT_S) == []


def test_when_one_is_refused_nothing_is_asked_and_none_is_kept(
    shared: HostChild, shared_server: RunningModelServer
) -> None:
    before = len(shared_server.bodies())
    questions = Questions(shared, aside("cells"))
    long: ContextItemGiven = {**LATER, "name": "long", "text": "x" * (MAX_CHARS + 1)}
    with pytest.raises(InvalidParams, match=r"^long: text may have 100,000 characters"):
        ask(questions, "What is it?", CELL, long)
    assert shared.submit(left(questions)).result(LIMIT_S) == []
    assert len(shared_server.bodies()) == before


def test_items_of_a_question_that_fails_go_out_with_no_later_one(
    shared: HostChild, shared_server: RunningModelServer
) -> None:
    questions = Questions(shared, aside("cells"))
    shared_server.answer_as("scripted-401")
    try:
        assert ask(questions, "What is it?", CELL).error
    finally:
        shared_server.answer_as("")
    assert shared.submit(left(questions)).result(LIMIT_S) == []


def test_secrets_that_were_set_after_the_host_s_start_are_masked(
    shared: HostChild, shared_server: RunningModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = Questions(shared, aside("cells"))
    ask(questions, "What is it?")
    monkeypatch.setenv("LATE_TOKEN", "late-swordfish-77")
    monkeypatch.setenv("LATE_ADDRESS", "redis://:late-hunter-22@cache")
    shown: ContextItemGiven = {
        "kind": "output",
        "name": "o",
        "text": "it is late-swordfish-77 and late-hunter-22",
    }
    before = len(shared_server.bodies())
    ask(questions, "And this?", shown)
    (body,) = (json.dumps(body) for body in shared_server.bodies()[before:])
    assert "late-swordfish" not in body
    assert "late-hunter" not in body
    assert "LATE_" not in body
    assert "it is [secret " in body


def test_a_picture_of_the_largest_size_goes_out(
    shared: HostChild, shared_server: RunningModelServer
) -> None:
    before = len(shared_server.bodies())
    picture: ContextItemGiven = {
        "kind": "variable",
        "name": "plot",
        "text": "plot: Figure",
        "images": [uri(png_of_size(MAX_BYTES))],
    }
    assert not ask(Questions(shared, aside("cells")), "What is it?", picture).error
    (body,) = (json.dumps(body) for body in shared_server.bodies()[before:])
    assert "plot: Figure" in body
    assert picture["images"][0] in body


def test_no_items_cost_no_call(shared: HostChild) -> None:
    async def added(questions: Questions) -> list[str]:
        return await add_items((await questions._connected()).peer, [], {})

    questions = Questions(shared, aside("cells"))
    assert shared.submit(added(questions)).result(LIMIT_S) == []
