"""The addresses of a host and its refusals."""

import httpx
import pytest

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    Busy,
    ConnectionClosed,
    InvalidParams,
    NotFound,
    RemoteError,
    TooLarge,
)
from jupyter_ac.http_client.endpoint import Endpoint, refusal, translated


@pytest.mark.parametrize(
    ("url", "rpc", "events"),
    [
        ("http://h:1", "http://h:1/rpc", "http://h:1/events"),
        ("http://h:1/", "http://h:1/rpc", "http://h:1/events"),
        ("ws://h:1/rpc?token=t", "http://h:1/rpc", "http://h:1/events"),
        ("wss://h/a/?token=t&client=c", "https://h/a/rpc?client=c", "https://h/a/events?client=c"),
        (
            "https://h/user/ann/jupyter-ac/?repo=a%20b%2Fc#x",
            "https://h/user/ann/jupyter-ac/rpc?repo=a%20b%2Fc",
            "https://h/user/ann/jupyter-ac/events?repo=a%20b%2Fc",
        ),
    ],
)
def test_addresses(url: str, rpc: str, events: str) -> None:
    endpoint = Endpoint(url)
    expected = [httpx.URL(rpc), httpx.URL(events)]
    found = [endpoint.rpc, endpoint.events]
    assert [(each.copy_with(query=None), each.params) for each in found] == [
        (each.copy_with(query=None), each.params) for each in expected
    ]


def test_the_token_is_a_header_and_in_no_address() -> None:
    for endpoint in (Endpoint("http://h/?token=abc"), Endpoint("http://h/?token=x", "abc")):
        assert endpoint.headers["Authorization"] == "token abc"
        assert "token" not in f"{endpoint.rpc} {endpoint.events}"
    assert "Authorization" not in Endpoint("http://h/").headers


@pytest.mark.parametrize("url", ["", "h:1", "/rpc", "ftp://h/", "http://", "http://h:port/"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(InvalidParams):
        Endpoint(url)


@pytest.mark.parametrize(
    ("status", "headers", "error"),
    [
        (401, {}, AccessDenied),
        (403, {}, AccessDenied),
        (404, {}, NotFound),
        (413, {}, TooLarge),
        (415, {}, RemoteError),
        (429, {"Retry-After": "3"}, Busy),
        (503, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, Busy),
        (502, {}, ConnectionClosed),
    ],
)
def test_refusals(status: int, headers: dict[str, str], error: type[AcError]) -> None:
    found = refusal(status, headers, b'{"message": "No."}')
    assert type(found) is error
    assert found.message == "No."
    after = {"retry_after": 3} if headers.get("Retry-After") == "3" else {}
    assert found.details == after


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"message": 3}', b"\xff"])
def test_a_refusal_without_a_sentence_names_the_status(body: bytes) -> None:
    assert refusal(500, {}, body).message == "The server answered with the status 500."


@pytest.mark.parametrize(
    "raised",
    [
        httpx.ConnectTimeout("t"),
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("t"),
        httpx.RemoteProtocolError("cut"),
        httpx.DecodingError("no gzip"),
        httpx.StreamClosed(),
    ],
)
async def test_errors_of_the_connection(raised: Exception) -> None:
    with pytest.raises(ConnectionClosed, match=r"Repo\.m"):
        async with translated("Repo.m"):
            raise raised
