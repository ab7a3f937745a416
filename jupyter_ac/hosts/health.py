"""The public health report of a host: it is running, and its identity."""

import os
from typing import Final, TypedDict

from jupyter_ac.version import PROTOCOL, __version__

UP: Final = "ok"


class Health(TypedDict):
    """The answer of `GET …/health`; no secrets.

    Attributes:
        status: `ok`.
        version: the package's.
        protocol: the wire's.
        pid: the host's process.
    """

    status: str
    version: str
    protocol: int
    pid: int


def health() -> Health:
    """Describe this process."""
    return Health(status=UP, version=__version__, protocol=PROTOCOL, pid=os.getpid())
