"""The place where errors of a panel's code end."""

from collections.abc import Callable
from types import TracebackType


class Guarded:
    """A block whose errors are passed on to a function, after which the work goes on behind it.

    A panel that calls `sys.exit` ends no host, so that counts as an error. Cancellation and Ctrl-C
    pass through.

    Args:
        failed: gets the error.
    """

    __slots__ = ("_failed",)

    def __init__(self, failed: Callable[[BaseException], None]) -> None:
        self._failed = failed

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> bool:
        """Pass an error on; returns whether there was one."""
        if not isinstance(error, Exception | SystemExit):
            return False
        self._failed(error)
        return True
