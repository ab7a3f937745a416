"""The relay in a real kernel with its real host: a peer at the page's end calls the services."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.chat.edit_blocks.reading.parser import MAX_BLOCKS
from jupyter_ac.chat.pagination import PAGE_BYTES
from jupyter_ac.errors import ConnectionClosed, RemoteError
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.transport import Transport
from tests.hosts.kernel.environment import LIMIT_S, child_environment
from tests.services.llm.pages import Page
from tests.support.checked_peer import CheckedPeer
from tests.support.comm_page import CommPage
from tests.support.kernels import WIDGET_VIEW, Kernel, printed, running_kernel, shown
from tests.support.model_process import RunningModelServer
from tests.support.repositories import make_repository

BUSY_CELL = "import time; time.sleep(3600)"
FILES: dict[str, str | bytes] = {"a.py": "x = 1\n", "b.py": "y = 2\n"}


def kernel_in(folder: Path) -> AbstractAsyncContextManager[Kernel]:
    """A kernel whose host knows nothing of this machine's settings."""
    return running_kernel(folder, JUPYTER_AC_CONFIG_DIR=os.fspath(folder / ".git" / "config.d"))


async def show_panel(kernel: Kernel) -> str:
    (bundle,) = shown(await kernel.run("import jupyter_ac; panel = jupyter_ac.Panel(); panel"))
    model_id: str = bundle[WIDGET_VIEW]["model_id"]
    return model_id


@asynccontextmanager
async def peer_over(transport: Transport) -> AsyncIterator[Peer]:
    peer = Peer(transport, {})
    running = asyncio.create_task(peer.run())
    try:
        async with asyncio.timeout(30):
            await peer.handshaken()
        yield peer
    finally:
        await peer.close()
        await running


async def open_and_receive(page: CommPage) -> None:
    await page.open()
    await page.receive()


async def test_calls_reach_the_services_and_answers_come_back(tmp_path: Path) -> None:
    make_repository(tmp_path, FILES)
    async with kernel_in(tmp_path) as kernel:
        page = await CommPage(kernel, await show_panel(kernel)).open("tab")
        async with peer_over(page) as peer:
            state = await peer.call("LLMService.get_current_state")
            paths = await asyncio.gather(
                *(peer.call("Repo.get_file_content", path) for path in [*FILES] * 20)
            )
            with pytest.raises(RemoteError):
                await peer.call("Repo.get_file_content", "missing.py")
    assert isinstance(state, dict)
    assert state["repo_name"] == tmp_path.name
    assert len(paths) == 40
    assert page.messages < 40


async def test_on_a_subshell_calls_are_answered_while_a_cell_runs(tmp_path: Path) -> None:
    make_repository(tmp_path, FILES)
    async with kernel_in(tmp_path) as kernel:
        model_id = await show_panel(kernel)
        subshell = await kernel.subshell()
        kernel.client.execute(BUSY_CELL)
        await kernel.until(lambda message: message["msg_type"] == "execute_input")
        page = await CommPage(kernel, model_id, subshell).open()
        async with peer_over(page) as peer:
            assert await peer.call("LLMService.set_selected_files", ["a.py"]) == ["a.py"]


async def test_two_views_of_one_widget_have_a_link_each(tmp_path: Path) -> None:
    make_repository(tmp_path, FILES)
    async with kernel_in(tmp_path) as kernel:
        model_id = await show_panel(kernel)
        page = await CommPage(kernel, model_id).open("one")
        async with peer_over(page) as peer:
            await peer.call("LLMService.set_selected_files", ["a.py"])
        page = await CommPage(kernel, model_id).open("other")
        async with peer_over(page) as peer:
            assert await peer.call("LLMService.get_selected_files") == ["a.py"]


async def test_without_a_repository_the_page_hears_so_and_can_make_one(tmp_path: Path) -> None:
    async with kernel_in(tmp_path) as kernel:
        model_id = await show_panel(kernel)
        page = CommPage(kernel, model_id)
        with pytest.raises(ConnectionClosed) as caught:
            await open_and_receive(page)
        assert caught.value.close_code == 4404
        await page.vanish()
        for _ in range(2):  # a page repeats what a busy kernel does not answer
            kernel.send_custom(model_id, {"type": "repository", "confirm": str(tmp_path)})
            made = await kernel.custom(model_id, "repository")
            assert made["name"] == tmp_path.name
        again = await CommPage(kernel, model_id).open()
        async with peer_over(again) as peer:
            await peer.call("LLMService.get_current_state")


@pytest.mark.parametrize("answer", [f"{8 * MAX_BLOCKS} 🟧🟧🟧 EDIT\\n", "1000000 a"])
async def test_an_answer_without_measure_leaves_the_kernel_and_the_panel_alive(
    tmp_path: Path, model_server: RunningModelServer, answer: str
) -> None:
    folder = make_repository(tmp_path / "garden", FILES).root
    environment = child_environment(tmp_path, model_server, "scripted-repeat")
    async with running_kernel(folder, None, **environment) as kernel:
        model_id = await show_panel(kernel)
        page = Page()
        page.peer = CheckedPeer(await CommPage(kernel, model_id).open("tab"), page.methods)
        running = asyncio.create_task(page.peer.run())
        await page.peer.handshaken()
        started = await page.peer.call(
            "LLMService.chat_streaming", "hostile", f"Say it.\n=====\n{answer}"
        )
        assert started == {"status": "started"}
        await page.until(lambda page: bool(page.named("streamComplete")), LIMIT_S)
        ((_, result),) = page.named("streamComplete")
        assert isinstance(result, dict)
        assert "error" not in result
        assert page.streamed() == result["response"]
        await page.peer.close()
        await running
        again = await CommPage(kernel, model_id).open("other")
        async with peer_over(again) as peer:
            state = await peer.call("LLMService.get_current_state")
        assert len(json.dumps(state)) < 2 * PAGE_BYTES
        published = await kernel.run("print(6 * 7)")
    assert "42" in printed(published)


async def test_a_repository_near_the_folder_is_served_once_the_page_has_gone_there(
    tmp_path: Path,
) -> None:
    garden = make_repository(tmp_path / "group/garden", FILES)
    async with kernel_in(tmp_path) as kernel:
        model_id = await show_panel(kernel)
        with pytest.raises(ConnectionClosed):
            await open_and_receive(CommPage(kernel, model_id))
        kernel.send_custom(model_id, {"type": "open", "folder": str(garden.root)})
        await kernel.custom(model_id, "open")
        page = await CommPage(kernel, model_id).open("there")
        async with peer_over(page) as peer:
            assert await peer.call("Repo.file_exists", "a.py") is True
    assert not (tmp_path / ".git").exists()
