"""The resources that all workspaces of a host share: the worker processes and their clients."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.panels.plugin_command import PluginCommand
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import CompletionRequest, ModelsClient
from jupyter_ac.models.embedded import EmbeddedServer
from jupyter_ac.models.tokens import TokenCounter, encoding_for
from jupyter_ac.rpc.dispatch import NO_GUARDS, CallGuards
from jupyter_ac.rpc.overload import HostLoad
from jupyter_ac.services.llm.cell_execution import HostKernels
from jupyter_ac.workers.process import Worker

logger = logging.getLogger(__name__)

CLOSE_TIMEOUT_S: Final = 10.0


class HostResources:
    """The workers. Each starts when it is first needed, or ahead by `prepare`.

    Belongs to the event loop that first uses it.

    Args:
        kernels: in which cells can be run; None where the host has none.
        server_root: the folder to which paths of a Jupyter server's pages are relative; None
            elsewhere.
        guards: the checks of calls that all connections share.
        panels: that the host's command line adds to each workspace.

    Attributes:
        models: the language models.
        counter: token counts.
        embedded: the demo model's server.
        load: how many calls of all connections are late.
        guards: as given.
        panels: as given.
    """

    def __init__(
        self,
        kernels: HostKernels | None = None,
        server_root: Path | None = None,
        guards: CallGuards = NO_GUARDS,
        panels: Sequence[PluginCommand] = (),
    ) -> None:
        self.panels = panels
        self.kernels, self.server_root, self.guards = kernels, server_root, guards
        self._workers = {kind: Worker(kind) for kind in ("models", "tokens", "embedded")}
        self.models = ModelsClient(self._workers["models"], catalogue=self._workers["tokens"])
        self.counter = TokenCounter(self._workers["tokens"])
        self.embedded = EmbeddedServer(self._workers["embedded"])
        self.load = HostLoad()
        self._preparing: dict[tuple[str, str, str | None], asyncio.Task[bool]] = {}

    async def start(self, choice: ModelChoice | None) -> None:
        """Start the processes that a workspace with this model needs; they load the rest later.

        A failed start is only logged here; a later call to the process raises the error. Without a
        model nothing is started, which saves two hundred megabytes.
        """
        if choice is None:
            return
        await asyncio.gather(
            *(
                _supervise(self._workers[kind].start, f"{kind} worker")
                for kind in ("models", "tokens")
            )
        )

    def prepare(self, choice: ModelChoice | None) -> None:
        """Make the first request to a model fast; returns at once, works on in the background.

        What failed is tried again by the next call; what is ready or under way is left alone.
        """
        if choice is None:
            return
        for what, work in (
            ("tokens for", lambda: self._prepare_counts(choice)),
            ("model", lambda: self._prepare_model(choice)),
        ):
            key = (what, choice.model, choice.api_base)
            begun = self._preparing.get(key)
            if begun is None or (begun.done() and not begun.result()):
                name = f"{what} {choice.model}"
                self._preparing[key] = asyncio.create_task(_supervise(work, name), name=name)

    async def aclose(self) -> None:
        """End all workers; bounded."""
        if self.guards.repeated is not None:
            await self.guards.repeated.aclose()
        tasks = set(self._preparing.values())
        for task in tasks:
            task.cancel()
        closing = [asyncio.create_task(worker.aclose()) for worker in self._workers.values()]
        _, late = await asyncio.wait({*tasks, *closing}, timeout=CLOSE_TIMEOUT_S)
        for stuck in late:
            logger.error("%s does not end", stuck.get_name())
            stuck.cancel()

    async def _prepare_counts(self, choice: ModelChoice) -> None:
        await self.counter.count(encoding_for(choice.model).name, ["ready"])

    async def _prepare_model(self, choice: ModelChoice) -> None:
        await self.models.describe(choice.model)
        api_base = await self.embedded.api_base() if choice.demo else choice.api_base
        await self.models.warm(CompletionRequest(choice.model, [], api_base=api_base))


async def _supervise(work: Callable[[], Awaitable[object]], name: str) -> bool:
    """Run what only saves time and say whether it was done; who needs it sees its failure again."""
    try:
        await work()
    except AcError as error:
        logger.warning("%s: %s", name, error)
        return False
    except Exception:
        logger.exception("%s could not be prepared", name)
        return False
    return True
