"""`jupyter ac ask --agent`, as a real process: at a terminal, without one, interrupted."""

import json
import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.agent.mcp_servers.probing import configure
from tests.chat.edited import edit
from tests.support.agent_scripts import MODEL, address, call, script
from tests.support.model_process import RunningModelServer
from tests.support.processes import wait_until_gone
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.stdio_process import COMMAND, run_command, scripted_environment

LIMIT_S = 90.0


@pytest.fixture
def garden(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "garden", {"plan.txt": "one\ntwo\n"})


@pytest.fixture
def env(tmp_path: Path, model_server: RunningModelServer) -> dict[str, str]:
    found = scripted_environment(tmp_path / "home", address(model_server.openai))
    return found | {"JUPYTER_AC_MODEL": MODEL}


class Terminal:
    """A terminal at which a command runs, seen from outside; its output is a pipe of its own."""

    def __init__(self, process: "subprocess.Popen[bytes]", fd: int) -> None:
        self.process, self._fd = process, fd
        self.seen = ""
        self._at = 0

    def until(self, text: str) -> None:
        """Read standard error until a text is there, behind what was waited for before."""
        before = self._at
        end = time.monotonic() + LIMIT_S
        while text not in self.seen[before:]:
            readable, _, _ = select.select([self._fd], [], [], end - time.monotonic())
            assert readable, self.seen
            self.seen += os.read(self._fd, 4096).decode(errors="replace")
        self._at = self.seen.index(text, before) + len(text)

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._fd, f"{line}\n".encode())

    def end(self) -> tuple[int, str]:
        """Wait for the end; return exit code and standard output."""
        output, _ = self.process.communicate(timeout=LIMIT_S)
        return self.process.returncode, output.decode()


@contextmanager
def terminal(*words: str, env: dict[str, str], folder: Path) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "ask", *words],
        env=env,
        cwd=folder,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
    )
    try:
        yield Terminal(process, ours)
    finally:
        process.kill()
        process.wait()
        os.close(theirs)
        os.close(ours)


def test_at_a_terminal_it_asks_and_prints_steps_beside_the_answer(
    garden: RepositoryFolder, env: dict[str, str], model_server: RunningModelServer
) -> None:
    question = script(
        call("read_file", path="plan.txt"),
        edit("plan.txt", "one\n", "ONE\n") + "\n" + call("run_command", command="touch made.txt"),
        call("run_command", command="touch other.txt"),
        call("ask_user", question="Which colour?"),
        "All is done.\n",
    )
    with terminal("--agent", question, env=env, folder=garden.root) as asked:
        asked.until("    touch made.txt")
        asked.until("[n]o? ")
        asked.type("yes")
        asked.until("[n]o? ")
        asked.type("n rather not")
        asked.until("    Which colour?")
        asked.until("Your answer: ")
        asked.type("green")
        asked.until("5 steps, ")
        code, output = asked.end()
    assert code == 0, asked.seen
    assert output.endswith("All is done.\n")
    assert "read_file" not in output
    assert "[y]es" not in output
    for line in (
        "jupyter-ac: read_file plan.txt: done, ",
        "jupyter-ac: run_command touch made.txt: done, ",
        "jupyter-ac: run_command touch other.txt: refused (",
        "jupyter-ac: ask_user Which colour?: done, ",
    ):
        assert line in asked.seen
    sent = json.dumps(model_server.bodies()[-1])
    assert "rather not" in sent
    assert "green" in sent
    assert (garden.root / "plan.txt").read_text() == "ONE\ntwo\n"
    assert (garden.root / "made.txt").exists()
    assert not (garden.root / "other.txt").exists()


