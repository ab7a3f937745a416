"""Masks the secrets in what a page has sent, received and written to its console.

Cookies, authorisation, passwords, and what looks like a token. Everything is done by expressions
that take linear time: bodies may be large, cut, and no valid JSON.
"""

import os
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeVar, cast
from urllib.parse import unquote_plus

from jupyter_ac.browser.cdp import Json
from jupyter_ac.workers.redaction import redact_with, secrets_of

HIDDEN: Final = "…"
_LEAST_TOKEN: Final = 24
_LEAST_CODE: Final = 16
_LEAST_ODD: Final = 8
_MAX_DEPTH: Final = 30

_SECRET_PARTS: Final = re.compile(
    r"passw(?:or)?d|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential"
    r"|authori[sz]ation|signature|jwt|csrf|xsrf|session[-_]?id|cookie"
)
_SECRET_NAMES: Final = frozenset(
    {
        *("pwd", "pass", "auth", "sid", "session", "otp", "pin", "sig", "passcode", "bearer"),
        *("x-auth", "x-auth-key", "proxy-authenticate", "ssn", "cvv", "cvc"),
    }
)
_SECRET_WORDS: Final = (
    *("passw", "passphrase", "secret", "token", "api", "access", "private", "credential"),
    *("authori", "signature", "jwt", "csrf", "xsrf", "session", "cookie", *_SECRET_NAMES),
)
"""A text without any of these has no secret's name in it."""
_NAME_LIMIT: Final = 100
_HEADER_SCHEME: Final = re.compile(r"(?i:(bearer|basic|digest|token|negotiate)) ")
_JWT: Final = re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?")
_PEM: Final = re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*+(?:-----END[A-Z -]{0,60})?")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_TOKEN_CHARS: Final = re.compile(r"[\w.~+/=-]+", re.ASCII)

_PAIR: Final = re.compile(r"(?<![^?&#;\s\"'(>])([\w.\[\]%$-]{1,100}+)=([^&#;\s\"'<>]++)")
"""A parameter of a query or of a form: `name=value`."""
_JSON_PAIR: Final = re.compile(
    r'(?<![^\s{,\\])(\\{0,7}")([\w.$-]{1,100})(\1\s{0,20}:\s{0,20})'
    r'("(?:[^"\\]|\\.)*+"?|\\{1,7}"[^"\\]*+(?:\\{1,7}")?|\[[^\[\]{}]*+\]?'
    r"|-?\d[\d.eE+-]*+)",
    re.DOTALL,
)
"""A member of JSON, also of JSON in a string: `"name": "value"`; the value may be cut."""
_COLON_PAIR: Final = re.compile(
    r"(?<![\w.$-])([\w.$-]{1,100}+)('?[ \t]{0,3}:[ \t]{0,3})"
    r"(\"(?:[^\"\\\n]|\\.)*+\"?|'[^'\n]*+'?|[^\s,;}\"']++)"
)
"""What a console shows of an object, `{name: "value"}`, and what people log: `name: value`.

Also what Python shows of one: `{'name': 'value'}`.
"""
_ATTRIBUTE: Final = re.compile(
    r"(?<![\w.$-])([\w.$-]{1,100}+)(\s{0,3}=\s{0,3})(\"[^\"<>\n]++\"?|'[^'<>\n]++'?)"
)
"""An attribute of HTML, or a variable in a script: `name="value"`."""
_MULTIPART: Final = re.compile(r'(name="([^"\r\n]{1,100})"[^\r\n]{0,500}\r?\n\r?\n)([^\r\n]++)')
_INPUT: Final = re.compile(
    r"<(?:input|meta)\b(?:[^<>\"']|\"[^\"<]*+\"?|'[^'<]*+'?)*+", re.IGNORECASE
)
"""Each part ends at the next tag, so that no part of a text is looked at twice."""
_PASSWORD_INPUT: Final = re.compile(r"\btype\s{0,5}=\s{0,5}[\"']?password", re.IGNORECASE)
_INPUT_NAME: Final = re.compile(r"\bname\s{0,5}=\s{0,5}[\"']?([\w.\[\]-]{1,100})", re.IGNORECASE)
_INPUT_VALUE: Final = re.compile(
    r"(\b(?:value|content)\s{0,5}=\s{0,5})(\"[^\"]*+\"?|'[^']*+'?|[^\s>\"']++)", re.IGNORECASE
)
_LINE_HEADER: Final = re.compile(
    r"(?im)^((?:set-cookie|cookie|(?:proxy-)?authorization|x-api-key)[ \t]{0,5}:[ \t]{0,5})"
    r"([^\r\n]++)"
)

