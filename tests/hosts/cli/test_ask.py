"""`jupyter ac ask`, as a real process with the real litellm behind it."""

import asyncio
import functools
import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.start import begin_and_show
from jupyter_ac.hosts.cli.ask import attachments
from jupyter_ac.hosts.cli.command import WrongUsage
from tests.support.changing import changer_of
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.stdio_process import (
    COMMAND,
    KEY,
    command_environment,
    run_command,
    scripted_environment,
)

# Longer than elsewhere: each question loads litellm anew.
LIMIT_S = 90.0


@pytest.fixture
def garden(tmp_path: Path) -> RepositoryFolder:
    files: dict[str, str | bytes] = {"a.py": "print('a')\n", "docs/b.md": "# Beans\n"}
    return make_repository(tmp_path / "garden", files)


@pytest.fixture
def env(tmp_path: Path, model_server: RunningModelServer) -> dict[str, str]:
    return scripted_environment(tmp_path / "home", model_server.openai)


ask = functools.partial(run_command, "ask")


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


async def test_an_open_review_is_said_beside_the_answer_and_its_diff_is_sent(
    garden: RepositoryFolder, env: dict[str, str], model_server: RunningModelServer
) -> None:
    garden.git("checkout", "-q", "-b", "feature")
    garden.write("a.py", "print('A')\n")
    garden.commit("Shout")
    garden.git("checkout", "-q", "main")
    changer = changer_of(await discover(garden.root))
    await changer.change_files(lambda git: begin_and_show(git, "feature", ""))
    done = await asyncio.to_thread(ask, "Fine?", "-f", "a.py", env=env, cwd=garden.root)
    assert done.returncode == 0
    assert "jupyter-ac: A review of `feature` is open: edits aren't applied" in done.stderr
    (body,) = model_server.bodies()
    sent = json.dumps(body)
    assert "You review the changes of a branch" in sent
    assert "review://changes/a.py" in sent


def test_an_answer_does_not_command_the_terminal(
    garden: RepositoryFolder, env: dict[str, str]
) -> None:
    # In chunks of seven characters: most sequences are split between two of them.
    answer = "a\x1b]52;c;cm0gLXJmCg==\x07b\x1b]0;title\x1b\\c\x9b2Jd\u202ee\r\nf\tg\x7f\n"
    question = f"Say it.\n=====\n{answer}"
    done = ask("-", "--model", "openai/scripted-edits", env=env, cwd=garden.root, stdin=question)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "a]52;c;cm0gLXJmCg==b]0;title\\c2Jde\nf\tg\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["Hello", "-f", "nosuch.py"], "There is no file 'nosuch.py' in the repository 'garden'."),
        ([" "], "The question is empty; write one."),
        (["Hello", "--max-usd", "1"], "--max-usd is for an agent's run; add --agent."),
        (["Hello", "--allow", "ls"], "--allow is for an agent's run; add --agent."),
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


def test_without_a_key_the_provider_s_refusal_is_a_sentence(
    garden: RepositoryFolder, env: dict[str, str]
) -> None:
    del env["OPENAI_API_KEY"]
    done = ask("Hello", "--model", "openai/scripted-secret", env=env, cwd=garden.root)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Check OPENAI_API_KEY" in done.stderr
    assert "worker" not in done.stderr


def test_an_answer_that_was_cut_says_so_beside_the_text(
    garden: RepositoryFolder, env: dict[str, str]
) -> None:
    done = ask("Hello", "--model", "openai/scripted-length", env=env, cwd=garden.root)
    assert (done.returncode, done.stderr) == (
        0,
        "jupyter-ac: The answer was cut at the model's output limit.\n",
    )
    assert "You asked: **Hello**" in done.stdout
    assert "was cut" not in done.stdout


def test_no_repository_and_no_model_are_sentences(garden: RepositoryFolder, tmp_path: Path) -> None:
    env = command_environment(tmp_path / "other")
    (tmp_path / "bare").mkdir()
    nowhere = ask("Hello", env=env, cwd=tmp_path / "bare")
    assert (nowhere.returncode, nowhere.stdout) == (1, "")
    assert nowhere.stderr == "jupyter-ac: The folder 'bare' is in no git repository.\n"
    unanswered = ask("Hello", env=env, cwd=garden.root)
    assert (unanswered.returncode, unanswered.stdout) == (1, "")
    assert unanswered.stderr.startswith("jupyter-ac: ")


