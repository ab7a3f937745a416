"""`%%ac` in a real kernel and in a plain terminal, answered by the real host."""

import asyncio
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.cell_questions import Interrupted, LatestProgress
from jupyter_ac.hosts.kernel.child.questions import Pause
from tests.hosts.kernel.environment import kernel_with, until
from tests.support.kernels import Kernel, Message, is_idle, printed, shown
from tests.support.model_process import RunningModelServer
from tests.support.processes import is_running, wait_until_gone
from tests.support.repositories import RepositoryFolder

SLOW = "scripted-long@0.05"


def updates(published: list[Message]) -> list[Message]:
    return [
        message["content"]["data"]
        for message in published
        if message["msg_type"] == "update_display_data"
    ]


def tracebacks(published: list[Message]) -> list[list[str]]:
    return [
        message["content"]["traceback"] for message in published if message["msg_type"] == "error"
    ]


async def test_the_answer_streams_as_markdown_and_its_text_is_kept(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server, "scripted@0.03") as kernel:
        published = await kernel.run("%%ac -f a.py -o text\nWhat {is} *this*?\n$HOME")
        (kept,) = shown(await kernel.run("text"))
        later = await kernel.run("%%ac\nAnd that?")
    (first,) = shown(published)
    growth = [first, *updates(published)]
    assert len(growth) > 2
    assert all(set(data) == {"text/markdown", "text/plain"} for data in growth)
    assert growth[-1]["text/plain"] == eval(kept["text/plain"])
    assert growth[-1]["text/markdown"].startswith("You asked: **What {is} *this*? $HOME**")
    assert "text/html" not in json.dumps(published, default=str)
    first_body, later_body = (json.dumps(body) for body in model_server.bodies())
    assert "What {is} *this*?\\n$HOME" in first_body
    assert "apple" in first_body
    assert "What {is} *this*?" in later_body
    assert shown(later)


async def test_an_interrupt_stops_the_answer_at_the_provider_in_one_line(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server, SLOW) as kernel:
        pid = await process_id(kernel)
        kernel.client.execute("%%ac -o text\nTell me everything.")
        await kernel.until(lambda message: "word00003" in json.dumps(message["content"]))
        os.kill(pid, signal.SIGINT)
        published = await rest_of_cell(kernel)
        await asyncio.to_thread(until, model_server, lambda seen: bool(seen[0]["closed_early"]))
        kept = printed(await kernel.run("print(text)"))
        await kernel.run("import jupyter_ac; panel = jupyter_ac.Panel()")
        kernel.client.execute("await panel.ask('And the rest?')")
        await asyncio.to_thread(until, model_server, lambda seen: bool(seen[1:] and chunks(seen)))
        os.kill(pid, signal.SIGINT)
        awaited = await rest_of_cell(kernel)
        await asyncio.to_thread(until, model_server, lambda seen: bool(seen[1]["closed_early"]))
        assert printed(await kernel.run("print('next')")) == "next\n"
    last = updates(published)[-1]
    assert "word00003" in last["text/plain"]
    assert last["text/markdown"].endswith("*Stopped: this is what had come.*")
    assert kept.rstrip() in last["text/plain"]
    assert tracebacks(published) == [["KeyboardInterrupt: the answer was stopped"]]
    assert tracebacks(awaited) == [["CancelledError: the answer was stopped"]]


async def test_an_answer_that_was_cut_says_so_below_the_text(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server, "scripted-length") as kernel:
        published = await kernel.run("%%ac -o text\nTell me everything.")
        kept = printed(await kernel.run("print(text)"))
    last = updates(published)[-1]
    assert last["text/markdown"].endswith("\n\n*The answer was cut at the model's output limit.*")
    assert "You asked" in kept
    assert "was cut" not in kept


async def test_what_is_wrong_is_one_line(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server, "scripted-401") as kernel:
        failed = await kernel.run("%%ac\nMay I?")
        missing = await kernel.run("%%ac -f missing.py\nMay I?")
        empty = await kernel.run("%%ac\n  \n")
        await kernel.run("import os; os.mkdir('../nowhere'); os.chdir('../nowhere')")
        nowhere = await kernel.run("%%ac\nMay I?")
    for published, words in (
        (failed, "OPENAI_API_KEY"),
        (missing, "missing.py"),
        (empty, "the cell is empty"),
        (nowhere, "no git repository. Run `!git init` in it"),
    ):
        (line,) = [text for text in printed(published).splitlines() if text.strip()]
        assert line.startswith("UsageError: %%ac: ")
        assert words in line
        assert tracebacks(published) == []


