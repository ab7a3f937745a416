"""`jupyter ac stdio`, as a real process seen through its pipes."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from jupyter_ac.errors import AccessDenied, AcError, ConnectionClosed, NotFound, NotReady
from jupyter_ac.hosts.sockets.codes import LOGGED
from jupyter_ac.hosts.stdio.host import closing
from jupyter_ac.transports.lines import LineTransport, LineWriter
from jupyter_ac.transports.streams import open_streams
from tests.support.model_process import RunningModelServer
from tests.support.processes import wait_until_gone
from tests.support.repositories import RepositoryFolder
from tests.support.stdio_process import COMMAND, LIMIT_S, Json, Stdio, command_environment, stdio


def call(method: str, params: object, call_id: int = 1) -> Json:
    return {"jsonrpc": "2.0", "id": call_id, "method": method, "params": params}


def run(
    *arguments: str, env: dict[str, str], stdin: str | Path, stdout: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run it to its end, with an input that ends by itself."""
    with contextlib.ExitStack() as files:
        source = files.enter_context(stdin.open()) if isinstance(stdin, Path) else None
        return subprocess.run(
            [*COMMAND, "stdio", *arguments],
            env=env,
            stdin=source,
            input=None if isinstance(stdin, Path) else stdin,
            stdout=subprocess.PIPE if stdout is None else files.enter_context(stdout.open("w")),
            stderr=subprocess.PIPE,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True, timeout=LIMIT_S
    )
    pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    found = [pid]
    for parent in found:
        found += [child for child, its_parent in pairs if its_parent == parent]
    return found[1:]