def test_that_no_listed_model_is_allowed_is_said_before_a_host_is_started(
    garden: RepositoryFolder, tmp_path: Path
) -> None:
    env = command_environment(tmp_path / "other", model=True, OPENAI_API_KEY=KEY)
    limits = {"JupyterAC": {"allowed_models": ["openai/no-such-*"]}}
    config = Path(env["JUPYTER_CONFIG_DIR"])
    (config / "jupyter_ac_config.json").write_text(json.dumps(limits))
    refused = ask("Hello", env=env, cwd=garden.root)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "openai/no-such-*" in refused.stderr
    assert not (garden.root / ".git/jupyter_ac").exists()


def test_a_limit_that_is_locked_is_said_before_a_host_is_started(
    garden: RepositoryFolder, env: dict[str, str]
) -> None:
    config = Path(env["JUPYTER_CONFIG_DIR"])
    limits = {"JupyterAC": {"locked_settings": ["app.agent.max_usd"]}}
    (config / "jupyter_ac_config.json").write_text(json.dumps(limits))
    refused = ask("Hello", "--agent", "--max-usd", "5", env=env, cwd=garden.root)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "locked app.agent.max_usd; leave out --max-usd" in refused.stderr
    assert not (garden.root / ".git/jupyter_ac").exists()


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

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_an_interrupt_keeps_what_was_written(
        self,
        number: signal.Signals,
        asking: "subprocess.Popen[str]",
        garden: RepositoryFolder,
        model_server: RunningModelServer,
    ) -> None:
        assert asking.stdout is not None
        first = os.read(asking.stdout.fileno(), 100).decode()
        asking.send_signal(number)
        rest, errors = asking.communicate(timeout=LIMIT_S)
        assert (asking.returncode, errors) == (130, "")
        model_server.wait_until(lambda rows: all(row["closed_early"] for row in rows))
        ((state, _, answer),) = history(garden)
        assert state == "cancelled"
        assert first
        assert (first + rest).rstrip("\n") == answer.rstrip("\n")

    def test_an_output_that_is_full_is_a_sentence_and_stops_it(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        with Path("/dev/full").open("w", encoding="utf-8") as full:
            done = subprocess.run(
                [*COMMAND, "ask", "Go on.", "--model", "openai/scripted-slow@0.5"],
                env=env | {"PYTHONUNBUFFERED": ""},  # what isn't written stays in Python's buffer
                cwd=garden.root,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                timeout=LIMIT_S,
                check=False,
            )
        assert (done.returncode, done.stderr) == (1, "jupyter-ac: No space left on device.\n")
        ((state, _, _),) = history(garden)
        assert state == "cancelled"

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


@pytest.fixture
def twins(tmp_path: Path) -> RepositoryFolder:
    files: dict[str, str | bytes] = {"a.py": "1\n", "docs/a.py": "2\n", "docs/b.md": "# B\n"}
    folder = make_repository(tmp_path / "garden", files)
    folder.write("image.png", b"\x89PNG\0\0")
    folder.write("new.txt", "untracked\n")
    return folder


async def taken(twins: RepositoryFolder, *files: str, within: str = "") -> list[str]:
    return await attachments(await discover(twins.root), files, twins.root / within)


async def test_a_file_is_looked_for_in_the_current_folder_first(
    twins: RepositoryFolder,
) -> None:
    assert await taken(twins, "a.py", "docs/b.md", "new.txt") == ["a.py", "docs/b.md", "new.txt"]
    assert await taken(twins, "a.py", "b.md", within="docs") == ["docs/a.py", "docs/b.md"]
    assert await taken(twins, "../a.py", within="docs") == ["a.py"]


async def test_then_in_the_repository(twins: RepositoryFolder) -> None:
    assert await taken(twins, "docs/b.md", within="docs") == ["docs/b.md"]


async def test_an_absolute_path_and_one_through_a_link_are_files_of_the_repository(
    twins: RepositoryFolder, tmp_path: Path
) -> None:
    (tmp_path / "way").symlink_to(twins.root)
    assert await taken(twins, str(twins.root / "a.py")) == ["a.py"]
    assert await taken(twins, str(tmp_path / "way/docs/b.md")) == ["docs/b.md"]


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("nosuch.py", "There is no file 'nosuch.py' in the repository 'garden'."),
        ("docs", "'docs' is a folder; name its files."),
        ("../outside.txt", "'../outside.txt' is no file of the repository 'garden'."),
        (".git/config", "'.git/config' is no file of the repository 'garden'."),
        ("image.png", "Not sent: image.png is a binary file."),
    ],
)
async def test_what_is_no_file_that_can_be_sent_is_named(
    file: str, says: str, twins: RepositoryFolder, tmp_path: Path
) -> None:
    (tmp_path / "outside.txt").write_text("not yours\n")
    with pytest.raises(WrongUsage) as caught:
        await taken(twins, "a.py", file)
    assert str(caught.value) == says
