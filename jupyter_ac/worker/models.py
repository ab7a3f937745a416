"""The `models` worker: serves litellm."""

import gc

import litellm

from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.completion import Completions
from jupyter_ac.worker.environment import CallEnvironment
from jupyter_ac.worker.info import describe
from jupyter_ac.worker.jobs import Jobs, emitter
from jupyter_ac.worker.served_models import served_models
from jupyter_ac.worker.warm import warm_up
from jupyter_ac.workers.wire import (
    CompletionOutcome,
    CompletionRequest,
    ModelInfo,
    ServedModels,
    ServedModelsRequest,
    decoded_record,
)


class ModelsWorker:
    """Asks language models.

    Args:
        jobs: by which the host cancels.
        completions: sends the requests.
    """

    def __init__(self, jobs: Jobs, completions: Completions) -> None:
        self._jobs = jobs
        self._completions = completions

    @method(Access.EXECUTE)
    async def complete(self, channel: int, request: dict[str, object]) -> CompletionOutcome:
        """Stream an answer; the increments go out as events of the channel."""
        asked = decoded_record(CompletionRequest, request)
        work = self._completions.complete(asked, emitter(channel))
        return await self._jobs.run(channel, work)

    @method(Access.READ)
    def describe(self, model: str) -> ModelInfo:
        """Say what is known of a model."""
        return describe(model)

    @method(Access.EXECUTE)
    async def served(self, channel: int, request: dict[str, object]) -> ServedModels:
        """Ask a server which models it has."""
        asked = decoded_record(ServedModelsRequest, request)
        return await self._jobs.run(channel, served_models(asked))

    @method(Access.READ)
    def load(self) -> None:
        """Answer, which shows that everything has loaded."""

    @method(Access.EXECUTE)
    async def warm(self, request: dict[str, object] | None) -> None:
        """Make the first request fast."""
        expected = None if request is None else decoded_record(CompletionRequest, request)
        await warm_up(self._completions, expected)
        # Objects from litellm's import are permanent: exclude them from later collections.
        gc.collect()
        gc.freeze()


def part(jobs: Jobs) -> ModelsWorker:
    """Create the part that a worker of this kind serves, and configure litellm for it."""
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = True
    # Its callbacks aren't used, so it needn't build a copy of the answer for them.
    litellm.disable_streaming_logging = True
    return ModelsWorker(jobs, Completions(CallEnvironment(_forget_clients)))


def _forget_clients() -> None:
    """Drop clients that were created with other proxies and certificates."""
    litellm.in_memory_llm_clients_cache.flush_cache()
