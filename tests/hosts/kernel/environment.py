"""What a kernel's child needs to know to ask the scripted model."""

import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.kernels import Kernel, running_kernel
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder

LIMIT_S = 90.0


def child_environment(
    tmp_path: Path, server: RunningModelServer, scenario: str = "scripted"
) -> dict[str, str]:
    return {
        "JUPYTER_AC_CONFIG_DIR": os.fspath(tmp_path / "config"),
        "JUPYTER_AC_MODEL": f"openai/{scenario}",
        "JUPYTER_AC_API_BASE": server.openai,
        "OPENAI_API_KEY": "sk-scripted-0123456789",
    }


@asynccontextmanager
async def kernel_with(
    garden: RepositoryFolder,
    server: RunningModelServer,
    scenario: str = "scripted",
    python: Path | None = None,
    **variables: str,
) -> AsyncIterator[Kernel]:
    """A kernel in the repository that has loaded the extension and asks the scripted model."""
    variables = child_environment(garden.root.parent, server, scenario) | variables
    async with running_kernel(garden.root, python, **variables) as kernel:
        await kernel.run("%load_ext jupyter_ac")
        yield kernel


def until(server: RunningModelServer, is_true: Callable[[list[dict[str, object]]], bool]) -> None:
    """Wait until what came to the model fulfils the condition, a host's first start included."""
    end = time.monotonic() + LIMIT_S
    while not is_true(server.requests()):
        assert time.monotonic() < end, f"still not true of {server.requests()}"
        time.sleep(0.02)
