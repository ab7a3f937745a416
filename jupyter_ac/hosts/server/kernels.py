"""Runs cells in the Jupyter server's kernels, by a kernel client of our own.

Each run has its own channels, so that neither another front end's messages nor ours are lost.
"""

import asyncio
from collections.abc import Awaitable, Mapping
from typing import Final, Protocol, cast

from jupyter_ac.errors import Conflict, NotFound, TimedOut
from jupyter_ac.execution.cell_runner import BUSY_KERNEL, GRACE_S
from jupyter_ac.execution.cell_runs import CellRun, RunState
from jupyter_ac.execution.outputs import OutputCapture

_STUCK: Final = "The kernel did not stop after an interrupt; restart it if it goes on."
_DIED: Final = "The kernel has ended while the cell ran."
_CHECK_S: Final = 2.0


class _Client(Protocol):
    """What is used of `jupyter_client.asynchronous.AsyncKernelClient`."""

    def start_channels(self, *, hb: bool) -> None: ...
    def stop_channels(self) -> None: ...
    def wait_for_ready(self, timeout: float | None = None) -> Awaitable[None]: ...
    async def execute_interactive(
        self, code: str, *, allow_stdin: bool, output_hook: object
    ) -> Mapping[str, object]: ...


class _Kernel(Protocol):
    """What is used of a kernel's manager."""

    def client(self) -> _Client: ...
    async def is_alive(self) -> bool: ...


class RunningKernels(Protocol):
    """What is used of the server's kernel manager."""

    def __contains__(self, kernel_id: object) -> bool:
        """Return whether such a kernel runs."""
        ...

    def get_kernel(self, kernel_id: str) -> _Kernel:
        """Return the manager of one kernel."""
        ...

    async def interrupt_kernel(self, kernel_id: str) -> None:
        """Interrupt a kernel."""
        ...


class ServerKernels:
    """The kernels of a Jupyter server.

    Args:
        manager: the server's.
    """

    def __init__(self, manager: RunningKernels) -> None:
        self._manager = manager
        self._waiting: dict[str, asyncio.Future[None]] = {}
        """What ends the waits for idle kernels, by run."""
        self._executing: set[str] = set()

    def has(self, kernel_id: str) -> bool:
        """Return whether such a kernel runs."""
        return kernel_id in self._manager

    async def execute(self, run: CellRun, capture: OutputCapture) -> RunState:
        """Run a cell; the kernel is interrupted at the time limit and when this is cancelled.

        A cell that is interrupted while it waits for a busy kernel isn't run.

        Raises:
            NotFound: there is no such kernel.
            Conflict: it was busy until the time limit, or has ended.
            TimedOut: it did not stop after the interrupt.
        """
        request = run.request
        if not self.has(request.kernel_id):
            raise NotFound("There is no such kernel any more; start it again.")
        kernel = self._manager.get_kernel(request.kernel_id)
        client = kernel.client()
        stop = self._waiting[run.run_id] = asyncio.get_running_loop().create_future()
        # No heartbeat, as the manager knows whether its kernel lives: the thread of one that is
        # stopped before it has begun never ends, and opens sockets until zmq has no more.
        client.start_channels(hb=False)
        try:
            # Only an idle kernel answers: then an interrupt never hits another cell.
            await _ready_or_stopped(client, request.time_limit_s, stop)
            if stop.done():
                return RunState.INTERRUPTED
            self._executing.add(run.run_id)
            return await self._execute(kernel, client, run, capture)
        finally:
            self._executing.discard(run.run_id)
            del self._waiting[run.run_id]
            client.stop_channels()

    async def interrupt(self, run: CellRun) -> None:
        """Interrupt the kernel if it runs this cell; end the wait if the cell waits for it."""
        kernel_id = run.request.kernel_id
        if run.run_id in self._executing:
            if self.has(kernel_id):
                await self._manager.interrupt_kernel(kernel_id)
        elif (stop := self._waiting.get(run.run_id)) is not None and not stop.done():
            stop.set_result(None)

    async def _execute(
        self, kernel: _Kernel, client: _Client, run: CellRun, capture: OutputCapture
    ) -> RunState:
        def hear(message: Mapping[str, object]) -> None:
            content = message.get("content")
            if isinstance(content, Mapping):
                capture.add({**content, "output_type": message.get("msg_type")})

        executing = asyncio.ensure_future(
            client.execute_interactive(run.request.code, allow_stdin=False, output_hook=hear)
        )
        try:
            is_late = not await _ended(executing, kernel, run.request.time_limit_s)
            if is_late:
                await self.interrupt(run)
                if not await _ended(executing, kernel, GRACE_S):
                    raise TimedOut(_STUCK)
        except asyncio.CancelledError:
            await self.interrupt(run)
            raise
        finally:
            executing.cancel()
            await asyncio.wait({executing})
        return RunState.TIMED_OUT if is_late else _state(executing.result())


async def _ready_or_stopped(client: _Client, limit_s: float, stop: "asyncio.Future[None]") -> None:
    """Wait until a kernel is idle, or until `stop` is done."""
    ready = asyncio.ensure_future(client.wait_for_ready(timeout=limit_s))
    try:
        await asyncio.wait({ready, stop}, return_when=asyncio.FIRST_COMPLETED)
        if not stop.done():
            ready.result()
    except RuntimeError as error:
        raise Conflict(BUSY_KERNEL) from error
    finally:
        ready.cancel()
        await asyncio.wait({ready})


async def _ended(
    executing: "asyncio.Future[Mapping[str, object]]", kernel: _Kernel, limit_s: float
) -> bool:
    """Wait for the end of a cell; returns whether it came within the limit."""
    loop = asyncio.get_running_loop()
    end_s = loop.time() + limit_s
    while (left_s := end_s - loop.time()) > 0:
        done, _ = await asyncio.wait({executing}, timeout=min(left_s, _CHECK_S))
        if done:
            return True
        if not await kernel.is_alive():
            raise Conflict(_DIED)
    return executing.done()


def _state(reply: Mapping[str, object]) -> RunState:
    content = cast("Mapping[str, object]", reply["content"])
    if content.get("status") == "ok":
        return RunState.OK
    is_stopped = content.get("ename") == "KeyboardInterrupt" or content.get("status") == "aborted"
    return RunState.INTERRUPTED if is_stopped else RunState.ERROR
