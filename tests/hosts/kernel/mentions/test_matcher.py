"""Completion in real `complete_request`s, and what loading and unloading do to the completer."""

import asyncio
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel import magics
from tests.support.kernels import Kernel, Message, running_kernel


async def complete(kernel: Kernel, code: str) -> Message:
    """Ask as a front end does, with the cursor at the end."""
    sent = kernel.client.complete(code, len(code))
    async with asyncio.timeout(90):
        while True:
            reply = await kernel.client.get_shell_msg()
            if reply["parent_header"].get("msg_id") == sent:
                found: Message = reply["content"]
                return found


async def test_a_front_end_gets_mentions_in_cells_of_questions_only(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("")
    (tmp_path / ".git").mkdir()
    question = "%%ac -o text\nIs it 3 €?\nWhat is "
    async with running_kernel(tmp_path) as kernel:
        unloaded = await complete(kernel, f"{question}@")
        await kernel.run("%load_ext jupyter_ac")
        await kernel.run("frame = 1; fraction = 2")
        words = await complete(kernel, f"{question}@")
        names = await complete(kernel, f"{question}(@var:fra")
        files = await complete(kernel, f"{question}@file:no")
        elsewhere = await complete(kernel, "x = '''\n@")
        other = await complete(kernel, "%%acx\n@")
        await kernel.run("%unload_ext jupyter_ac")
        after = await complete(kernel, f"{question}@")
    assert words["matches"] == ["@cell", "@error", "@file:", "@output", "@var:"]
    assert (words["cursor_start"], words["cursor_end"]) == (len(question), len(question) + 1)
    assert names["matches"] == ["@var:frame", "@var:fraction"]
    assert names["cursor_start"] == len(question) + 1
    assert files["matches"] == ["@file:notes.md"]
    for reply in (unloaded, elsewhere, other, after):
        assert not [match for match in reply["matches"] if match.startswith("@")]


def test_loading_registers_it_once_and_unloading_removes_it(shell: InteractiveShell) -> None:
    def registered() -> list[str]:
        return [getattr(each, "matcher_identifier", "") for each in matchers]

    matchers = shell.Completer.custom_matchers
    magics.load(shell)
    magics.load(shell)
    assert registered() == ["jupyter_ac.mentions"]
    magics.unload(shell)
    assert registered() == []