_Row = TypeVar("_Row")


@lru_cache(4096)
def is_secret_name(name: str) -> bool:
    """Return whether what has this name in a page is a secret: a header, a parameter, a field."""
    short = name[:_NAME_LIMIT].lower()
    if _SECRET_PARTS.search(short) is not None:
        return True
    return short.rstrip("]").rpartition("[")[2].rpartition(".")[2] in _SECRET_NAMES


class PageRedactor:
    """Masks secrets.

    Args:
        secrets: exact values to hide beside what looks like one; None: those in the environment.
    """

    def __init__(self, secrets: Sequence[str] | None = None) -> None:
        self._secrets = secrets_of(os.environ) if secrets is None else list(secrets)

    def text(self, text: str) -> str:
        """Mask a text of any kind: a message, a body, a frame."""
        text = _PEM.sub(HIDDEN, text)
        if "eyJ" in text:
            text = _JWT.sub(HIDDEN, text)
        text = _LINE_HEADER.sub(_mask_line, text)
        if "<" in text:
            text = _INPUT.sub(_mask_input, text)
        if _may_name_secrets(text):
            text = _mask_named(text)
        return redact_with(text, self._secrets)

    def url(self, url: str) -> str:
        """Mask a URL: user and password, secret parameters, tokens in the query and fragment."""
        if "?" not in url and "#" not in url and "@" not in url and len(url) < _LEAST_TOKEN:
            return url
        path, mark, rest = url.partition("?")
        if not mark:
            path, mark, rest = url.partition("#")
        if rest:
            rest = _PAIR.sub(_mask_parameter, rest)
        return redact_with(_JWT.sub(HIDDEN, path + mark + rest), self._secrets)

    def header(self, name: str, value: str) -> str:
        """Mask the value of a header."""
        low = name.lower()
        if low in ("cookie", "set-cookie"):
            return _mask_cookies(value, is_set=low == "set-cookie")
        if is_secret_name(low):
            scheme = _HEADER_SCHEME.match(value)
            return f"{scheme.group(1)} {HIDDEN}" if scheme is not None else HIDDEN
        if low in ("location", "referer", ":path", "origin", "content-location", "link"):
            return self.url(value)
        return redact_with(_JWT.sub(HIDDEN, value), self._secrets)

    def row(self, row: _Row) -> _Row:
        """Mask a row of a list: the members `url`, `message` and `error`."""
        masked = dict(cast("Json", row))
        if isinstance(url := masked.get("url"), str):
            masked["url"] = self.url(url)
        for name in ("message", "error"):
            if isinstance(value := masked.get(name), str):
                masked[name] = self.text(value)
        return cast("_Row", masked)

    def entry(self, entry: Json) -> Json:
        """Mask a HAR entry, with its headers, cookies, parameters, bodies and frames."""
        return cast("Json", self._value("", entry, 0))

    def _value(self, name: str, value: object, depth: int) -> object:
        if depth > _MAX_DEPTH:
            return HIDDEN
        if isinstance(value, str):
            return self._text_of_member(name, value)
        if isinstance(value, list):
            return [self._item(name, item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {key: self._value(str(key), item, depth + 1) for key, item in value.items()}
        return value

    def _text_of_member(self, name: str, value: str) -> str:
        if name in ("url", "redirectURL"):
            return self.url(value)
        return self.text(value)

    def _item(self, name: str, item: object, depth: int) -> object:
        """Mask an element of a list; those of names and values by the name."""
        if not isinstance(item, dict) or not {"name", "value"} <= item.keys():
            return self._value(name, item, depth)
        key, value = str(item["name"]), str(item["value"])
        masked: Callable[[str, str], str] = {
            "headers": self.header,
            "cookies": lambda _name, _value: HIDDEN,
        }.get(name, self._parameter)
        return {**item, "value": masked(key, value)}

    def _parameter(self, name: str, value: str) -> str:
        return HIDDEN if _is_secret_parameter(name, value) else self.text(value)


def _may_name_secrets(text: str) -> bool:
    """Whether one of the words is anywhere; to look for words is quicker than for names."""
    low = text.lower()
    return any(word in low for word in _SECRET_WORDS)


def _mask_named(text: str) -> str:
    """Mask the values that have a secret's name before them."""
    if 'name="' in text:
        text = _MULTIPART.sub(_mask_multipart, text)
    if ":" in text:
        text = _COLON_PAIR.sub(_mask_colon_pair, text)
    if "=" in text:
        text = _ATTRIBUTE.sub(_mask_attribute, _PAIR.sub(_mask_pair, text))
    return _JSON_PAIR.sub(_mask_member, text) if '"' in text else text


def _is_secret_parameter(name: str, value: str) -> bool:
    if is_secret_name(name) or (name.lower() == "key" and len(value) >= _LEAST_CODE):
        return True
    if name.lower() == "code":
        return len(value) >= _LEAST_CODE
    return _looks_like_token(value)


def _looks_like_token(value: str) -> bool:
    """Whether a parameter is long, without words, and no UUID."""
    return (
        len(value) >= _LEAST_TOKEN
        and _TOKEN_CHARS.fullmatch(value) is not None
        and "/" not in value
        and any(char.isdigit() for char in value)
        and any(char.isalpha() for char in value)
        and _UUID.fullmatch(value) is None
    )


def _mask_parameter(found: re.Match[str]) -> str:
    name, value = unquote_plus(found.group(1)), unquote_plus(found.group(2))
    return f"{found.group(1)}={HIDDEN}" if _is_secret_parameter(name, value) else found.group(0)


def _mask_pair(found: re.Match[str]) -> str:
    is_secret = is_secret_name(unquote_plus(found.group(1)))
    return f"{found.group(1)}={HIDDEN}" if is_secret else found.group(0)


def _mask_attribute(found: re.Match[str]) -> str:
    name, mark, _ = found.groups()
    return f'{name}{mark}"{HIDDEN}"' if is_secret_name(name) else found.group(0)


def _mask_colon_pair(found: re.Match[str]) -> str:
    name, colon, value = found.groups()
    if not is_secret_name(name):
        return found.group(0)
    if value[0] not in "\"'" and not _is_odd_word(name, value):
        return found.group(0)
    return f"{name}{colon}{HIDDEN}"


def _is_odd_word(name: str, value: str) -> bool:
    """Whether a bare word after a name is a secret rather than prose: "unexpected token: end"."""
    is_password = re.search(r"(?i)pass|pwd|secret", name) is not None
    return is_password or (len(value) >= _LEAST_ODD and any(char.isdigit() for char in value))


def _mask_member(found: re.Match[str]) -> str:
    mark, name, colon, value = found.groups()
    is_text = value[0] in '"[\\'
    if not is_secret_name(name) or (not is_text and "token" in name.lower()):
        inner = _JSON_PAIR.sub(_mask_member, value) if not mark[1:] and '\\"' in value else value
        return f"{mark}{name}{colon}{inner}"
    shown = f"{mark}{HIDDEN}{mark}"
    return f"{mark}{name}{colon}{shown}"


def _mask_multipart(found: re.Match[str]) -> str:
    return found.group(1) + HIDDEN if is_secret_name(found.group(2)) else found.group(0)


def _mask_input(found: re.Match[str]) -> str:
    tag = found.group(0)
    name = _INPUT_NAME.search(tag)
    is_secret = name is not None and is_secret_name(name.group(1))
    if not is_secret and _PASSWORD_INPUT.search(tag) is None:
        return tag
    return _INPUT_VALUE.sub(lambda value: f'{value.group(1)}"{HIDDEN}"', tag)


def _mask_line(found: re.Match[str]) -> str:
    return found.group(1) + HIDDEN


def _mask_cookies(value: str, *, is_set: bool) -> str:
    """Mask values of cookies, not the attributes of a cookie that is set."""
    first, *rest = value.split(";")
    masked = [_mask_cookie(first), *(rest if is_set else map(_mask_cookie, rest))]
    return ";".join(masked)


def _mask_cookie(cookie: str) -> str:
    name, mark, _ = cookie.partition("=")
    return f"{name}={HIDDEN}" if mark else HIDDEN
