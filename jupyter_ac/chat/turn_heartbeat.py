"""A turn's sign of life on disk while it waits or streams, with the answer so far."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.chat.turn import Turn
from jupyter_ac.errors import AcError

log = logging.getLogger(__name__)

CHECKPOINT_S: Final = 1.0
"""How much of a running answer a killed host may lose."""


@asynccontextmanager
async def kept_alive(turn: Turn, ports: TurnPorts) -> AsyncIterator[None]:
    """Keep the answer so far about once a second while the body runs.

    Other hosts take a turn without a sign of life for lost.
    """
    if not turn.is_kept:
        yield
        return
    task = asyncio.create_task(_keep_alive(turn, ports))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _keep_alive(turn: Turn, ports: TurnPorts) -> None:
    kept = 0
    while True:
        await asyncio.sleep(CHECKPOINT_S)
        text, thoughts = turn.stream.text, turn.stream.thoughts
        fresh = wellformed(thoughts.text) if thoughts.length > kept else ""
        try:
            await ports.history.checkpoint(turn.record.turn_id, wellformed(text), fresh)
            kept = max(kept, len(fresh))
        except AcError as error:
            log.warning("the answer so far is not kept: %s", error)
