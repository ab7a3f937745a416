import orjson
import pytest

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.network_log import NetworkLog
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.request_details import request_details
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.errors import InvalidParams, NotFound
from tests.browser.recordings import AnsweringSession, bodies, recorded

REDACTOR = PageRedactor([])


def page() -> NetworkLog:
    log = NetworkLog(RowIds())
    for method, params in recorded("page"):
        log.take(method, params)
    return log


async def details(path: str, fields: list[str] | None, *, reveal: bool = False) -> Json:
    log = page()
    row_id = next(record.id for record in log.store if record.url.endswith(path))
    session = AnsweringSession(bodies())
    found = await request_details(session, log, row_id, fields, None if reveal else REDACTOR)
    found["asked"] = len(session.asked)
    return found


async def test_the_minimum_asks_the_browser_for_nothing() -> None:
    found = await details("/missing", None)
    assert found["response"] == {"status": 404}
    assert found["state"] == "complete"
    assert found["asked"] == 0


async def test_all_is_without_the_body_which_has_to_be_named() -> None:
    assert (await details("/missing", ["*"]))["asked"] == 0
    found = await details("/missing", ["response.content"])
    assert found["asked"] == 1
    assert found["response"] == {
        "content": {"size": 8, "mimeType": "text/plain", "text": "not here"}
    }


@pytest.mark.parametrize("path", ["/login", "/form", "?token=secretsecret", ":41437/"])
@pytest.mark.parametrize(
    "fields",
    [
        ["*", "response.content", "request.postData"],
        ["request.headers.authorization", "request.headers.cookie"],
        ["response.headers.set-cookie", "response.cookies", "request.url"],
        ["response.content.text", "request.postData.text", "request.postData.params"],
        ["websocket.frames", "request.queryString"],
    ],
)
async def test_no_secret_is_in_what_is_shown(path: str, fields: list[str]) -> None:
    shown = orjson.dumps(await details(path, fields)).decode()
    secrets = ("verysecretcookie", "hunter22", "abcdefgh12345678", "secretsecret", "tok-1234")
    assert [secret for secret in secrets if secret in shown] == []


async def test_people_may_see_the_secrets() -> None:
    found = await details("/form", ["request.postData.text"], reveal=True)
    assert found["request"] == {"postData": {"text": "password=hunter22&q=1"}}


async def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(NotFound):
        await request_details(AnsweringSession({}), page(), 9999)
    with pytest.raises(InvalidParams):
        await request_details(AnsweringSession({}), page(), 1, [""])
