"""A real IPython kernel, driven over its channels as a front end would drive it."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from tests.support.json_values import JsonValue

ROOT = Path(__file__).parents[2]
WAIT_S = 90
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

Message = dict[str, JsonValue]


class Kernel:
    """A running kernel and its channels."""

    def __init__(self, client: AsyncKernelClient) -> None:
        self.client = client

    async def run(self, code: str, cell_id: str = "") -> list[Message]:
        """Run a cell, with an id as front ends send it; return everything it published."""
        sent = self.begin(code, cell_id) if cell_id else self.client.execute(code)
        published = []
        async with asyncio.timeout(WAIT_S):
            while True:
                message = await self.client.get_iopub_msg()
                if message["parent_header"].get("msg_id") != sent:
                    continue
                published.append(message)
                if is_idle(message):
                    return published

    def begin(self, code: str, cell_id: str) -> str:
        """Begin to run a cell; return the id of the request."""
        content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
        metadata = {"cellId": cell_id}
        message = self.client.session.msg("execute_request", content, metadata=metadata)
        self.client.shell_channel.send(message)
        sent: str = message["header"]["msg_id"]
        return sent

    def send_custom(
        self, model_id: str, content: Mapping[str, object], subshell: str | None = None
    ) -> None:
        """Send a custom message to a widget, on the main shell or on a subshell."""
        data = {"method": "custom", "content": content}
        message = self.client.session.msg("comm_msg", {"comm_id": model_id, "data": data})
        if subshell is not None:
            message["header"]["subshell_id"] = subshell
        self.client.shell_channel.send(message)

    async def custom(self, model_id: str, kind: str) -> dict[str, object]:
        """Wait for a custom message of a kind from a widget."""

        def fits(message: Message) -> bool:
            data = message["content"].get("data", {})
            return bool(
                message["msg_type"] == "comm_msg"
                and message["content"]["comm_id"] == model_id
                and data.get("method") == "custom"
                and data["content"]["type"] == kind
            )

        found: dict[str, object] = (await self.until(fits))["content"]["data"]["content"]
        return found

    async def until(self, fits: Callable[[Message], bool]) -> Message:
        """Wait for a published message."""
        async with asyncio.timeout(WAIT_S):
            while True:
                message: Message = await self.client.get_iopub_msg()
                if fits(message):
                    return message

    async def subshell(self) -> str:
        """Ask the kernel for a second shell on a thread of its own."""
        self.client.control_channel.send(self.client.session.msg("create_subshell_request"))
        async with asyncio.timeout(WAIT_S):
            reply = await self.client.get_control_msg()
        found: str = reply["content"]["subshell_id"]
        return found


def is_idle(message: Message) -> bool:
    """Whether this ends a cell's output."""
    content = message["content"]
    return bool(message["msg_type"] == "status" and content.get("execution_state") == "idle")


def shown(published: list[Message]) -> list[dict[str, JsonValue]]:
    """The MIME bundles that a cell displayed."""
    return [
        message["content"]["data"]
        for message in published
        if message["msg_type"] in {"display_data", "execute_result"}
    ]


def printed(published: list[Message]) -> str:
    """What a cell wrote on its streams, errors included."""
    return "".join(
        message["content"].get("text", message["content"].get("evalue", ""))
        for message in published
        if message["msg_type"] in {"stream", "error"}
    )


@asynccontextmanager
async def running_kernel(
    folder: Path, python: Path | None = None, **variables: str
) -> AsyncIterator[Kernel]:
    """Start a kernel in a folder with this checkout on its path; end it afterwards.

    Another interpreter than this one may be given, such as `old_python` of `old_kernel.py`.
    """
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))} | variables
    # Not in a folder of the test: names of sockets are short.
    with tempfile.TemporaryDirectory(prefix="kernel-") as sockets:
        manager = _manager(Path(sockets), python)
        await manager.start_kernel(cwd=str(folder), env=environment)
        client = manager.client()
        client.start_channels(hb=False)  # the manager knows whether the kernel lives
        try:
            await client.wait_for_ready(timeout=WAIT_S)
            yield Kernel(client)
        finally:
            client.stop_channels()
            await manager.shutdown_kernel(now=True)


def _manager(sockets: Path, python: Path | None) -> AsyncKernelManager:
    # Not TCP: a port that is free when it is chosen may be taken when the kernel binds it. Without
    # a connection file here, the names of the sockets would be relative to the kernel's own folder.
    file = str(sockets / "kernel.json")
    manager = AsyncKernelManager(kernel_name="python3", transport="ipc", connection_file=file)
    if python is not None:
        launch = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        manager._kernel_spec = KernelSpec(argv=launch, display_name="old", language="python")
    return manager