async def payload_of(kernel: Kernel, code: str) -> list[dict[str, object]]:
    """Run a cell; what it asks the front end to do."""
    reply = await kernel.client.execute_interactive(
        code, output_hook=lambda _message: None, timeout=90
    )
    payload: list[dict[str, object]] = reply["content"].get("payload", [])
    return payload


async def test_the_code_of_an_answer_becomes_a_new_cell_that_does_not_run(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server) as kernel:
        (payload,) = await payload_of(kernel, "%%ac --cell -o text\nWrite hello.")
        ran = printed(await kernel.run("print('hello' in dir(), 'text' in dir())"))
    assert payload["source"] == "set_next_input"
    assert payload["replace"] is False
    assert str(payload["text"]).startswith("def hello(name: str) -> str:\n")
    assert ran == "False True\n"


async def test_what_a_question_mentions_goes_out_with_it(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server) as kernel:
        await kernel.run("rates = [0.25, 0.5]\ntoken = 'swordfish-77'")
        await kernel.run("rates[0] * 10")
        await kernel.run("def share(n):\n    return n / 0\nshare(31)")
        question = "Explain @var:rates @cell:3 @output:3 @error @file:a.py @var:token to me@home"
        asked = await kernel.run(f"%%ac\n{question}")
        await kernel.run("%%ac\nAnd now?")
        missing = printed(await kernel.run("%%ac\n@var:rate is what?"))
        file = printed(await kernel.run("%%ac\n@file:aa.py is what?"))
        still = printed(await kernel.run("%%ac\n@error is still there?"))
    assert printed(asked) == ""
    assert still == ""
    first, second, _ = (json.dumps(body) for body in model_server.bodies())
    for sent in (question, "[0.25, 0.5]", "rates[0] * 10", "2.5", "n = 31", "print('apple')"):
        assert sent in first
    assert "swordfish" not in first + second
    assert "likely secret is masked before it is sent." in str(updates(asked)[-1])
    assert second.count("rates[0] * 10") == first.count("rates[0] * 10")
    assert "%%ac: @var:rate: there is no variable 'rate' in the kernel; did you mean rates." in (
        missing
    )
    assert "%%ac: there is no file 'aa.py'" in file


async def test_an_answer_without_code_makes_no_cell(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server, "scripted-some") as kernel:
        payload = await payload_of(kernel, "%%ac --cell\nWrite hello.")
        refused = printed(await kernel.run("%%ac --cell\nWrite hello."))
    assert payload == []
    assert refused == "UsageError: %%ac: the answer has no Python code for a cell.\n"


