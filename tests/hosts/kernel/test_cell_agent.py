"""`%%ac --agent` in a real kernel: it asks by `input()`, and serves what the run asks of it."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.chat.edited import edit
from tests.hosts.kernel.environment import kernel_with
from tests.support.agent_scripts import MODEL, address, call, script
from tests.support.kernels import WAIT_S, Kernel, Message, is_idle, printed, shown
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder

NOTEBOOK = json.dumps(
    {
        "cells": [],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "x", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)


@asynccontextmanager
async def agent_kernel(
    garden: RepositoryFolder, server: RunningModelServer, **variables: str
) -> AsyncIterator[Kernel]:
    model = {"JUPYTER_AC_MODEL": MODEL, "JUPYTER_AC_API_BASE": address(server.openai)}
    async with kernel_with(garden, server, python=None, **(model | variables)) as kernel:
        yield kernel


async def run(kernel: Kernel, code: str, *typed: str) -> tuple[list[Message], list[str]]:
    """Run a cell whose user types these lines when asked; what was published, the prompts."""
    prompts: list[str] = []

    async def type_next() -> None:
        for line in typed:
            async with asyncio.timeout(WAIT_S):
                message = await kernel.client.get_stdin_msg()
            prompts.append(message["content"]["prompt"])
            kernel.client.input(line)

    sent = kernel.client.execute(code, allow_stdin=bool(typed))
    typing = asyncio.create_task(type_next())
    published: list[Message] = []
    async with asyncio.timeout(WAIT_S):
        while not (published and is_idle(published[-1])):
            message = await kernel.client.get_iopub_msg()
            if message["parent_header"].get("msg_id") == sent:
                published.append(message)
    await typing
    return published, prompts


def last_text(published: list[Message]) -> str:
    found = [
        message["content"]["data"]["text/markdown"]
        for message in published
        if message["msg_type"] in {"display_data", "update_display_data"}
    ]
    text: str = found[-1]
    return text


async def test_a_run_asks_in_the_cell_and_shows_its_calls_in_the_answer(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    question = script(
        "Let me look.\n" + call("read_file", path="a.py"),
        edit("a.py", "print('apple')\n", "print('pear')\n")
        + "\n"
        + call("run_command", command="touch made.txt"),
        call("run_command", command="touch other.txt"),
        "All is done.\n",
    )
    async with agent_kernel(garden, model_server) as kernel:
        code = f"%%ac --agent -o text\n{question}"
        published, prompts = await run(kernel, code, "what?", "y", "n not that")
        kept = printed(await kernel.run("print(text)"))
    assert len(prompts) == 3
    assert all("[y]es once" in prompt and "[n]o?" in prompt for prompt in prompts)
    assert "    touch made.txt\n" in printed(published)
    assert (garden.root / "a.py").read_text() == "print('pear')\n"
    assert (garden.root / "made.txt").exists()
    assert not (garden.root / "other.txt").exists()
    text = last_text(published)
    assert "Let me look." in text
    places = [text.index(part) for part in ("Let me look", "read\\_file a.py: done", "All is done")]
    assert places == sorted(places)
    assert "touch other.txt: refused" in text
    assert "not that" in json.dumps(model_server.bodies()[-1])
    assert "All is done." in kept
    assert "read_file" not in kept


async def test_the_run_sees_this_kernel_s_variables_and_runs_cells_in_it(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    garden.write("notes.ipynb", NOTEBOOK)
    config = garden.root.parent / "config"
    config.mkdir()
    (config / "app.json").write_text('{"kernel": {"run_cells": true}}')
    question = script(
        call("list_variables"),
        call("run_cell", notebook="notes.ipynb", code="print(pears * 2)\npears += 1\npears")
        + call("run_cell", notebook="notes.ipynb", code="1 / 0"),
        call("run_cell", notebook="elsewhere.ipynb", code="pears = 0"),
        call("run_cell", notebook="notes.ipynb", code="while True: pass", timeout_s=1),
        "All is done.\n",
    )
    session = str(garden.root / "notes.ipynb")
    async with agent_kernel(garden, model_server, JPY_SESSION_NAME=session) as kernel:
        await kernel.run("pears = 21")
        published, prompts = await run(kernel, f"%%ac --agent\n{question}", "y", "y", "y")
        (after,) = shown(await kernel.run("pears"))
    sent = json.dumps(model_server.bodies()[-1])
    assert len(prompts) == 3
    assert after["text/plain"] == "22"
    assert "pears: int = 21" in sent
    assert "42\\\\n22" in sent or "42\\n22" in sent
    assert "ZeroDivisionError" in sent
    assert "timed_out" in sent
    assert not [message for message in published if message["msg_type"] == "error"]
    assert "42" not in printed(published)


async def test_without_input_what_asks_is_refused_and_what_reads_runs(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    question = script(
        call("read_file", path="a.py") + call("run_command", command="touch made.txt"), "Done.\n"
    )
    async with agent_kernel(garden, model_server) as kernel:
        published, _ = await run(kernel, f"%%ac --agent\n{question}")
    assert not (garden.root / "made.txt").exists()
    assert "read\\_file a.py: done" in last_text(published)
    assert "This kernel takes no input" in last_text(published)


async def test_a_plan_only_reads(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    question = script(
        edit("a.py", "print('apple')\n", "print('pear')\n")
        + "\n"
        + call("run_command", command="touch made.txt"),
        "My proposal.\n",
    )
    async with agent_kernel(garden, model_server) as kernel:
        published, _ = await run(kernel, f"%%ac --plan -f a.py\n{question}")
    assert (garden.root / "a.py").read_text() == "print('apple')\n"
    assert "this run only reads" in last_text(published)
    assert "My proposal." in last_text(published)


async def test_an_interrupt_stops_the_run_while_it_asks_and_while_a_cell_runs(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    garden.write("notes.ipynb", NOTEBOOK)
    config = garden.root.parent / "config"
    config.mkdir()
    (config / "app.json").write_text('{"kernel": {"run_cells": true}}')
    code = "print('begun', file=open('begun.txt', 'w'))\nimport time; time.sleep(3600)"
    question = script(call("run_cell", notebook="notes.ipynb", code=code), "Never said.\n")
    async with agent_kernel(garden, model_server) as kernel:
        (shown_pid,) = shown(await kernel.run("import os; os.getpid()"))
        pid = int(shown_pid["text/plain"])
        asked = kernel.client.execute(f"%%ac --agent\n{question}", allow_stdin=True)
        async with asyncio.timeout(WAIT_S):
            await kernel.client.get_stdin_msg()
        os.kill(pid, signal.SIGINT)
        first = await rest(kernel, asked)
        again = kernel.client.execute(f"%%ac --agent\n{question}", allow_stdin=True)
        async with asyncio.timeout(WAIT_S):
            await kernel.client.get_stdin_msg()
            kernel.client.input("y")
            while not (garden.root / "begun.txt").exists():
                await asyncio.sleep(0.02)
        os.kill(pid, signal.SIGINT)
        second = await rest(kernel, again)
        assert printed(await kernel.run("print('next')")) == "next\n"
    for published in (first, second):
        (error,) = [one for one in published if one["msg_type"] == "error"]
        assert error["content"]["ename"] in {"Interrupted", "KeyboardInterrupt"}
    assert len(model_server.bodies()) == 2


async def rest(kernel: Kernel, sent: str) -> list[Message]:
    published: list[Message] = []
    async with asyncio.timeout(WAIT_S):
        while not (published and is_idle(published[-1])):
            message = await kernel.client.get_iopub_msg()
            if message["parent_header"].get("msg_id") == sent:
                published.append(message)
    return published
