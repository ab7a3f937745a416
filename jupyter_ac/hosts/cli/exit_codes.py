"""The exit codes of all commands."""

from typing import Final

DONE: Final = 0
FAILED: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
