"""What a workspace loads ahead, so that the first one who needs it does not wait."""

import asyncio
import logging

from jupyter_ac.errors import AcError
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.listing import flat_file_list
from jupyter_ac.notebook import percent

logger = logging.getLogger(__name__)


async def warm_notebooks(repository: Repository) -> None:
    """Load what notebooks need, which takes a second and forty megabytes, if there are any.

    What fails here is said to who needs it later.
    """
    try:
        if ".ipynb\n" in f"{await flat_file_list(repository)}\n":
            await asyncio.to_thread(percent.load)
    except AcError as error:
        logger.info("whether there are notebooks isn't known: %s", error)
    except Exception:
        logger.exception("notebooks can't be read")
