from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.console_log import ConsoleLog
from jupyter_ac.browser.network_log import NetworkLog
from jupyter_ac.browser.page_news import MAX_NEWS_BODY, MAX_SOURCE, PageNews
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.browser.stack_mapping import StackMapper
from jupyter_ac.errors import BrowserError

if TYPE_CHECKING:
    from jupyter_ac.browser.target import Target

SECRET = "abcdef0123456789abcdef"


class Browser:
    """Answers with one body for each request."""

    def __init__(self) -> None:
        self.bodies: dict[str, str] = {}
        self.asked: list[str] = []

    async def call(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        session_id: str = "",
        timeout_s: float | None = None,
    ) -> Json:
        del session_id, timeout_s
        request_id = str((params or {}).get("requestId"))
        self.asked.append(request_id)
        if request_id not in self.bodies:
            raise BrowserError(method, -32000, "No resource with given identifier found")
        return {"body": self.bodies[request_id], "base64Encoded": False}


class Page:
    """The logs of a page, and its news."""

    def __init__(self, url: str = "http://h/shop?token=" + SECRET) -> None:
        self.browser = Browser()
        session = SimpleNamespace(connection=self.browser, session_id="s")
        target = cast("Target", SimpleNamespace(url=url, session=session))
        row_ids = RowIds()
        self.console, self.requests = ConsoleLog(row_ids), NetworkLog(row_ids)
        redactor, mapper = PageRedactor(), StackMapper(lambda: ["web/app.js"])
        self.news = PageNews(target, self.console, self.requests, redactor, mapper)

    def fail(self, request_id: str, path: str, status: int = 500) -> None:
        url = f"http://h{path}"
        request: Json = {"url": url, "method": "GET", "headers": {}}
        response: Json = {"url": url, "status": status, "headers": {}, "mimeType": "text/plain"}
        for method, params in (
            ("Network.requestWillBeSent", {"request": request, "type": "Fetch"}),
            ("Network.responseReceived", {"response": response, "type": "Fetch"}),
            ("Network.loadingFinished", {"encodedDataLength": 10}),
        ):
            event = {"requestId": request_id, "timestamp": 1.0, "wallTime": 1.0, **params}
            self.requests.take(method, event, "s")


async def test_errors_and_failed_requests_are_news_until_they_are_taken() -> None:
    page = Page()
    assert await page.news.read() == {"items": [], "left_out": 0}
    page.console.add("error", "console", "It broke.")
    page.console.add("log", "console", "ready")
    page.fail("1", f"/api?key={SECRET}")
    found = await page.news.read()
    assert [(item["kind"], item["known"]) for item in found["items"]] == [
        ("error", False),
        ("request", False),
        ("output", False),
    ]
    assert found["items"][0]["name"] == "It broke."
    assert SECRET not in str(found)
    assert await page.news.take() == found
    assert await page.news.read() == {"items": [], "left_out": 0}


async def test_what_happens_again_is_known() -> None:
    page = Page()
    page.console.add("error", "console", "It broke.")
    await page.news.take()
    page.console.add("error", "console", "It broke.")
    page.console.add("error", "console", "It broke elsewhere.")
    found = (await page.news.read())["items"]
    assert {item["name"]: item["known"] for item in found} == {
        "It broke.": True,
        "It broke elsewhere.": False,
    }


async def test_the_answer_to_a_failed_request_is_told_in_part_and_asked_for_once() -> None:
    page = Page()
    page.browser.bodies["1"] = f"Traceback: KeyError token={SECRET} " + "x" * 2000
    page.fail("1", "/api/items")
    page.fail("2", "/api/gone", status=404)
    for _ in range(2):
        texts = [item["text"] for item in (await page.news.read())["items"]]
        told = next(text for text in texts if "/api/items" in text)
        assert "Traceback: KeyError" in told
        assert SECRET not in told
        assert len(told) < MAX_NEWS_BODY + 200
    assert page.browser.asked.count("1") == 1


async def test_the_address_of_the_page_is_short_and_without_its_query() -> None:
    page = Page("http://h/" + "p" * 1000 + "?token=" + SECRET)
    page.console.add("error", "console", "It broke.")
    source = (await page.news.read())["items"][0]["source"]
    assert source.startswith("http://h/ppp")
    assert len(source) <= MAX_SOURCE + 1
    assert "?" not in source
