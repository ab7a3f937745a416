import asyncio

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.browser.console_log import ConsoleLog
from jupyter_ac.browser.network_log import NetworkLog
from jupyter_ac.browser.page_digest import (
    DigestOptions,
    PageDigest,
    Watermark,
    page_digest,
    watermark_of,
)
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.browser.stack_mapping import StackMapper
from tests.browser.recordings import Event, answer, event, failed, finished, recorded, request


class Page:
    def __init__(self) -> None:
        row_ids = RowIds()
        self.console = ConsoleLog(row_ids)
        self.network = NetworkLog(row_ids)
        self.since = Watermark()
        self.time = 0.0

    def take(self, *events: Event) -> None:
        for method, params in events:
            self.network.take(method, params)
            self.console.take(method, params)

    def log(self, text: str, kind: str = "error", line: int = 0) -> None:
        self.time += 1
        place = {"url": "http://h/src/app.js", "lineNumber": line, "functionName": "f"}
        self.take(
            event(
                "Runtime.consoleAPICalled",
                type=kind,
                args=[{"type": "string", "value": text}],
                timestamp=self.time,
                stackTrace={"callFrames": [place]},
            )
        )

    async def digest(self, options: DigestOptions | None = None) -> PageDigest:
        found = await page_digest(self.console, self.network, self.since, PageRedactor([]), options)
        self.since = found.watermark
        return found


async def test_a_real_page_is_summed_up() -> None:
    page = Page()
    page.take(*recorded("page"))
    found = await page.digest(DigestOptions(StackMapper(lambda: ["web/app.js"])))
    kinds = [item["kind"] for item in found.items]
    assert kinds[:5] == ["console_error"] * 5
    assert 1 <= kinds.count("failed_request") <= 10
    shown = "\n".join(item["text"] for item in found.items)
    assert "Error: in app" in shown
    assert "at inner web/app.js:1:52" in shown
    assert "PreflightMissingAllowOriginHeader" in shown
    assert "GET http://127.0.0.1:41437/missing: status 404" in shown
    assert "Failed to load resource" not in shown  # the failed request says it
    assert sum(item["tokens"] for item in found.items) <= 1500
    assert (await page.digest()).items == []


async def test_equal_messages_are_one_and_the_newest_first() -> None:
    page = Page()
    for text in ["a", "b", "a", "a"]:
        page.log(text)
    found = await page.digest()
    assert [(item["title"], item["count"]) for item in found.items] == [
        ("[error] a (x3)", 3),
        ("[error] b", 1),
    ]
    assert found.items[0]["row_id"] == 4


async def test_there_are_at_most_five_errors_and_five_others_warnings_first() -> None:
    page = Page()
    for number in range(9):
        page.log(f"error {number}")
        page.log(f"log {number}", "log")
    page.log("careful", "warning")
    found = await page.digest()
    titles = [item["title"] for item in found.items]
    assert titles[:5] == [f"[error] error {number}" for number in (8, 7, 6, 5, 4)]
    assert titles[5:] == ["[warning] careful", *(f"[log] log {number}" for number in (8, 7, 6, 5))]
    assert found.left_out == 9


async def test_failed_requests_have_their_outcome_and_body() -> None:
    page = Page()
    page.take(
        request("1", "http://h/api?token=secret1&q=1", method="POST"),
        answer("1", 500),
        finished("1"),
        request("2"),
        failed("2"),
        request("3"),
        answer("3"),
        finished("3"),
    )
    body = '{"password": "hunter22", "error": "' + "x" * 2000
    options = DigestOptions(body_of=lambda row_id: body if row_id == 1 else "")
    second, first = (await page.digest(options)).items
    assert first["title"] == "POST http://h/api?token=…&q=1: status 500"
    assert "hunter22" not in first["text"]
    assert len(first["text"]) < 700
    assert second["text"] == "GET http://h/: net::ERR_FAILED"


async def test_what_is_known_is_not_new_after_a_reload() -> None:
    page = Page()
    page.log("old", line=4)
    known = {item["key"] for item in (await page.digest()).items}
    page.log("old", line=4)
    page.log("new")
    found = await page.digest(DigestOptions(known=known))
    assert [item["title"] for item in found.items] == ["[error] new"]


async def test_what_was_left_out_is_known_too() -> None:
    page, known = Page(), frozenset[str]()
    for _ in range(2):
        for number in range(20):
            page.log(f"error {number}", line=number)
        page.take(request("1"), failed("1"))
        found = await page.digest(DigestOptions(known=known))
        known |= found.keys
    assert found.items == []
    assert found.left_out == 0
    assert len(known) == 21


async def test_what_the_page_has_ended_itself_is_no_failure() -> None:
    page = Page()
    page.take(
        request("1"),
        failed("1", canceled=True),
        request("2", "http://h/favicon.ico"),
        answer("2", 404),
        request("3"),
        failed("3", canceled=True, blockedReason="csp"),
    )
    found = await page.digest()
    assert [item["row_id"] for item in found.items] == [3]


async def test_what_has_no_room_is_counted() -> None:
    page = Page()
    for number in range(4):
        page.log(f"{number} " + "x" * 5000)
    found = await page.digest(DigestOptions(max_tokens=100))
    assert len(found.items) == 1
    assert found.left_out == 3
    assert len(found.items[0]["title"]) < 260


async def test_the_watermark_is_that_of_before() -> None:
    page = Page()
    page.log("a")
    mark = watermark_of(page.console, page.network)
    assert (await page.digest()).watermark == mark
    page.console.clear()
    page.log("b")
    assert [item["title"] for item in (await page.digest()).items] == ["[error] b"]


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.text(st.characters(), max_size=300), st.sampled_from(["error", "log", "warning"])
        ),
        max_size=15,
    ),
    st.integers(0, 300),
)
def test_it_never_takes_more_than_its_tokens(
    messages: list[tuple[str, str]], max_tokens: int
) -> None:
    page = Page()
    for text, kind in messages:
        page.log(text, kind)
    found = asyncio.run(page.digest(DigestOptions(max_tokens=max_tokens)))
    orjson.dumps(found.items)
    assert sum(item["tokens"] for item in found.items) <= max_tokens
    assert len({item["key"] for item in found.items}) == len(found.items)
