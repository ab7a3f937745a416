"""What a workspace loads ahead, so that the first one who needs it does not wait."""

import asyncio
import logging

from jupyter_ac.errors import AcError
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.tree.snapshot import Snapshot
from jupyter_ac.notebook import percent

logger = logging.getLogger(__name__)


async def warm_notebooks(tree: TreeCache) -> None:
    """Load what notebooks need, which takes a second and forty megabytes, if there are any.

    What fails here is said to who needs it later.
    """
    try:
        shown = await tree.snapshot()
        await asyncio.to_thread(_load_if_used, shown)
    except AcError as error:
        logger.info("whether there are notebooks isn't known: %s", error)
    except Exception:
        logger.exception("notebooks can't be read")


def _load_if_used(shown: Snapshot) -> None:
    if any(path.endswith(".ipynb") for path in shown.entries):
        percent.load()
