"""How long a call takes from the page's side, and how long git takes without us."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.support.pages import Page
from tests.support.repositories import git_environment

LIMIT_S: Final = 60.0

Command = Sequence[str]


async def call_ms(page: Page, method: str, *args: object) -> float:
    """Call a method and give the milliseconds until its answer is read."""
    start = time.monotonic()
    await page.call(method, *args)
    return (time.monotonic() - start) * 1000


async def git_ms(root: Path, *commands: Command) -> float:
    """Run git commands at once and give the milliseconds until the last one's output is read."""
    start = time.monotonic()
    async with asyncio.timeout(LIMIT_S), asyncio.TaskGroup() as tasks:
        for command in commands:
            tasks.create_task(_git(root, command))
    return (time.monotonic() - start) * 1000


async def _git(root: Path, command: Command) -> None:
    process = await asyncio.create_subprocess_exec(
        "git", *command, cwd=root, env=git_environment(), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"git {command} failed: {output!r}")
