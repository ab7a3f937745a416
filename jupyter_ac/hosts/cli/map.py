"""`jupyter ac map`: prints a map of a repository for some files and a question.

The map goes to standard output and nothing else does. No server is needed: the index comes from the
machine's cache, and what is new is parsed by a child process of this one.
"""

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Coroutine
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError, NotFound, NotReady
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.path_arguments import absolute, selected_paths
from jupyter_ac.hosts.cli.signals import ending_like_ctrl_c
from jupyter_ac.hosts.file_composition import kept_excluded
from jupyter_ac.index.client import IndexClient
from jupyter_ac.index.indexing.progress import RefreshProgress
from jupyter_ac.services.llm.maps import excluded_wire
from jupyter_ac.settings.admin import load_admin
from jupyter_ac.settings.live import LiveSettings
from jupyter_ac.settings.paths import cache_dir, config_dir
from jupyter_ac.terminal import replace_line
from jupyter_ac.workers.process import Worker

_INDEX_S: Final = 1800.0
_DRAW_S: Final = 1800.0
_MAX_QUESTION: Final = 1_000_000


def run(options: Namespace) -> int:
    """Print the map."""
    if sys.stdout is None or sys.stderr is None:
        raise NotReady("Standard output and error must both be open.")
    with ending_like_ctrl_c():
        text = asyncio.run(_drawn(options))
    if not text:
        raise NotFound(
            "There is nothing to show: the repository has no files, or none that fits into "
            f"{options.budget} tokens; give more."
        )
    # Names that aren't UTF-8 are escaped in the map, so any text can be written.
    sys.stdout.write(text)
    return exit_codes.DONE


async def _drawn(options: Namespace) -> str:
    repository = await discover(absolute(options.repo))
    selected = selected_paths(repository, options.files, Path.cwd() if options.files else Path())
    excluded = await kept_excluded(repository)
    for path in selected:
        excluded.require_sent(path)
    settings = await asyncio.to_thread(_settings)
    worker = Worker("index")
    client = IndexClient(
        repository.root,
        cache_dir(os.environ),
        worker,
        _print_progress,
        shows_jupyter_files=settings.shows_jupyter_files,
    )
    async with aclosing(client), _beside(_load_tokens(worker)):
        if not await client.ready(_INDEX_S):
            raise NotReady(client.status.reason or "The index wasn't ready in time; try again.")
        _end_line()
        found = await client.call(
            "Index.whole_map",
            selected,
            _question(options.question),
            options.budget,
            *excluded_wire(excluded),
            timeout_s=_DRAW_S,
        )
    if not isinstance(found, dict):
        raise AcError("The index worker gave no map.")
    return str(found["text"])


def _settings() -> LiveSettings:
    settings = LiveSettings(config_dir(os.environ), load_admin().locked_settings)
    settings.refresh()
    return settings


def _question(given: str) -> str:
    return sys.stdin.read(_MAX_QUESTION) if given == "-" and sys.stdin is not None else given


@asynccontextmanager
async def _beside(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Have some work done meanwhile."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _load_tokens(worker: Worker) -> None:
    """Have the tokenizer loaded while the index is read; who counts with it says what is wrong."""
    with suppress(AcError):
        await worker.call("Index.load_tokens")


def _print_progress(progress: RefreshProgress) -> None:
    """Say how far the index is, on one line, to somebody who looks on."""
    if sys.stderr.isatty() and progress.total:
        replace_line(f"indexing {progress.done} of {progress.total}")


def _end_line() -> None:
    if sys.stderr.isatty():
        replace_line()
