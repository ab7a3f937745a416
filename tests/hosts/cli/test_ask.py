"""`jupyter ac ask`, as a real process with the real litellm behind it."""

import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.stdio_process import COMMAND, command_environment

# Longer than elsewhere: each question loads litellm anew.
LIMIT_S = 90.0


@pytest.fixture
def garden(tmp_path: Path) -> RepositoryFolder:
    files: dict[str, str | bytes] = {"a.py": "print('a')\n", "docs/b.md": "# Beans\n"}
    return make_repository(tmp_path / "garden", files)


@pytest.fixture
def env(tmp_path: Path, model_server: RunningModelServer) -> dict[str, str]:
    return command_environment(
        tmp_path / "home",
        model=True,
        JUPYTER_AC_MODEL="openai/scripted",
        JUPYTER_AC_API_BASE=model_server.openai,
        OPENAI_API_KEY="sk-scripted-0123456789",
    )


def ask(
    *arguments: str, env: dict[str, str], cwd: Path, stdin: str = ""
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, "ask", *arguments],
        env=env,
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def history(garden: RepositoryFolder) -> list[tuple[str, str, str]]:
    """State of the turn, the seat beside the person's own, and the answer of each question."""
    with closing(sqlite3.connect(garden.root / ".git/jupyter_ac/history.sqlite")) as database:
        return database.execute(
            "SELECT state, aside, coalesce(content, '') FROM turns "
            "JOIN sessions USING (session_id) "
            "LEFT JOIN messages ON messages.turn_id = turns.turn_id AND role = 'assistant'"
        ).fetchall()


def test_the_answer_goes_to_standard_output_and_nothing_else_does(
    garden: RepositoryFolder, env: dict[str, str], model_server: RunningModelServer
) -> None:
    words = ["-", "-f", "../a.py", "-f", "b.md", "--model", "openai/scripted-markdown"]
    done = ask(*words, env=env, cwd=garden.root / "docs", stdin="What is here?\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "turns a list of readings" in done.stdout
    (body,) = model_server.bodies()
    assert body["model"] == "scripted-markdown"
    sent = json.dumps(body)
    assert all(part in sent for part in ("What is here?", "print('a')", "# Beans"))
    ((state, aside, answer),) = history(garden)
    assert (state, answer.rstrip("\n")) == ("done", done.stdout.rstrip("\n"))
    assert aside.startswith("ask-")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["Hello", "-f", "nosuch.py"], "There is no file 'nosuch.py' in the repository 'garden'."),
        ([" "], "The question is empty; write one."),
    ],
)
def test_what_cannot_be_asked_is_wrong_usage_and_nothing_is_sent(
    arguments: Sequence[str],
    says: str,
    garden: RepositoryFolder,
    env: dict[str, str],
    model_server: RunningModelServer,
) -> None:
    done = ask(*arguments, env=env, cwd=garden.root)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"jupyter-ac: {says}\n")
    assert model_server.requests() == []


def test_a_refusal_of_the_provider_is_a_sentence_without_the_key(
    garden: RepositoryFolder, env: dict[str, str]
) -> None:
    done = ask("Hello", "--model", "openai/scripted-secret", env=env, cwd=garden.root)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("jupyter-ac: ")
    assert "sk-scripted" not in done.stderr


def test_no_repository_and_no_model_are_sentences(garden: RepositoryFolder, tmp_path: Path) -> None:
    env = command_environment(tmp_path / "other")
    (tmp_path / "bare").mkdir()
    nowhere = ask("Hello", env=env, cwd=tmp_path / "bare")
    assert (nowhere.returncode, nowhere.stdout) == (1, "")
    assert nowhere.stderr == "jupyter-ac: The folder 'bare' lies in no git repository.\n"
    unanswered = ask("Hello", env=env, cwd=garden.root)
    assert (unanswered.returncode, unanswered.stdout) == (1, "")
    assert unanswered.stderr.startswith("jupyter-ac: ")


class TestWhileItStreams:
    """With a model that takes its time."""

    @pytest.fixture
    def asking(self, garden: RepositoryFolder, env: dict[str, str]) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*COMMAND, "ask", "Go on.", "--model", "openai/scripted-slow@0.5"],
            env=env,
            cwd=garden.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_an_interrupt_keeps_what_was_written(
        self,
        asking: "subprocess.Popen[str]",
        garden: RepositoryFolder,
        model_server: RunningModelServer,
    ) -> None:
        assert asking.stdout is not None
        first = os.read(asking.stdout.fileno(), 100).decode()
        asking.send_signal(signal.SIGINT)
        rest, errors = asking.communicate(timeout=LIMIT_S)
        assert (asking.returncode, errors) == (130, "")
        model_server.wait_until(lambda rows: all(row["closed_early"] for row in rows))
        ((state, _, answer),) = history(garden)
        assert state == "cancelled"
        assert first
        assert (first + rest).rstrip("\n") == answer.rstrip("\n")

    def test_a_reader_that_has_enough_ends_it_quietly(
        self,
        asking: "subprocess.Popen[str]",
        garden: RepositoryFolder,
        model_server: RunningModelServer,
    ) -> None:
        assert asking.stdout is not None
        assert os.read(asking.stdout.fileno(), 100)
        asking.stdout.close()
        _, errors = asking.communicate(timeout=LIMIT_S)
        assert (asking.returncode, errors) == (1, "")
        model_server.wait_until(lambda rows: all(row["closed_early"] for row in rows))
        ((state, _, _),) = history(garden)
        assert state == "cancelled"
