"""Rules that say what becomes of requests of a page: which are answered, blocked, delayed, paused.

    {"mock": {"*/api/user": {"status": 404, "body": "{}"}}, "block": ["*://ads.example.com/*"],
     "delay": {"*.js": 2000}, "pause": ["*/api/*"]}

If several rules match an address, the first kind in this order wins, of one kind the first rule.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict, cast

from jupyter_ac.browser.url_globs import MAX_GLOB_CHARS, browser_pattern, matches_glob
from jupyter_ac.errors import InvalidParams, TooLarge

MAX_RULES: Final = 500
MAX_BODY_BYTES: Final = 2 << 20
"""Of one answer, and of the answers of all rules."""
MAX_HEADERS: Final = 50
MAX_HEADER_CHARS: Final = 8192
MAX_DELAY_MS: Final = 60_000

_STATUSES: Final = range(200, 600)
_KINDS: Final = ("mock", "block", "delay", "pause")
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}")

Header: TypeAlias = tuple[str, str]
Action: TypeAlias = Literal["mock", "block", "delay", "pause", "continue"]


class MockResponse(TypedDict):
    """An answer that a page gets in the place of the server's.

    Attributes:
        body: as text; "" by default.
        base64: whether `body` is in base64; false by default.
        status: 200 by default.
        headers: by their names. The type of the content is added if it is missing, and what pages
            of other origins need to read the answer.
    """

    body: NotRequired[str]
    base64: NotRequired[bool]
    status: NotRequired[int]
    headers: NotRequired[dict[str, str]]


class InterceptionRules(TypedDict):
    """Rules by what they do; each key may be missing.

    Attributes:
        mock: answers by globs of addresses; a text is the body of one.
        block: globs of addresses that aren't requested.
        delay: milliseconds by globs of addresses that are requested later.
        pause: globs of addresses that wait until they are resumed, failed or fulfilled.
    """

    mock: NotRequired[dict[str, str | MockResponse]]
    block: NotRequired[list[str]]
    delay: NotRequired[dict[str, int]]
    pause: NotRequired[list[str]]


@dataclass(frozen=True)
class Mock:
    """An answer, checked."""

    status: int = 200
    headers: tuple[Header, ...] = ()
    body: bytes = b""


@dataclass(frozen=True)
class Rule:
    """What becomes of requests whose address matches a glob."""

    action: Action
    glob: str
    mock: Mock = Mock()
    delay_ms: int = 0


CONTINUE: Final = Rule("continue", "*")
"""What holds if no rule matches."""


class RuleSet:
    """Rules in the order in which they hold.

    Args:
        rules: in this order.
        source: what they were parsed from.
    """

    def __init__(
        self, rules: tuple[Rule, ...] = (), source: Mapping[str, object] | None = None
    ) -> None:
        self._rules = rules
        self.source: Mapping[str, object] = source or {}

    def __len__(self) -> int:
        return len(self._rules)

    def decide(self, url: str) -> Rule:
        """Return the first rule for an address, or `CONTINUE`."""
        return next((rule for rule in self._rules if matches_glob(url, rule.glob)), CONTINUE)

    def patterns(self) -> list[str]:
        """Return patterns for the browser, which match at least what the rules match."""
        return list(dict.fromkeys(browser_pattern(rule.glob) for rule in self._rules))

    def counts(self) -> dict[str, int]:
        """Return how many rules there are of each kind."""
        return {kind: sum(rule.action == kind for rule in self._rules) for kind in _KINDS}


def parse_rules(value: object) -> RuleSet:
    """Check rules.

    Args:
        value: in the form of `InterceptionRules`.

    Raises:
        InvalidParams: it isn't in this form.
        TooLarge: there are too many, or their answers are too long.
    """
    if not isinstance(value, dict) or not value.keys() <= set(_KINDS):
        raise InvalidParams(f"Rules must be an object with the keys {', '.join(_KINDS)}.")
    rules = tuple(rule for kind in _KINDS if kind in value for rule in _rules_of(kind, value[kind]))
    if len(rules) > MAX_RULES:
        raise TooLarge(f"There are more than {MAX_RULES} rules; use fewer, wider globs.")
    if sum(len(rule.mock.body) for rule in rules) > MAX_BODY_BYTES:
        raise TooLarge(f"The answers of the rules are longer than {MAX_BODY_BYTES} bytes.")
    return RuleSet(rules, value)


def parse_headers(value: object) -> tuple[Header, ...]:
    """Check headers: an object, or a list of objects with `name` and `value`.

    Raises:
        InvalidParams: they aren't headers.
    """
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        if not all(isinstance(each, dict) and each.keys() == {"name", "value"} for each in value):
            raise InvalidParams('Each header of a list must have "name" and "value".')
        pairs = [(each["name"], each["value"]) for each in value]
    else:
        raise InvalidParams("Headers must be an object or a list.")
    if len(pairs) > MAX_HEADERS:
        raise InvalidParams(f"There are more than {MAX_HEADERS} headers.")
    for name, text in pairs:
        if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
            raise InvalidParams(f"{json.dumps(name)[:80]} can't be the name of a header.")
        if not _is_header_value(text):
            raise InvalidParams(f"The header {name} must have a short value in printable ASCII.")
    return tuple(cast("list[Header]", pairs))


def parse_status(value: object) -> int:
    """Check the status of an answer.

    Raises:
        InvalidParams: it is none from 200 to 599.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value not in _STATUSES:
        raise InvalidParams("The status of an answer must be a number from 200 to 599.")
    return value


