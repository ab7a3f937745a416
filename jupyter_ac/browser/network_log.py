"""The requests of one page, recorded as they happen and listed by queries."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache
from typing import Final, Literal

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.network_events import NetworkEvents
from jupyter_ac.browser.network_rows import row_of
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.recorded_rows import NetworkRow
from jupyter_ac.browser.request_record import STATES, RequestRecord, Stage
from jupyter_ac.browser.request_store import REQUEST_LIMITS, RecordLimits, RequestStore
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.errors import InvalidParams, NotFound

MAX_ROWS: Final = 10_000
MAX_GLOB: Final = 1000
MAX_STARS: Final = 20


@dataclass(frozen=True, slots=True)
class NetworkQuery:
    """Which requests are listed.

    Attributes:
        limit: at most so many.
        status: of the answer, exactly.
        method: of HTTP, in whichever case.
        resource_type: such as `Fetch`, in whichever case.
        url: a glob with `*`, `?` and `[…]` for the whole URL.
        state: such as `failed`.
        show_all: also those that `hides` hides.
        order: `desc`: the newest first.
        hides: whether the user's filters hide a type and a URL.
        reveal: with their secrets; for people only.
    """

    limit: int = 50
    status: int | None = None
    method: str | None = None
    resource_type: str | None = None
    url: str | None = None
    state: str | None = None
    show_all: bool = False
    order: Literal["asc", "desc"] = "desc"
    hides: Callable[[str, str], bool] | None = None
    reveal: bool = False


class NetworkLog:
    """The requests of one page and of its frames and workers.

    Args:
        row_ids: shared with all other pages, so that no id is used twice.
        limits: of what is kept.
        target: the page's, for the rows.
        redactor: of what is listed.
        now: seconds since 1970.

    Attributes:
        store: of the records: their number, their bytes, and how many have been dropped.
    """

    def __init__(
        self,
        row_ids: RowIds,
        limits: RecordLimits = REQUEST_LIMITS,
        target: str = "",
        redactor: PageRedactor | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.store = RequestStore(row_ids, limits)
        self._events = NetworkEvents(self.store, target, now)
        self._redactor = redactor or PageRedactor()

    def __len__(self) -> int:
        return len(self.store)

    def take(self, method: str, params: Json, session_id: str = "") -> None:
        """Take an event of the domains Network and Fetch; others are ignored.

        Args:
            method: the event's name.
            params: its parameters.
            session_id: that it came from; the body is asked for there.
        """
        self._events.take(method, params, session_id)

    def rows(self, query: NetworkQuery) -> list[NetworkRow]:
        """List requests, redacted unless the query reveals them.

        Raises:
            InvalidParams: the query asks for what there can't be.
        """
        _check(query)
        wanted = _matcher(query)
        rows: list[NetworkRow] = []
        for record in reversed(self.store) if query.order == "desc" else self.store:
            if wanted(record) and not self._would_tell(query, record):
                rows.append(row_of(record))
                if len(rows) == query.limit:
                    break
        return rows if query.reveal else [self._redactor.row(row) for row in rows]

    def _would_tell(self, query: NetworkQuery, record: RequestRecord) -> bool:
        """Whether only a secret of its address fits: who guesses it must not learn it by that."""
        if query.url is None or query.reveal:
            return False
        masked = self._redactor.url(record.url)
        return masked != record.url and _compiled(query.url)[1].match(masked) is None

    def record(self, row_id: int) -> RequestRecord:
        """Return a request.

        Raises:
            NotFound: it was never there, or it has gone by now.
        """
        found = self.store.get(row_id)
        if found is None:
            raise NotFound(
                f"There is no request {row_id}; it may have been dropped. List them again."
            )
        return found

    def row_of(self, network_id: str) -> int | None:
        """Return the row of the newest request with an id of the browser's."""
        record = self.store.current(network_id)
        return None if record is None else record.id

    def mark_paused(self, request_id: str, fetch_id: str, stage: Stage) -> int:
        """Mark a request as waiting for the user; returns its row.

        Args:
            request_id: the browser's `networkId`; a request that isn't known yet gets a row.
            fetch_id: of the pause.
            stage: where it waits.
        """
        return self._events.pause(request_id, fetch_id, stage).id

    def unmark_paused(self, row_id: int) -> None:
        """Say that a request goes on; nothing happens when it has gone."""
        record = self.store.get(row_id)
        if record is not None:
            record.pause_stage, record.fetch_id = None, ""

    def clear(self) -> None:
        """Drop all requests but those that wait for the user."""
        self.store.clear()
        self._events.clear()

    def mark(self) -> int:
        """Return what `failed_since` is given later, to learn what is new by then."""
        return self.store.outcomes

    def failed_since(self, mark: int) -> list[RequestRecord]:
        """Return the requests that have failed, or got an error, after a mark; in that order."""
        if self.store.outcomes == mark:
            return []
        new = [record for record in self.store if record.outcome > mark]
        return sorted(new, key=lambda record: record.outcome)


def _check(query: NetworkQuery) -> None:
    if not 1 <= query.limit <= MAX_ROWS:
        raise InvalidParams(f"limit must be 1 to {MAX_ROWS}.")
    if query.order not in ("asc", "desc"):
        raise InvalidParams('order must be "asc" or "desc".')
    if query.state is not None and query.state not in STATES:
        raise InvalidParams(f"state must be one of {', '.join(sorted(STATES))}.")
    if query.url is not None and (len(query.url) > MAX_GLOB or query.url.count("*") > MAX_STARS):
        raise InvalidParams(
            f"url must have at most {MAX_GLOB} characters and {MAX_STARS} asterisks."
        )


def _matcher(query: NetworkQuery) -> Callable[[RequestRecord], bool]:
    """Make the test of a record; what is quick to look at is looked at first."""
    method, kind = _upper(query.method), _upper(query.resource_type)
    literal, glob = ("", None) if query.url is None else _compiled(query.url)
    hides = None if query.show_all else query.hides

    def wanted(record: RequestRecord) -> bool:
        if query.status is not None and record.status != query.status:
            return False
        if method is not None and record.method.upper() != method:
            return False
        if kind is not None and record.type.upper() != kind:
            return False
        if query.state is not None and record.state != query.state:
            return False
        if glob is not None and (literal not in record.url or glob.match(record.url) is None):
            return False
        return hides is None or not hides(record.type, record.url)

    return wanted


def _upper(name: str | None) -> str | None:
    return None if name is None else name.upper()


@lru_cache(64)
def _compiled(glob: str) -> tuple[str, re.Pattern[str]]:
    """Compile a glob; with it its longest part without wildcards, which is quicker to look for."""
    before_sets = glob.partition("[")[0]
    literal = max(re.split(r"[*?]", before_sets), key=len)
    return literal, re.compile(translate(glob))
