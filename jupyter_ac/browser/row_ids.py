"""Ids of recorded requests and messages, shared by all pages."""


class RowIds:
    """A counter that never repeats an id, in whichever page and epoch it is used."""

    def __init__(self) -> None:
        self._last = 0

    @property
    def last(self) -> int:
        """The id that was given last; 0 before the first."""
        return self._last

    def begin_after(self, last: int) -> None:
        """Leave out ids that an earlier process may have given."""
        self._last = max(self._last, last)

    def take(self) -> int:
        """Give the next id."""
        self._last += 1
        return self._last
