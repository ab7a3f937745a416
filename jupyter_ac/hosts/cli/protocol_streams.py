"""Standard streams of a command that speaks a protocol on them, by an SDK that may be missing."""

import importlib.util
import logging
import sys

from jupyter_ac.errors import NotReady
from jupyter_ac.workers.pipes import claim_pipes


def claim_for(command: str, package: str, extra: str) -> tuple[int, int]:
    """Take standard input and output for a protocol; logs and all else go to standard error.

    Args:
        command: that speaks it.
        package: of the SDK.
        extra: of our package that installs it.

    Returns:
        What is read from, and what is written to.

    Raises:
        NotReady: a standard stream is closed, or the SDK isn't installed.
    """
    if any(stream is None for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise NotReady("Standard input, output and error must all be open.")
    if importlib.util.find_spec(package) is None:
        raise NotReady(
            f"`jupyter ac {command}` needs another package: pip install 'jupyter-ac[{extra}]'."
        )
    fds = claim_pipes()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    # It warns of children that were stopped and collected, which is what an end does to git.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    return fds