class TestOneConnection:
    """Without `--links` the pipes are a single connection."""

    async def test_json_rpc_with_named_and_with_positional_arguments(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        async with stdio("--repo", str(garden.root), env=env) as host:
            host.send(call("Repo.get_file_content", {"path": "a.py"}))
            host.send(call("Repo.get_file_content", ["a.py"], 2))
            answers = {1: await host.answer(1)}
            answers[2] = await host.answer(2)
            assert answers[1]["result"] == answers[2]["result"] == "print(1)\n"
            assert await host.end() == 0
            assert await host.log() == ""

    async def test_unknown_arguments_are_an_error_and_garbage_is_one_too(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        async with stdio("--repo", str(garden.root), env=env) as host:
            host.send(call("Repo.get_file_content", {"file": "a.py"}))
            refused = (await host.answer(1))["error"]
            assert isinstance(refused, dict)
            assert refused["code"] == -32602
            host.write(b"this is no JSON\n")
            garbage = (await host.answer(None))["error"]
            assert isinstance(garbage, dict)
            assert garbage["code"] == -32700
            host.send(call("Repo.get_current_branch", [], 2))
            assert "result" in await host.answer(2)

    async def test_each_call_is_answered_in_the_form_of_its_name(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        async with stdio("--repo", str(garden.root), env=env) as host:
            codes = {}
            for name in ("browser.nope", "execute_task", "Repo.nope"):
                host.send({**call(name, {}), "id": name})
                refused = (await host.answer(name))["error"]
                assert isinstance(refused, dict)
                codes[name] = refused["code"]
            assert codes == {
                "browser.nope": "METHOD_NOT_FOUND",
                "execute_task": -32602,
                "Repo.nope": -32601,
            }

    async def test_the_current_folder_is_the_repository_when_none_is_named(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        async with stdio(env=env, cwd=garden.root / "docs") as host:
            host.send(call("LLMService.get_current_state", []))
            state = (await host.answer(1))["result"]
            assert isinstance(state, dict)
            assert state["repo_name"] == "garden"

    async def test_jrpc_oo_shakes_hands_and_takes_events_as_calls(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        async with stdio("--jrpc-oo", "--repo", str(garden.root), env=env) as host:
            first = await host.value()
            assert isinstance(first, dict)
            assert first["method"] == "system.listComponents"
            assert first["params"]["LLMService.chat_streaming"] is True
            host.send(call("system.listComponents", {"AcApp.filesChanged": True}))
            listed = (await host.answer(1))["result"]
            assert isinstance(listed, dict)
            assert "Repo.get_file_tree" in listed
            arguments: Json = {"args": [["a.py"]]}
            host.send(call("LLMService.set_selected_files", arguments, 2))
            assert (await host.answer(2))["result"] == ["a.py"]

    def test_what_is_piped_in_is_answered_before_the_end(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        # No line end at the last line: `printf` and `echo -n` write none.
        asked = "\n".join(json.dumps(call("Repo.get_file_tree", [], number)) for number in range(5))
        done = run("--repo", str(garden.root), env=env, stdin=asked)
        values = [json.loads(line) for line in done.stdout.splitlines()]
        assert (done.returncode, done.stderr) == (0, "")
        assert sorted(value["id"] for value in values if "result" in value) == [0, 1, 2, 3, 4]

    def test_who_reads_late_gets_all_answers(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        garden.write("long.txt", "y" * 40_000)
        calls = "".join(
            json.dumps(call("Repo.get_file_content", ["long.txt"], number)) + "\n"
            for number in range(3_000)
        )
        asking = subprocess.Popen(
            [*COMMAND, "stdio", "--repo", str(garden.root)],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert asking.stdin is not None
        # All is written before the first answer is read: they are more than any queue takes.
        asking.stdin.write(calls.encode())
        asking.stdin.close()
        asking.stdin = None
        answers, errors = asking.communicate(timeout=2 * LIMIT_S)
        ids = [json.loads(line)["id"] for line in answers.splitlines() if b'"result"' in line]
        assert sorted(ids) == list(range(3_000))
        assert (asking.returncode, errors) == (0, b"")

    def test_files_serve_as_pipes(
        self, garden: RepositoryFolder, env: dict[str, str], tmp_path: Path
    ) -> None:
        (tmp_path / "in").write_text(json.dumps(call("Repo.get_current_branch", [])) + "\n")
        place = str(garden.root)
        done = run("--repo", place, env=env, stdin=tmp_path / "in", stdout=tmp_path / "out")
        values = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
        assert (done.returncode, done.stderr) == (0, "")
        assert [value["id"] for value in values if "result" in value] == [1]

    def test_a_line_over_the_limit_ends_it_with_a_sentence(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        limits = {"JupyterAC": {"denied_models": ["*"], "max_message_mb": 1}}
        config = Path(env["JUPYTER_CONFIG_DIR"]) / "jupyter_ac_config.json"
        config.write_text(json.dumps(limits))
        done = run("--repo", str(garden.root), env=env, stdin='"' + "x" * (2 << 20) + '"\n')
        assert done.returncode == 1
        assert done.stderr == "jupyter-ac: A message may have at most 1 MiB.\n"

    def test_an_output_that_is_full_is_a_sentence(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        asked = json.dumps(call("Repo.get_current_branch", []))
        done = run("--repo", str(garden.root), env=env, stdin=asked, stdout=Path("/dev/full"))
        assert (done.returncode, done.stderr) == (1, "jupyter-ac: No space left on device.\n")

    def test_no_repository_is_a_sentence(self, tmp_path: Path, env: dict[str, str]) -> None:
        (tmp_path / "bare").mkdir()
        done = run("--repo", str(tmp_path / "bare"), env=env, stdin="")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "jupyter-ac: The folder 'bare' is in no git repository.\n"

    @pytest.mark.parametrize("closed", ["<&-", ">&-"])
    def test_a_stream_that_is_not_open_is_a_sentence(
        self, closed: str, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        line = f'"$@" stdio --repo "{garden.root}" {closed}'
        done = subprocess.run(
            ["sh", "-c", line, "sh", *COMMAND],
            env=env,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr == "jupyter-ac: Standard input, output and error must all be open.\n"

    def test_broken_settings_of_the_administrator_are_a_sentence(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        (Path(env["JUPYTER_CONFIG_DIR"]) / "jupyter_ac_config.json").write_text("{")
        done = run("--repo", str(garden.root), env=env, stdin="")
        assert done.returncode == 1
        assert done.stderr.startswith("jupyter-ac: jupyter_ac_config.json, line 1")

    @pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
    async def test_a_signal_ends_it(
        self, number: signal.Signals, code: int, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        async with stdio("--repo", str(garden.root), env=env) as host:
            host.send(call("Repo.get_current_branch", []))
            await host.answer(1)
            host.process.send_signal(number)
            assert await host.ended() == code
            assert await host.log() == ""

    async def test_an_output_that_nobody_reads_any_more_ends_it_quietly(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        read_fd, write_fd = os.pipe()
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            *("stdio", "--repo", str(garden.root)),
            stdin=asyncio.subprocess.PIPE,
            stdout=write_fd,
            stderr=asyncio.subprocess.PIPE,
            env=env,
        )
        os.close(write_fd)
        await asyncio.to_thread(os.read, read_fd, 1)
        os.close(read_fd)
        async with asyncio.timeout(LIMIT_S):
            # Standard input stays open: it must not be waited for.
            assert process.stderr is not None
            assert await process.stderr.read() == b""
            assert await process.wait() == 0
        assert process.stdin is not None
        process.stdin.close()


def opening(host: Stdio, link: str, client: str = "", aside: str = "") -> None:
    host.send([link, None, {"open": {"client": client, "aside": aside}}])


def ask(host: Stdio, link: str, method: str, *args: object, call_id: int = 1) -> None:
    host.send([link, call(method, {"args": list(args)}, call_id)])


async def answered(host: Stdio, link: str, call_id: int = 1) -> object:
    frame = await host.frame(
        link, lambda value: "method" not in value and value.get("id") == call_id
    )
    assert "error" not in frame
    return frame["result"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NotFound("There is none."), 4404),
        (AccessDenied("No."), 4403),
        (NotReady("Later."), 1012),
        (AcError("Broken."), 1011),
        (ZeroDivisionError("a slip"), 1011),
    ],
)
async def test_what_keeps_a_link_from_being_served_closes_it(error: Exception, code: int) -> None:
    async def refuse() -> None:
        raise error

    (read_fd, write_fd), (back_fd, unused_fd) = os.pipe(), os.pipe()
    streams = await open_streams(back_fd, write_fd)
    writer = LineWriter(streams.writer)
    link = LineTransport(writer, link="a")
    await closing(link, refuse())
    with pytest.raises(ConnectionClosed) as caught:
        await link.receive()
    reason = str(error) if isinstance(error, AcError) else LOGGED
    assert (caught.value.close_code, str(caught.value)) == (code, reason)
    await writer.aclose()
    streams.close_input()
    written = ["a", None, {"close": {"code": code, "reason": reason}}]
    assert json.loads(os.read(read_fd, 1000)) == written
    os.close(read_fd)
    os.close(unused_fd)


class TestLinks:
    """With `--links` many connections share the pipes."""

    async def test_two_at_once_each_with_its_own_answers(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        async with stdio("--links", "--repo", str(garden.root), env=env) as host:
            opening(host, "one")
            opening(host, "two")
            for number in range(1, 21):
                ask(host, "one", "Repo.get_file_content", "a.py", call_id=number)
                ask(host, "two", "Repo.get_file_content", "docs/b.md", call_id=number)
            while sum("result" in frame for frame in frames(host, "one", "two")) < 40:
                await host.value()
            for link, content in (("one", "print(1)\n"), ("two", "# B\n")):
                answers = {f["id"]: f["result"] for f in frames(host, link) if "result" in f}
                assert {answers[number] for number in range(1, 21)} == {content}

    async def test_one_closes_and_the_other_goes_on(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        async with stdio("--links", "--repo", str(garden.root), env=env) as host:
            opening(host, "one")
            opening(host, "two")
            host.send(["one", None, {"close": {"code": 1000, "reason": "bye"}}])
            ask(host, "one", "Repo.get_current_branch")
            ask(host, "two", "Repo.get_current_branch")
            await answered(host, "two")
            opening(host, "one")
            ask(host, "one", "Repo.get_current_branch", call_id=2)
            await answered(host, "one", 2)
            # What was under way when it closed is no fault.
            assert not [value for value in host.seen if isinstance(value, list) and len(value) == 3]

    async def test_seats_beside_each_other_have_selections_of_their_own(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        async with stdio("--links", "--repo", str(garden.root), env=env) as host:
            for link, aside in (("panel", ""), ("other", ""), ("cell", "cells")):
                opening(host, link, link, aside)
            ask(host, "panel", "LLMService.set_selected_files", ["a.py"])
            await answered(host, "panel")
            ask(host, "other", "LLMService.get_selected_files")
            assert await answered(host, "other") == ["a.py"]
            ask(host, "cell", "LLMService.get_selected_files")
            assert await answered(host, "cell") == []

    async def test_lines_that_break_the_rules_hurt_nobody_else(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        limits = {"JupyterAC": {"denied_models": ["*"], "max_message_mb": 1}}
        config = Path(env["JUPYTER_CONFIG_DIR"]) / "jupyter_ac_config.json"
        config.write_text(json.dumps(limits))
        async with stdio("--links", "--repo", str(garden.root), env=env) as host:
            opening(host, "good")
            opening(host, "long")
            host.write(b"neither a link nor JSON\n")
            ask(host, "stranger", "Repo.get_current_branch")
            assert await host.closed("stranger") == (1002, "the link is not open")
            host.send(["good", "neither call nor answer"])
            ask(host, "long", "Repo.file_exists", "x" * (2 << 20))
            assert await host.closed("long") == (1009, "a message may have at most 1 MiB")
            opening(host, "twice")
            opening(host, "twice")
            assert (await host.closed("twice"))[0] == 1002
            ask(host, "good", "Repo.get_current_branch")
            await answered(host, "good")
            assert await host.end() == 0
            assert "a line was ignored" in await host.log()

    async def test_a_folder_that_becomes_a_repository_later(
        self, tmp_path: Path, env: dict[str, str]
    ) -> None:
        (tmp_path / "bare").mkdir()
        async with stdio("--links", "--repo", str(tmp_path / "bare"), env=env) as host:
            opening(host, "one")
            assert await host.closed("one") == (
                4404,
                "The folder 'bare' is in no git repository.",
            )
            assert not list((tmp_path / "bare").iterdir())
            subprocess.run(["git", "init", "-q", str(tmp_path / "bare")], check=True)
            opening(host, "one")
            ask(host, "one", "Repo.get_current_branch")
            await answered(host, "one")

    async def test_an_interrupt_is_not_meant_for_it(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        async with stdio("--links", "--repo", str(garden.root), env=env) as host:
            opening(host, "one")
            ask(host, "one", "Repo.get_current_branch")
            await answered(host, "one")
            host.process.send_signal(signal.SIGINT)
            ask(host, "one", "Repo.get_current_branch", call_id=2)
            await answered(host, "one", 2)
            assert await host.end() == 0


class TestTheEnd:
    """With a real models worker and a model that is in the middle of its answer."""

    @pytest.fixture
    def env(self, tmp_path: Path, model_server: RunningModelServer) -> dict[str, str]:
        return command_environment(
            tmp_path / "home",
            model=True,
            JUPYTER_AC_MODEL="openai/scripted-slow",
            JUPYTER_AC_API_BASE=model_server.openai,
            OPENAI_API_KEY="sk-scripted-0123456789",
        )

    async def test_at_the_end_of_the_input_a_stream_comes_to_its_end(
        self, garden: RepositoryFolder, env: dict[str, str]
    ) -> None:
        async with stdio("--repo", str(garden.root), env=env) as host:
            host.send(call("LLMService.chat_streaming", ["1700000000000-abcdef", "Tell me."]))
            assert await host.end() == 0
            assert await host.log() == ""
            assert (await host.answer(1))["result"] == {"status": "started"}
            last = host.seen[-1]
            assert isinstance(last, dict)
            assert last["method"] == "AcApp.streamComplete"
            request_id, result = last["params"]
            assert request_id == "1700000000000-abcdef"
            assert (result["finish_reason"], result["response"][:15]) == ("stop", "You asked: **Te")

    @pytest.mark.parametrize("how", ["terminate", "kill"])
    async def test_no_process_and_no_request_outlives_it(
        self,
        how: str,
        garden: RepositoryFolder,
        env: dict[str, str],
        model_server: RunningModelServer,
    ) -> None:
        endless = env | {"JUPYTER_AC_MODEL": "openai/scripted-long@0.05"}
        async with stdio("--repo", str(garden.root), env=endless) as host:
            host.send(call("LLMService.chat_streaming", ["1700000000000-abcdef", "Tell me."]))
            await host.until(
                lambda value: isinstance(value, dict) and value.get("method") == "AcApp.streamChunk"
            )
            children = await asyncio.to_thread(children_of, host.process.pid)
            assert children
            if how == "kill":
                host.process.kill()
                await host.ended()
            else:
                host.process.terminate()
                assert await host.ended() == 0
                assert await host.log() == ""
            for child in children:
                await asyncio.to_thread(wait_until_gone, child)
            await asyncio.to_thread(
                model_server.wait_until, lambda rows: all(row["closed_early"] for row in rows)
            )


def frames(host: Stdio, *links: str) -> list[Json]:
    """The frames of these links among all that came."""
    return [
        value[1]
        for value in host.seen
        if isinstance(value, list) and len(value) == 2 and value[0] in links
    ]
