"""What a user changes in a paused request or response, checked and as the browser wants it."""

import base64
from collections.abc import Mapping
from typing import Final, NoReturn
from urllib.parse import urlsplit

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.interception_rules import MAX_BODY_BYTES, parse_headers, parse_status
from jupyter_ac.errors import InvalidParams

FAIL_REASONS: Final = frozenset(
    {
        "Failed",
        "Aborted",
        "TimedOut",
        "AccessDenied",
        "ConnectionClosed",
        "ConnectionReset",
        "ConnectionRefused",
        "ConnectionAborted",
        "ConnectionFailed",
        "NameNotResolved",
        "InternetDisconnected",
        "AddressUnreachable",
        "BlockedByClient",
        "BlockedByResponse",
    }
)

_MAX_URL_CHARS: Final = 100_000
_MAX_METHOD_CHARS: Final = 32
_MAX_PHRASE_CHARS: Final = 200
_REQUEST: Final = {
    "url": "url",
    "method": "method",
    "headers": "headers",
    "post_data": "postData",
    "intercept_response": "interceptResponse",
}
_RESPONSE: Final = {
    "response_code": "responseCode",
    "response_headers": "responseHeaders",
    "response_phrase": "responsePhrase",
}


def parse_reason(value: object) -> str:
    """Check why a request shall fail.

    Raises:
        InvalidParams: the browser doesn't know the reason.
    """
    if not isinstance(value, str) or value not in FAIL_REASONS:
        raise InvalidParams(f"The reason must be one of {', '.join(sorted(FAIL_REASONS))}.")
    return value


def request_changes(modifications: object) -> Json:
    """Return the changes of a request, as parameters of `Fetch.continueRequest`.

    Args:
        modifications: None, or an object with any of: `url` (http or https; the page isn't told),
            `method`, `headers` (all of them, see `parse_headers`), `post_data` (text),
            `intercept_response` (whether it is paused again when the response comes). The browser's
            own spelling of the names (`postData`) is also known.

    Raises:
        InvalidParams: they are wrong.
    """
    changes = _named(modifications, _REQUEST, "request")
    if "url" in changes and not _is_web_address(changes["url"]):
        raise InvalidParams("The url of a request must begin with http: or https:.")
    if "method" in changes and not _is_method(changes["method"]):
        raise InvalidParams("The method of a request must be a word, as GET.")
    if not isinstance(changes.get("interceptResponse", False), bool):
        raise InvalidParams("intercept_response must be true or false.")
    if "headers" in changes:
        changes["headers"] = _entries(changes["headers"])
    if "postData" in changes:
        changes["postData"] = _encoded(changes["postData"])
    return changes


def response_changes(modifications: object, event: Mapping[str, object]) -> Json:
    """Return the changes of a response, as parameters of `Fetch.continueResponse`.

    Args:
        modifications: None, or an object with any of: `response_code`, `response_headers` (all of
            them), `response_phrase`; the browser's spelling is also known.
        event: of the pause. The browser wants status and headers together, so what isn't changed
            is taken from it.

    Raises:
        InvalidParams: they are wrong.
    """
    changes = _named(modifications, _RESPONSE, "response")
    if not changes:
        return {}
    if "responseErrorReason" in event:
        raise InvalidParams("The request has failed, so there is no response; fulfill it instead.")
    if "responseCode" in changes:
        changes["responseCode"] = parse_status(changes["responseCode"])
    if "responseHeaders" in changes:
        changes["responseHeaders"] = _entries(changes["responseHeaders"])
    phrase = changes.get("responsePhrase", "")
    if not isinstance(phrase, str) or len(phrase) > _MAX_PHRASE_CHARS or not phrase.isprintable():
        raise InvalidParams("The phrase of a response must be a short line.")
    kept: Json = {
        "responseCode": event.get("responseStatusCode", 200),
        "responseHeaders": event.get("responseHeaders", []),
    }
    return kept | changes


def _named(modifications: object, names: Mapping[str, str], what: str) -> Json:
    """The changes by the browser's names."""
    if modifications is None:
        return {}
    if not isinstance(modifications, dict):
        raise InvalidParams("modifications must be an object.")
    changes: Json = {}
    for name, value in modifications.items():
        known = names.get(name, name)
        if known not in names.values() or known in changes:
            _refuse(name, names, what)
        changes[known] = value
    return changes


def _refuse(name: object, names: Mapping[str, str], what: str) -> NoReturn:
    raise InvalidParams(
        f"{str(name)[:80]!r} can't be changed, or not twice; of a {what} can be changed: "
        f"{', '.join(names)}."
    )


def _entries(headers: object) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in parse_headers(headers)]


def _encoded(text: object) -> str:
    if not isinstance(text, str) or len(text) > MAX_BODY_BYTES:
        raise InvalidParams(f"post_data must be a text of at most {MAX_BODY_BYTES} characters.")
    return base64.b64encode(text.encode("utf-8", "replace")).decode()


def _is_method(value: object) -> bool:
    return (
        isinstance(value, str)
        and 0 < len(value) <= _MAX_METHOD_CHARS
        and value.isascii()
        and value.isalpha()
    )


def _is_web_address(value: object) -> bool:
    if not isinstance(value, str) or len(value) > _MAX_URL_CHARS:
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)
