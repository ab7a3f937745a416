"""All about one request: what is asked for of its entry, with bodies on demand, redacted."""

from collections.abc import Sequence

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.cdp_values import object_of
from jupyter_ac.browser.field_selection import BODY, POST_DATA, asks_for, check_fields, select
from jupyter_ac.browser.har import har_entry
from jupyter_ac.browser.network_log import NetworkLog
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.response_bodies import read_body, read_post_data


async def request_details(
    session: CdpSession,
    log: NetworkLog,
    row_id: int,
    fields: Sequence[str] | None = None,
    redactor: PageRedactor | None = None,
) -> Json:
    """Return what is asked for of a request, in the shape of HAR.

    Args:
        session: of the record, which says it by its `session_id`.
        log: of the page.
        row_id: of the request.
        fields: dotted paths; None is the minimum, `["*"]` all but the bodies. Those are read when
            `response.content` or `request.postData` is named.
        redactor: masks the secrets; None reveals them, which is for people only.

    Raises:
        NotFound: there is no such request.
        InvalidParams: a field is no path.
        NotConnected: a body is asked for, and the browser has gone.
        TimedOut: a body is asked for, and the browser doesn't answer.
    """
    wanted = check_fields(fields)
    record = log.record(row_id)
    body = post_data = None
    if asks_for(wanted, BODY):
        body = (await read_body(session, log, row_id)).content()
    if asks_for(wanted, POST_DATA):
        post_data = await read_post_data(session, record)
    entry = har_entry(record)
    if body is not None:
        object_of(object_of(entry["response"])["content"]).update(body)
    if post_data is not None:
        object_of(object_of(entry["request"])["postData"])["text"] = post_data
    if redactor is not None:
        entry = redactor.entry(entry)  # before the choice: a header is known by where it stands
    return select(entry, wanted)
