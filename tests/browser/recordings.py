"""Events that a real Chromium has sent, and events made by hand."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import cast

from jupyter_ac.browser.cdp import CdpConnection, CdpSession, Json
from jupyter_ac.errors import BrowserError

FOLDER = Path(__file__).parent / "recorded"
Event = tuple[str, Json]


@cache
def recorded(name: str) -> tuple[Event, ...]:
    """`page`: a page that does a bit of all; `late`: a second session's; `paused`: by Fetch."""
    events = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return tuple((method, params) for method, params in events)


@cache
def bodies() -> dict[str, Json]:
    """What the browser answers when asked for the bodies of `page`."""
    return cast("dict[str, Json]", json.loads((FOLDER / "bodies.json").read_text(encoding="utf-8")))


class SilentTransport:
    """Of a connection that no test uses."""

    async def receive(self) -> str:
        raise AssertionError("nothing is received")

    async def send(self, message: str) -> None:
        raise AssertionError(f"nothing is sent: {message}")

    async def aclose(self) -> None:
        pass


class AnsweringSession(CdpSession):
    """Answers commands for bodies with what it is given by request id, or refuses."""

    def __init__(self, answers: Mapping[str, Json]) -> None:
        super().__init__(CdpConnection(SilentTransport()), "s")
        self.answers = answers
        self.asked: list[tuple[str, object]] = []

    async def call(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        timeout_s: float | None = None,
    ) -> Json:
        assert timeout_s is None or timeout_s > 0
        request_id = (params or {})["requestId"]
        self.asked.append((method, request_id))
        answer = self.answers.get(str(request_id))
        if answer is None:
            raise BrowserError(method, -32000, "No resource with given identifier found")
        return answer


def event(method: str, **params: object) -> Event:
    return method, params


def request(request_id: str = "1", url: str = "http://h/", **more: object) -> Event:
    details: Json = {"url": url, "method": "GET", "headers": {}}
    params: Json = {
        "requestId": request_id,
        "request": details,
        "timestamp": 10.0,
        "wallTime": 1000.0,
        "type": "Fetch",
    }
    for name in ("method", "headers", "postData", "hasPostData"):
        if name in more:
            details[name] = more.pop(name)
    return "Network.requestWillBeSent", params | more


def answer(request_id: str = "1", status: object = 200, **more: object) -> Event:
    response: Json = {"status": status, "headers": {}, "mimeType": "text/plain"}
    for name in ("headers", "mimeType", "encodedDataLength", "timing", "protocol"):
        if name in more:
            response[name] = more.pop(name)
    params: Json = {"requestId": request_id, "response": response, "timestamp": 10.5}
    return "Network.responseReceived", params | {"type": "Fetch"} | more


def request_extra(request_id: str = "1", **headers: str) -> Event:
    return "Network.requestWillBeSentExtraInfo", {"requestId": request_id, "headers": headers}


def answer_extra(request_id: str = "1", status: int = 200, **headers: str) -> Event:
    params: Json = {"requestId": request_id, "statusCode": status, "headers": headers}
    return "Network.responseReceivedExtraInfo", params


def finished(request_id: str = "1", size: object = 100, timestamp: object = 11.0) -> Event:
    params: Json = {
        "requestId": request_id,
        "encodedDataLength": size,
        "timestamp": timestamp,
    }
    return "Network.loadingFinished", params


def failed(request_id: str = "1", **more: object) -> Event:
    params: Json = {"requestId": request_id, "timestamp": 11.0, "errorText": "net::ERR_FAILED"}
    return "Network.loadingFailed", params | more