async def test_what_the_administrator_denies_no_magic_asks(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    config = garden.root.parent / "jupyter"
    config.mkdir()
    limits = {"JupyterAC": {"denied_models": ["openai/scripted-markdown"]}}
    (config / "jupyter_ac_config.json").write_text(json.dumps(limits))
    async with kernel_with(garden, model_server, JUPYTER_CONFIG_DIR=str(config)) as kernel:
        line = "%%ac --cell --model openai/scripted-markdown\nWell?"
        payload = await payload_of(kernel, line)
        refused = printed(await kernel.run(line))
        await kernel.run("%env JUPYTER_AC_MODEL=openai/scripted-markdown")
        await kernel.run("%reload_ext jupyter_ac")
        await kernel.run("1 / 0")
        unfixed = await payload_of(kernel, "%ac_fix")
        said = printed(await kernel.run("%ac_explain"))
    assert payload == unfixed == []
    assert "administrator has denied the model" in refused
    assert "administrator has denied the model" in said
    assert model_server.bodies() == []


async def test_a_reset_begins_a_new_conversation_and_keeps_the_old_one(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server) as kernel:
        unused = printed(await kernel.run("%ac reset"))
        await kernel.run("%%ac\nWhat is an apple?")
        said = printed(await kernel.run("%ac reset"))
        await kernel.run("%%ac\nAnd a pear?")
        folder = printed(await kernel.run("%ac ./reset"))
    assert "none was begun" in unused
    assert "the earlier one stays in the history" in said
    first, second = model_server.bodies()
    assert "apple" in json.dumps(first)
    assert "And a pear?" in json.dumps(second)
    assert "What is an apple?" not in json.dumps(second)
    assert "there is no folder './reset'" in folder


async def test_another_model_answers_on_request(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server) as kernel:
        published = await kernel.run("%%ac --model openai/scripted-markdown\nWell?")
    assert "three figures" in json.dumps(updates(published)[-1])
    assert [body["model"] for body in model_server.bodies()] == ["scripted-markdown"]


async def test_with_ipykernel_6_it_is_the_same(
    garden: RepositoryFolder, model_server: RunningModelServer, old_python: Path
) -> None:
    async with kernel_with(garden, model_server, python=old_python) as kernel:
        version = printed(await kernel.run("import ipykernel; print(ipykernel.__version__)"))
        published = await kernel.run("%%ac -o text\nWhat is this?")
        kept = printed(await kernel.run("print(text)"))
    assert version.startswith("6.")
    assert kept.startswith("You asked: **What is this?**")
    assert [*shown(published), *updates(published)][-1]["text/plain"] in kept


async def test_the_child_ends_with_the_kernel(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server) as kernel:
        pid = await process_id(kernel)
        kernel.client.execute("%%ac\nWhat is this?")
        await asyncio.to_thread(until, model_server, lambda _: bool(hosts_of(pid)))
        (child,) = hosts_of(pid)
        assert is_running(child)
    await asyncio.to_thread(wait_until_gone, child)
    assert not is_running(child)


async def test_a_key_that_a_cell_sets_counts_after_reloading(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server, "scripted-401") as kernel:
        refused = await kernel.run("%%ac\nMay I?")
        (old,) = hosts_of(await process_id(kernel))
        await kernel.run("import os; os.environ['JUPYTER_AC_MODEL'] = 'openai/scripted'")
        await kernel.run("%reload_ext jupyter_ac")
        answered = await kernel.run("%%ac -o text\nMay I now?")
        await asyncio.to_thread(wait_until_gone, old)
    assert "OPENAI_API_KEY" in printed(refused)
    assert printed(answered) == ""
    assert "May I now?" in [*shown(answered), *updates(answered)][-1]["text/plain"]


def test_a_pause_is_counted_down_until_the_answer_begins() -> None:
    news = LatestProgress()
    watcher = news.watcher()
    watcher.progress("Busy. Trying again in 60 s …")
    watcher.pause(Pause("Busy.", time.monotonic() + 60, 1, 4))
    assert re.fullmatch(
        r"Busy\. Trying again in (60|59) s \(1 of 4\) … Interrupt the cell to stop\.",
        news.picture().doing,
    )
    watcher.progress("Reading the prompt …")
    assert news.picture().doing == "Reading the prompt …"
    watcher.text("So")
    assert (news.picture().text, news.picture().doing) == ("So", "")


def test_in_a_terminal_the_text_is_printed(
    garden: RepositoryFolder,
    scripted_child: RunningModelServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert scripted_child
    monkeypatch.chdir(garden.root / "docs")
    shell = InteractiveShell.instance()
    try:
        shell.run_line_magic("load_ext", "jupyter_ac")
        shell.run_cell_magic("ac", "-f b.md -f a.py -o text", "What is this?")
        text = shell.user_ns["text"]
        with pytest.raises(UsageError, match=r"nothing\.py"):
            shell.run_cell_magic("ac", "-f nothing.py", "What is this?")
        # IPython prints the sentence, which here repeats what the provider says.
        with pytest.raises(UsageError, match="thing") as refused:
            shell.run_cell_magic("ac", "--model openai/scripted-escape", "What is this?")
    finally:
        shell.run_line_magic("unload_ext", "jupyter_ac")
        InteractiveShell.clear_instance()
    assert capsys.readouterr().out.startswith(text)
    assert not set("\x1b\x07\x9b") & set(str(refused.value))
    body = json.dumps(scripted_child.bodies()[0])
    assert "apple" in body
    assert "Berry" in body


def test_an_interrupt_is_one_line_and_still_an_interrupt() -> None:
    assert isinstance(Interrupted(), KeyboardInterrupt)
    assert Interrupted()._render_traceback_() == ["KeyboardInterrupt: the answer was stopped"]


def chunks(seen: list[dict[str, object]]) -> object:
    return seen[-1]["chunks"]


async def process_id(kernel: Kernel) -> int:
    return int(printed(await kernel.run("import os; print(os.getpid())")))


async def rest_of_cell(kernel: Kernel) -> list[Message]:
    published: list[Message] = []

    def is_last(message: Message) -> bool:
        published.append(message)
        return is_idle(message)

    await kernel.until(is_last)
    return published


def hosts_of(pid: int) -> list[int]:
    """The hosts that a kernel has started."""
    command = ["ps", "-o", "pid=,args=", "--ppid", str(pid)]
    # Its status is 1 when there is none.
    listed = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if " stdio " in line]
