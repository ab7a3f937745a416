"""The body of a POST: what its headers must say, its size, and its compression. Pure."""

import re
import zlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from jupyter_ac.hosts.sockets.local_access import Headers

_JSON: Final = re.compile(
    r"application/(?:json|json-rpc|jsonrequest)\s*(?:;\s*charset=\"?utf-8\"?\s*)?", re.IGNORECASE
)
_DIGITS: Final = re.compile(r"[0-9]{1,15}")
_GZIP: Final = 16 + zlib.MAX_WBITS
_PIECE: Final = 1 << 16


class HttpRefusal(Exception):
    """A request that is answered with a status and one sentence, before any call is read.

    Args:
        status: of HTTP.
        sentence: for the user.
        headers: further ones of the answer.
    """

    def __init__(
        self, status: HTTPStatus, sentence: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers: Mapping[str, str] = dict(headers or {})


def refuse_cross_site(headers: Headers) -> None:
    """Refuse what a browser sends on behalf of another site.

    Raises:
        HttpRefusal: 403.
    """
    if "cross-site" in headers.get_list("Sec-Fetch-Site"):
        raise HttpRefusal(HTTPStatus.FORBIDDEN, "Pages of other sites may not use this address.")


class RequestBody:
    """The body of one request, gathered as it comes.

    Args:
        headers: of the request.
        max_bytes: how long it may be, both as it comes and when it is unpacked.

    Raises:
        HttpRefusal: 415, it is no JSON or packed in an unknown way; 413, it is too long.
    """

    def __init__(self, headers: Headers, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        # One block: chunks may have a byte each, and an object for each takes many times that.
        self._body = bytearray()
        self._unpacker = _unpacker(headers.get_list("Content-Encoding"))
        types = headers.get_list("Content-Type")
        if len(types) != 1 or _JSON.fullmatch(types[0].strip()) is None:
            raise HttpRefusal(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                "Send JSON-RPC as JSON: Content-Type: application/json (in UTF-8).",
            )
        for length in headers.get_list("Content-Length"):
            if _DIGITS.fullmatch(length) and int(length) > max_bytes:
                raise self._too_long()

    def add(self, chunk: bytes) -> None:
        """Take the next bytes.

        Raises:
            HttpRefusal: 413, it is too long; 400, it is damaged.
        """
        if self._unpacker is None:
            self._keep(chunk)
            return
        try:
            while chunk:
                self._keep(self._unpacker.decompress(chunk, _PIECE))
                chunk = self._unpacker.unconsumed_tail
        except zlib.error as error:
            raise _damaged() from error
        if self._unpacker.unused_data:
            raise _damaged()

    def frame(self) -> bytes:
        """Return the unpacked body.

        Raises:
            HttpRefusal: 400, its end is missing.
        """
        if self._unpacker is not None and not self._unpacker.eof:
            raise _damaged()
        return bytes(self._body)

    def _keep(self, piece: bytes) -> None:
        if len(self._body) + len(piece) > self._max_bytes:
            self._body.clear()
            raise self._too_long()
        self._body += piece

    def _too_long(self) -> HttpRefusal:
        most = self._max_bytes / (1 << 20)
        sentence = f"A request may have at most {most:g} MiB, unpacked; send less at a time."
        return HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence)


def _unpacker(encodings: list[str]) -> "zlib._Decompress | None":
    encoding = ",".join(encodings).strip().lower()
    if encoding in {"", "identity"}:
        return None
    if encoding in {"gzip", "x-gzip"}:
        return zlib.decompressobj(_GZIP)
    raise HttpRefusal(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "The body may be packed by gzip only (Content-Encoding: gzip).",
        {"Accept-Encoding": "gzip"},
    )


def _damaged() -> HttpRefusal:
    return HttpRefusal(HTTPStatus.BAD_REQUEST, "The body is no complete gzip stream.")
