"""The package's version and the version of the wire protocol."""

from typing import Final

__version__ = "0.1.0"

PROTOCOL: Final = 1
"""Raised when a change of the wire would confuse an older front end."""
