"""What the headers of a POST must say, and how its body is unpacked."""

import gzip
import zlib
from contextlib import suppress
from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tornado.httputil import HTTPHeaders

from jupyter_ac.hosts.edge.request_body import HttpRefusal, RequestBody, refuse_cross_site

JSON = "application/json"
MOST = 1000


def body(**headers: str) -> RequestBody:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return RequestBody(HTTPHeaders({"Content-Type": JSON, **named}), MOST)


def refused(status: HTTPStatus, **headers: str) -> None:
    with pytest.raises(HttpRefusal) as caught:
        body(**headers)
    assert caught.value.status is status
    assert caught.value.sentence.endswith((".", ")."))


@pytest.mark.parametrize(
    "kind",
    [
        JSON,
        "application/json; charset=utf-8",
        'Application/JSON;charset="UTF-8"',
        "application/json-rpc",
    ],
)
def test_json_is_taken(kind: str) -> None:
    made = body(Content_Type=kind)
    made.add(b"{")
    made.add(b"}")
    assert made.frame() == b"{}"


@pytest.mark.parametrize(
    "kind",
    [
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/json; charset=latin-1",
        "application/jsonx",
        "text/plain, application/json",
    ],
)
def test_what_a_form_of_any_page_could_send_is_refused(kind: str) -> None:
    refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, Content_Type=kind)


def test_a_second_type_or_none_is_refused() -> None:
    twice = HTTPHeaders()
    for _ in range(2):
        twice.add("Content-Type", JSON)
    for headers in (HTTPHeaders(), twice):
        with pytest.raises(HttpRefusal) as caught:
            RequestBody(headers, MOST)
        assert caught.value.status is HTTPStatus.UNSUPPORTED_MEDIA_TYPE


def test_a_length_that_is_too_long_is_refused_at_once() -> None:
    refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, Content_Length="1001")
    assert body(Content_Length="1000").frame() == b""


def test_a_body_without_a_length_is_measured() -> None:
    made = body()
    made.add(b"x" * MOST)
    with pytest.raises(HttpRefusal) as caught:
        made.add(b"x")
    assert caught.value.status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE


@given(st.binary(max_size=MOST), st.integers(1, 9), st.integers(1, 50))
def test_gzip_is_unpacked_however_it_is_cut(data: bytes, level: int, step: int) -> None:
    packed = gzip.compress(data, level)
    made = body(Content_Encoding="gzip")
    for start in range(0, len(packed), step):
        made.add(packed[start : start + step])
    assert made.frame() == data


@given(st.binary(min_size=1, max_size=200))
def test_no_bytes_crash_the_unpacker(data: bytes) -> None:
    made = body(Content_Encoding="gzip")
    with suppress(HttpRefusal):
        made.add(data)
        made.frame()


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    packed = gzip.compress(b"\0" * (64 << 20), 9)
    made = body(Content_Encoding="gzip")
    with pytest.raises(HttpRefusal) as caught:
        made.add(packed)
    assert caught.value.status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE


@pytest.mark.parametrize(
    "packed",
    [gzip.compress(b"{}")[:-3], gzip.compress(b"{}") + b"more", zlib.compress(b"{}"), b"{}"],
    ids=["cut", "more behind it", "zlib", "plain"],
)
def test_what_is_no_gzip_is_refused(packed: bytes) -> None:
    made = body(Content_Encoding="gzip")

    def unpack() -> bytes:
        made.add(packed)
        return made.frame()

    with pytest.raises(HttpRefusal) as caught:
        unpack()
    assert caught.value.status is HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, gzip", "zstd"])
def test_other_ways_of_packing_are_refused(encoding: str) -> None:
    refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, Content_Encoding=encoding)


def test_pages_of_other_sites_are_refused() -> None:
    for site in ("same-origin", "same-site", "none"):
        refuse_cross_site(HTTPHeaders({"Sec-Fetch-Site": site}))
    refuse_cross_site(HTTPHeaders())
    with pytest.raises(HttpRefusal) as caught:
        refuse_cross_site(HTTPHeaders({"Sec-Fetch-Site": "cross-site"}))
    assert caught.value.status is HTTPStatus.FORBIDDEN
