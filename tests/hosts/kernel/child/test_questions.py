"""A conversation of the kernel's with the real host and the scripted model."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, wait
from queue import SimpleQueue

import pytest

from jupyter_ac.errors import AcError, ConnectionClosed, NotFound
from jupyter_ac.hosts.kernel.child import questions as module
from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.questions import Pause, QuestionResult, Questions, Watcher, aside
from tests.chat.edited import edit
from tests.hosts.kernel.child.ends import FAKE
from tests.hosts.kernel.environment import LIMIT_S, until
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder


class Watch:
    """Notes what the watcher hears."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.doing: list[str] = []
        self.pauses: SimpleQueue[Pause] = SimpleQueue()

    @property
    def watcher(self) -> Watcher:
        return Watcher(self.texts.append, self.doing.append, self.pauses.put)


@pytest.fixture
def provider(shared_server: RunningModelServer) -> Iterator[RunningModelServer]:
    """The model of the shared host, which answers this test in a way of its own."""
    shared_server.forget()
    yield shared_server
    shared_server.forget()


def ask(
    questions: Questions, question: str, *files: str, watch: Watch | None = None
) -> QuestionResult:
    watcher = (watch or Watch()).watcher
    return questions.child.submit(questions.ask(question, files, watcher)).result(LIMIT_S)


def test_an_answer_grows_and_ends_with_the_whole_text(shared: HostChild) -> None:
    watch = Watch()
    answer = ask(Questions(shared, aside("cells")), "What is this?", watch=watch)
    assert answer.text.startswith("You asked: **What is this?**")
    assert (answer.is_stopped, answer.error) == (False, "")
    assert all(answer.text.startswith(text) for text in watch.texts)


def test_questions_are_one_conversation_and_files_go_with_one_question_only(
    shared: HostChild, shared_server: RunningModelServer
) -> None:
    questions = Questions(shared, aside("cells"))
    ask(questions, "The first?", "./a.py")
    ask(questions, "The second?")
    first, second = (str(body["messages"]) for body in shared_server.bodies()[-2:])
    assert "apple" in first
    assert "The first?" in second
    assert "You asked" in second
    assert shared.submit(selection(questions)).result(LIMIT_S) == []


async def selection(questions: Questions) -> object:
    connection = await questions._connected()
    return await connection.peer.call("LLMService.get_selected_files")


def test_two_conversations_know_nothing_of_each_other(
    shared: HostChild, shared_server: RunningModelServer
) -> None:
    ask(Questions(shared, aside("cells")), "The first?")
    ask(Questions(shared, aside("ask")), "The second?")
    assert "The first?" not in str(shared_server.bodies()[-1])


def test_a_file_that_is_not_there_is_named_and_nothing_is_asked(
    shared: HostChild, shared_server: RunningModelServer
) -> None:
    before = len(shared_server.requests())
    with pytest.raises(NotFound, match=r"no\.py"):
        ask(Questions(shared, aside("cells")), "What?", "a.py", "no.py")
    assert len(shared_server.requests()) == before


def test_asked_at_once_they_are_answered_one_after_another(
    shared: HostChild, shared_server: RunningModelServer
) -> None:
    questions = Questions(shared, aside("ask"))
    before = len(shared_server.requests())
    futures = [
        shared.submit(questions.ask(f"Number {number}?", (), Watcher())) for number in range(3)
    ]
    texts = [future.result(LIMIT_S).text for future in futures]
    assert [f"Number {number}?" in text for number, text in enumerate(texts)] == [True] * 3
    assert len(shared_server.requests()) == before + 3


