"""Rows of the list of a page's requests."""

from datetime import UTC, datetime
from typing import Final

from jupyter_ac.browser.cdp_values import clip
from jupyter_ac.browser.recorded_rows import NetworkRow
from jupyter_ac.browser.request_record import RequestRecord

ROW_URL: Final = 2000
"""Longest URL of a row."""
DATA_URL: Final = 100
"""Of one with data in it, which may have megabytes."""


def row_of(record: RequestRecord) -> NetworkRow:
    """Give a request as a row, with its secrets."""
    longest = DATA_URL if record.url.startswith("data:") else ROW_URL
    url = record.url if len(record.url) <= longest else clip(record.url, longest)
    row = NetworkRow(
        id=record.id,
        request_id=record.request_id,
        protocol=record.protocol,
        method=record.method,
        status=record.status,
        url=url,
        type=record.type,
        size=record.size,
        time_ms=record.time_ms,
        state=record.state,
        frames_sent=record.frames_sent,
        frames_received=record.frames_received,
        started_datetime=iso_time(record.wall(record.started)),
        last_activity=record.wall(record.latest),
        target=record.target,
        body_status=record.body_status,
    )
    if record.error:
        row["error"] = record.error
    if record.pause_stage is not None:
        row["pause_stage"] = record.pause_stage
        row["paused_id"] = record.fetch_id
    return row


def iso_time(seconds: float) -> str:
    """Return seconds since 1970 as ISO 8601, UTC; "" for a time that there isn't."""
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return ""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
