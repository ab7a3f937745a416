"""The place where errors of a panel's code end."""

from collections.abc import Callable
from types import TracebackType


class Guarded:
    """A block whose errors are passed on to a function, after which the work goes on behind it.

    Whatever is raised counts as an error: a panel that calls `sys.exit` ends no host, and an
    interrupt that meets the panel's code has ended that.

    Args:
        failed: gets the error.
        passed: the classes of errors that aren't caught: a task's cancellation, for one.
    """

    __slots__ = ("_failed", "_passed")

    def __init__(
        self,
        failed: Callable[[BaseException], None],
        passed: tuple[type[BaseException], ...] = (),
    ) -> None:
        self._failed = failed
        self._passed = passed

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> bool:
        """Pass an error on; returns whether there was one."""
        if error is None or isinstance(error, self._passed):
            return False
        self._failed(error)
        return True