def test_stopping_closes_the_provider_s_connection_and_frees_the_way(
    shared: HostChild, provider: RunningModelServer
) -> None:
    provider.answer_as("scripted-long@0.02")
    questions = Questions(shared, aside("cells"))
    first = shared.submit(questions.ask("Tell me all.", (), Watcher()))
    until(provider, lambda seen: bool(seen and seen[0]["chunks"]))
    questions.stop()
    answer = first.result(LIMIT_S)
    assert answer.is_stopped
    assert not answer.text or answer.text.startswith("word00000")
    until(provider, lambda seen: bool(seen[0]["closed_early"]))
    second = shared.submit(questions.ask("And now?", (), Watcher()))
    until(provider, lambda seen: len(seen) > 1 and bool(seen[1]["chunks"]))
    second.cancel()
    until(provider, lambda seen: bool(seen[1]["closed_early"]))
    third = shared.submit(questions.ask("And now?", (), Watcher()))
    until(provider, lambda seen: len(seen) > 2)
    third.cancel()
    wait({third}, LIMIT_S)


def test_a_stop_before_anything_was_asked_ends_it_too(garden: RepositoryFolder) -> None:
    silent = HostChild(garden.root, arguments=FAKE)
    try:
        questions = Questions(silent, aside("cells"))
        future = silent.submit(questions.ask("Is anybody there?", (), Watcher()))
        wait({future}, 0.2)
        questions.stop()
        wait({future}, LIMIT_S)
        assert future.cancelled()
    finally:
        silent.close(LIMIT_S)


