"""Fixtures that every test may use."""

import asyncio
import gc
import os
import signal
from collections.abc import Iterator

import pytest

from tests.support.examples import load_profile
from tests.support.host_fork_server import host_forks
from tests.support.model_process import (
    background,
    model_server,
    model_server_process,
    models,
    models_worker,
)
from tests.support.old_kernel import extras_python, old_python
from tests.support.started_programs import starts_programs
from tests.support.worker_fork_server import fork_server_variables

__all__ = [
    "background",
    "extras_python",
    "fork_server_variables",
    "host_forks",
    "model_server",
    "model_server_process",
    "models",
    "models_worker",
    "old_python",
]

pytest_plugins = ["pytest_jupyter.jupyter_server"]

load_profile()

# No test finds the keys of whoever runs it, nor asks them to unlock anything.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"

# Who runs this may ignore signals, as `nohup` and `&` in a script do. A handler that does nothing
# does the same, and the processes of the tests don't inherit it.
for number in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, lambda *_: None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what starts programs; put the browser tests last.

    Playwright's loop stays in the thread once it has begun.
    """
    for item in items:
        if starts_programs(item):
            item.add_marker("programs")
    items.sort(key=lambda item: item.get_closest_marker("e2e") is not None)


def pytest_collection_finish() -> None:
    """Have no collection of garbage look through the tests themselves, of which there are many.

    Nor so often through what a test makes: most of it goes without a collection.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True)
def jp_asyncio_loop(
    jp_asyncio_loop: asyncio.AbstractEventLoop,
) -> Iterator[asyncio.AbstractEventLoop]:
    """End what the test has left running on the plugin's loop, as `asyncio.run` does."""
    yield jp_asyncio_loop
    if not jp_asyncio_loop.is_closed() and asyncio._get_running_loop() is None:  # Playwright's
        jp_asyncio_loop.run_until_complete(_cancel_other_tasks())


async def _cancel_other_tasks() -> None:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for _ in range(10):  # Python 3.11's `wait_for` can lose a cancellation
        if not left:
            break
        for task in left:
            task.cancel()
        ended, left = await asyncio.wait(left, timeout=5)
        await asyncio.gather(*ended, return_exceptions=True)
    assert not left
    await asyncio.sleep(0)  # transports close what they hold one turn after they are closed


@pytest.fixture(autouse=True)
def jp_server_cleanup() -> None:
    """Take the place of the plugin's own, which makes a Jupyter server to clean up after each test.

    Where a test may have had one, `tests/hosts/conftest.py` brings it back.
    """
