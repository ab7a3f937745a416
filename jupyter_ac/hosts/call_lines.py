"""Switches on the log of calls for a host by `JUPYTER_AC_CALL_LOG`."""

import logging
from collections.abc import Mapping
from typing import Final, TextIO

from jupyter_ac.rpc.call_log import LOGGER, CallLog, CallLogFormatter
from jupyter_ac.workers.redaction import redact

CALL_LOG_VARIABLE: Final = "JUPYTER_AC_CALL_LOG"


def write_call_lines(environ: Mapping[str, str], stream: TextIO | None = None) -> None:
    """Write a line for each call if the environment asks for it; otherwise logging stays as it is.

    Args:
        environ: with `JUPYTER_AC_CALL_LOG=1`.
        stream: where to; None for standard error.
    """
    if environ.get(CALL_LOG_VARIABLE) != "1":
        return
    logger = logging.getLogger(LOGGER)
    # A host that starts again in the same process, or the server's own configuration, has one.
    if not any(isinstance(handler.formatter, CallLogFormatter) for handler in logger.handlers):
        handler = logging.StreamHandler(stream)
        handler.setFormatter(CallLogFormatter())
        logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False


def call_log() -> CallLog:
    """Return the log of calls of this host, with secrets hidden."""
    return CallLog(logging.getLogger(LOGGER), redact)
