"""The package's version and the version of the wire protocol."""

from typing import Final

__version__ = "0.1.0"

PROTOCOL: Final = 1
"""Increased when a change of the protocol would confuse an older front end."""
