"""Keeps the records of requests in order, within a bound of their number and of their bytes."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from jupyter_ac.browser.request_record import BASE_BYTES, ERRORS, RequestRecord
from jupyter_ac.browser.row_ids import RowIds

HEADER_BYTES: Final = 100
"""What a header takes beside its text."""
HELD_LOOK: Final = 64
"""How many of the oldest records are looked at for one that may go."""


@dataclass(frozen=True, slots=True)
class RecordLimits:
    """How much is kept of a page.

    Attributes:
        count: of records.
        size_bytes: of all records together, about.
    """

    count: int
    size_bytes: int


REQUEST_LIMITS: Final = RecordLimits(10_000, 64_000_000)


class RequestStore:
    """The records of one page.

    Args:
        row_ids: shared with all other pages.
        limits: of what is kept.

    Attributes:
        size_bytes: of all records, about.
        dropped: how many have gone because of the limits.
        outcomes: how many failures and errors there were so far.
    """

    def __init__(self, row_ids: RowIds, limits: RecordLimits) -> None:
        self.size_bytes = 0
        self.dropped = 0
        self.outcomes = 0
        self._row_ids = row_ids
        self._limits = limits
        self._records: OrderedDict[int, RequestRecord] = OrderedDict()
        self._current: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[RequestRecord]:
        return iter(self._records.values())

    def __reversed__(self) -> Iterator[RequestRecord]:
        return reversed(self._records.values())

    def get(self, row_id: int) -> RequestRecord | None:
        """Return a record, or None if it isn't there or has gone."""
        return self._records.get(row_id)

    def current(self, request_id: str) -> RequestRecord | None:
        """Return the newest record of a chain of redirects."""
        row_id = self._current.get(request_id)
        return None if row_id is None else self._records.get(row_id)

    def chain(self, request_id: str, longest: int) -> list[RequestRecord]:
        """Return the newest records of a chain of redirects, the oldest of them first."""
        found: list[RequestRecord] = []
        record = self.current(request_id)
        while record is not None and len(found) < longest:
            found.append(record)
            before = record.redirected_from
            record = None if before is None else self._records.get(before)
        return found[::-1]

    def add(self, request_id: str, target: str, session_id: str) -> RequestRecord:
        """Start the record of a request; the oldest one goes if there are too many."""
        record = RequestRecord(self._row_ids.take(), request_id, target, session_id)
        self._records[record.id] = record
        self._current[request_id] = record.id
        self.size_bytes += record.weight
        self._shrink(record)
        return record

    def changed(self, record: RequestRecord) -> None:
        """Count a record's bytes again, and whether it is an error by now."""
        is_error = record.ended_as == "failed" or record.status >= ERRORS
        if is_error and not record.outcome:
            self.outcomes += 1
            record.outcome = self.outcomes
        if record.id in self._records:
            before, record.weight = record.weight, _weight_of(record)
            self.size_bytes += record.weight - before
            self._shrink(record)

    def resized(self, record: RequestRecord, more_bytes: int) -> None:
        """Count bytes that a record has got or lost."""
        if record.id in self._records:
            record.weight += more_bytes
            self.size_bytes += more_bytes
            self._shrink(record)

    def clear(self) -> None:
        """Drop all records but those that wait for the user."""
        for record in [*self]:
            if record.pause_stage is None:
                self._drop(record)

    def _shrink(self, newest: RequestRecord) -> None:
        while len(self._records) > self._limits.count or (
            self.size_bytes > self._limits.size_bytes and len(self._records) > 1
        ):
            self._drop(self._oldest(newest))
            self.dropped += 1

    def _oldest(self, newest: RequestRecord) -> RequestRecord:
        oldest = [
            record
            for record in islice(self._records.values(), HELD_LOOK)
            if record is not newest or len(self._records) == 1
        ]
        return next((record for record in oldest if not record.is_held), oldest[0])

    def _drop(self, record: RequestRecord) -> None:
        del self._records[record.id]
        self.size_bytes -= record.weight
        if self._current.get(record.request_id) == record.id:
            del self._current[record.request_id]


def _weight_of(record: RequestRecord) -> int:
    """Work out about how many bytes a record takes."""
    texts = len(record.url) + len(record.post_data or "") + len(record.error)
    answer = () if record.answer is None else record.answer.headers
    extra = () if record.answer_extra is None else record.answer_extra[1]
    headers = sum(
        len(name) + len(value) + HEADER_BYTES
        for some in (record.headers, record.extra_headers or (), answer, extra)
        for name, value in some
    )
    return BASE_BYTES + texts + headers + record.frame_bytes