def test_a_provider_s_error_comes_with_what_was_said(
    host: HostChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted-401")
    watch = Watch()
    answer = ask(Questions(host, aside("cells")), "May I?", watch=watch)
    assert any("workers" in doing for doing in watch.doing)
    assert "OPENAI_API_KEY" in answer.error
    assert answer.text == ""


def test_a_pause_is_told_with_its_reason_and_its_end(
    shared: HostChild, provider: RunningModelServer
) -> None:
    provider.answer_as("scripted-429")
    watch, questions = Watch(), Questions(shared, aside("cells"))
    asked = questions.child.submit(questions.ask("Busy?", (), watch.watcher))
    pause = watch.pauses.get(timeout=LIMIT_S)
    questions.stop()
    assert asked.result(LIMIT_S).is_stopped
    assert (pause.attempt, pause.attempts) == (1, 4)
    assert pause.reason.endswith("has had too many requests or tokens.")
    assert "in 7 s" in pause.words(pause.until_s - 7)


def test_a_pause_counts_down() -> None:
    pause = Pause("Busy.", 107.2, 2, 4)
    assert pause.words(100.0) == "Busy. Trying again in 8 s (2 of 4) …"
    assert pause.words(107.0) == "Busy. Trying again in 1 s (2 of 4) …"
    assert pause.words(108.0) == "Busy. Trying again (2 of 4) …"


def test_a_host_that_dies_is_said_and_the_next_question_has_another(
    host: HostChild, scripted_child: RunningModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted-long@0.02")
    questions = Questions(host, aside("cells"))
    future = host.submit(questions.ask("Tell me all.", (), Watcher()))
    until(scripted_child, lambda seen: bool(seen and seen[0]["chunks"]))
    assert host.pid is not None
    os.kill(host.pid, signal.SIGKILL)
    assert "ended by SIGKILL" in why_none(future)
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted")
    assert "Again?" in ask(questions, "Again?").text


def why_none(future: "Future[QuestionResult]") -> str:
    """The first words may have come or not."""
    try:
        return future.result(LIMIT_S).error
    except ConnectionClosed as closed:
        return str(closed)


def test_a_silent_host_is_asked_whether_it_is_there(
    host: HostChild, scripted_child: RunningModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted-hang")
    monkeypatch.setattr(module, "SILENCE_S", 0.2)
    monkeypatch.setattr(module, "_ALIVE_S", 2.0)
    questions = Questions(host, aside("cells"))
    future = host.submit(questions.ask("Well?", (), Watcher()))
    until(scripted_child, bool)
    # Silent but alive: it waits on.
    assert not wait({future}, 1.5).done
    assert host.pid is not None
    os.kill(host.pid, signal.SIGSTOP)
    try:
        with pytest.raises(AcError, match="not answered"):
            future.result(LIMIT_S)
    finally:
        os.kill(host.pid, signal.SIGCONT)


@pytest.fixture
def deaf(shared: HostChild, monkeypatch: pytest.MonkeyPatch) -> Questions:
    """A conversation that the end of an answer doesn't reach: it has to look for it."""
    monkeypatch.setattr(module, "SILENCE_S", 0.2)
    questions = Questions(shared, aside("cells"))
    del questions._methods["AcApp.streamComplete"]
    return questions


@pytest.mark.parametrize(
    ("scenario", "error", "notices"),
    [
        ("scripted", "", ()),
        ("scripted-length", "", ("The answer was cut at the model's output limit.",)),
        ("scripted-401", "OPENAI_API_KEY", ()),
    ],
)
def test_an_end_that_was_missed_is_the_same_end(
    deaf: Questions,
    provider: RunningModelServer,
    scenario: str,
    error: str,
    notices: tuple[str, ...],
) -> None:
    provider.answer_as(scenario)
    answer = ask(deaf, "Are you done?")
    assert (error in answer.error, answer.is_stopped) == (True, False)
    assert (bool(answer.error), answer.notices) == (bool(error), notices)
    assert ("Are you done?" in answer.text) == (not error)


def test_a_stop_whose_end_was_missed_is_a_stop(
    deaf: Questions, provider: RunningModelServer
) -> None:
    provider.answer_as("scripted-long@0.02")
    future = deaf.child.submit(deaf.ask("Tell me all.", (), Watcher()))
    until(provider, lambda seen: bool(seen and seen[0]["chunks"]))
    deaf.stop()
    assert future.result(LIMIT_S).is_stopped


def test_an_answer_that_was_cut_says_so(shared: HostChild, provider: RunningModelServer) -> None:
    provider.answer_as("scripted-length")
    answer = ask(Questions(shared, aside("cells")), "Tell me all.")
    assert (answer.error, answer.notices) == (
        "",
        ("The answer was cut at the model's output limit.",),
    )


def test_an_answer_to_a_cell_runs_nothing_and_has_no_other_file_sent(
    host: HostChild, garden: RepositoryFolder, scripted_child: RunningModelServer
) -> None:
    mark = garden.root.parent / "mark"
    script = f"#!/bin/sh\n# nothing yet\ntouch {mark}\n"
    garden.write("tools/run.sh", script).chmod(0o755)
    garden.write(".gitignore", ".env\n")
    garden.commit("tools")
    garden.write(".env", "one\nwordenv\n")
    garden.git("config", "core.hooksPath", ".githooks")
    hook = ".githooks/post-index-change"
    blocks = [
        edit("a.py", "print('apple')\n", "print('pear')\n"),
        f"tools/run.sh\n🟧🟧🟧 RENAME\n{hook}\n🟩🟩🟩 END\n",
        edit(hook, "# nothing yet\n", "# mine\n"),
        edit(".env", "onne\n", "two\n"),
    ]
    scripted_child.answer_as("scripted-edits")
    question = "\n=====\n".join(["Please edit.", "\n".join(blocks), "Nothing more."])
    answer = ask(Questions(host, aside("cells")), question, "a.py")
    assert answer.error == ""
    assert "apple" in (garden.root / "a.py").read_text()
    assert not (garden.root / hook).exists()
    assert not mark.exists()
    bodies = [str(body["messages"]) for body in scripted_child.bodies()]
    assert "apple" in bodies[0]
    assert not any("wordenv" in body for body in bodies)


def test_the_selection_of_the_panels_can_be_set(shared: HostChild) -> None:
    panels = Questions(shared, "")
    shared.submit(panels.select(["docs/b.md"])).result(LIMIT_S)
    assert shared.submit(selection(Questions(shared, ""))).result(LIMIT_S) == ["docs/b.md"]
    shared.submit(panels.aclose()).result(LIMIT_S)


def test_each_kernel_has_names_of_its_own() -> None:
    assert aside("cells") != aside("cells")
    assert aside("cells").startswith(f"cells-{os.getpid()}-")