def test_at_a_terminal_it_asks_about_each_edit_that_the_user_reviews(
    garden: RepositoryFolder, env: dict[str, str], model_server: RunningModelServer
) -> None:
    config = Path(env["JUPYTER_AC_CONFIG_DIR"])
    config.mkdir(parents=True, exist_ok=True)
    (config / "app.json").write_text(json.dumps({"edits": {"review": True}}))
    edits = edit("plan.txt", "one\n", "ONE\n") + edit("plan.txt", "two\n", "TWO\n")
    question = script(call("read_file", path="plan.txt"), f"I edit.\n{edits}", "All is done.\n")
    with terminal("--agent", question, env=env, folder=garden.root) as asked:
        asked.until("The agent wants to make this edit:")
        asked.until("    -one")
        asked.until("[n]o? ")
        asked.type("n keep one")
        asked.until("    +TWO")
        asked.until("[n]o? ")
        asked.type("y")
        asked.until("3 steps, ")
        code, output = asked.end()
    assert code == 0, asked.seen
    assert output.index("I edit.") < output.index("All is done.")
    assert (garden.root / "plan.txt").read_text() == "one\nTWO\n"
    sent = json.dumps(model_server.bodies()[-1])
    assert "rejected: The user has refused it. They say: keep one" in sent


def test_without_a_terminal_only_what_was_allowed_runs(
    garden: RepositoryFolder, env: dict[str, str], model_server: RunningModelServer
) -> None:
    question = script(
        call("run_command", command="touch 'made it.txt'")
        + call("run_command", command="touch other.txt"),
        "All is done.\n",
    )
    words = ["--agent", "--allow", 'touch "made it.txt"', question]
    done = run_command("ask", *words, env=env, cwd=garden.root)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "All is done."
    assert "run_command touch 'made it.txt': done" in done.stderr
    assert "run_command touch other.txt: refused" in done.stderr
    assert "has no terminal" in done.stderr
    assert (garden.root / "made it.txt").exists()
    assert not (garden.root / "other.txt").exists()
    assert not list((garden.root.parent / "home").rglob("agent_grants.json"))
    assert len(model_server.bodies()) == 2


def test_a_repositorys_mcp_server_is_started_after_a_yes_at_the_terminal_only(
    garden: RepositoryFolder, env: dict[str, str], model_server: RunningModelServer
) -> None:
    configure(garden.root / ".mcp.json", probe="act")
    question = script(call("mcp__probe__act", text="hello"), "All is done.\n")
    done = run_command("ask", "--agent", question, env=env, cwd=garden.root)
    assert done.returncode == 0, done.stderr
    assert "mcp_server probe:" in done.stderr
    assert "refused" in done.stderr
    assert "mcp__probe__act" not in json.dumps(model_server.bodies()[0]["tools"])
    with terminal("--agent", question, env=env, folder=garden.root) as shown:
        shown.until("probe_mcp_server.py act")
        shown.until("[p]refix")
        shown.type("p")
        shown.until('"text": "hello"')
        shown.until("[n]o? ")
        shown.type("y")
        code, output = shown.end()
    assert (code, output.strip()) == (0, "All is done.")
    assert "from an MCP server: material" in json.dumps(model_server.bodies()[-1])


def test_a_run_that_ends_at_its_limit_has_failed(
    garden: RepositoryFolder, env: dict[str, str], model_server: RunningModelServer
) -> None:
    question = script(*(call("read_file", path=f"{name}.txt") for name in "abcdef"))
    words = ["--agent", "--mode", "plan", "--max-steps", "2", question]
    done = run_command("ask", *words, env=env, cwd=garden.root)
    assert done.returncode == 1
    assert "The run has reached its limit" in done.stderr.splitlines()[-1]
    assert len(model_server.bodies()) == 2


def test_an_interrupt_ends_the_run_and_its_command(
    garden: RepositoryFolder, env: dict[str, str], model_server: RunningModelServer
) -> None:
    question = script(call("run_command", command="sleep 31415.9"), "Never said.\n")
    process = subprocess.Popen(
        [*COMMAND, "ask", "--agent", "--allow", "sleep 31415.9", question],
        env=env,
        cwd=garden.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    pids = sleeping()
    end = time.monotonic() + LIMIT_S
    while not pids:
        assert time.monotonic() < end
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
        pids = sleeping()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 130
    assert "Never said" not in output
    for pid in pids:
        wait_until_gone(pid)
    assert len(model_server.bodies()) == 1


def sleeping() -> list[int]:
    """The processes of the command of that test."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[:2] == [b"sleep", b"31415.9"]:
            found.append(int(folder.name))
    return found