def parse_body(value: object, *, is_base64: bool) -> bytes:
    """Check the body of an answer.

    Raises:
        InvalidParams: it is no text, or not in base64.
        TooLarge: it is too long.
    """
    if not isinstance(value, str):
        raise InvalidParams("The body of an answer must be a text; write JSON as a text.")
    try:
        body = base64.b64decode(value, validate=True) if is_base64 else value.encode()
    except (UnicodeEncodeError, binascii.Error, ValueError) as error:
        raise InvalidParams("The body of the answer is not valid text or base64.") from error
    if len(body) > MAX_BODY_BYTES:
        raise TooLarge(f"The body of an answer is longer than {MAX_BODY_BYTES} bytes.")
    return body


def _rules_of(kind: str, value: object) -> Iterator[Rule]:
    if kind in {"block", "pause"}:
        if not isinstance(value, list):
            raise InvalidParams(f'"{kind}" must be a list of globs.')
        yield from (Rule(cast("Action", kind), _glob(kind, glob)) for glob in value)
        return
    if not isinstance(value, dict):
        raise InvalidParams(f'"{kind}" must be an object whose keys are globs.')
    for glob, what in value.items():
        if kind == "mock":
            yield Rule("mock", _glob(kind, glob), mock=_mock(what))
        else:
            yield Rule("delay", _glob(kind, glob), delay_ms=_delay(what))


def _glob(kind: str, value: object) -> str:
    is_glob = isinstance(value, str) and 0 < len(value) <= MAX_GLOB_CHARS and value.isprintable()
    if not is_glob:
        raise InvalidParams(
            f'A glob of "{kind}" must be a text of 1 to {MAX_GLOB_CHARS} printable characters.'
        )
    return cast("str", value)


def _mock(value: object) -> Mock:
    if isinstance(value, str):
        value = {"body": value}
    if not isinstance(value, dict) or not value.keys() <= MockResponse.__annotations__.keys():
        raise InvalidParams(
            "A mock must be a text or an object with body, base64, status and headers."
        )
    is_base64 = value.get("base64", False)
    if not isinstance(is_base64, bool):
        raise InvalidParams('"base64" of a mock must be true or false.')
    return Mock(
        status=parse_status(value.get("status", 200)),
        headers=parse_headers(value.get("headers", {})),
        body=parse_body(value.get("body", ""), is_base64=is_base64),
    )


def _delay(value: object) -> int:
    is_delay = isinstance(value, int) and not isinstance(value, bool)
    if not is_delay or not 0 <= cast("int", value) <= MAX_DELAY_MS:
        raise InvalidParams(f"A delay must be a number from 0 to {MAX_DELAY_MS} milliseconds.")
    return cast("int", value)


def _is_header_value(value: object) -> bool:
    return (
        isinstance(value, str)
        and len(value) <= MAX_HEADER_CHARS
        and value.isascii()
        and value.replace("\t", " ").isprintable()
    )


def answer_headers(
    headers: tuple[Header, ...], body: bytes, request_headers: Mapping[str, object]
) -> list[dict[str, str]]:
    """Return the headers of an answer as the browser wants them, with what is missing.

    Args:
        headers: that the answer has.
        body: of the answer, for its type.
        request_headers: of the request. From a page of another origin, the answer allows it.
    """
    names = {name.casefold() for name, _ in headers}
    sent = {name.casefold(): str(value) for name, value in request_headers.items()}
    more = []
    if "content-type" not in names and body:
        more.append(("Content-Type", _content_type(body)))
    origin = sent.get("origin")
    if origin and "access-control-allow-origin" not in names:
        more += [
            ("Access-Control-Allow-Origin", origin),
            ("Access-Control-Allow-Credentials", "true"),
        ]
    return [{"name": name, "value": value} for name, value in (*headers, *more)]


def _content_type(body: bytes) -> str:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        start = body[:100].lstrip().lower()
        is_html = start.startswith((b"<!doctype html", b"<html"))
        return "text/html; charset=utf-8" if is_html else "text/plain; charset=utf-8"
    return "application/json"
