"""Finds where a text holds secrets: keys, named values, connection strings, headers, key blocks.

Looks at text only, whatever its language: code, JSON, reprs, logs, the output of `env`. What is
found is replaced by `secret_masking`; finding too much costs the model a value, finding too little
sends a secret.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from jupyter_ac.chat.secret_lists import listed_values
from jupyter_ac.chat.secret_literals import quoted_values
from jupyter_ac.chat.secret_names import (
    LONGEST_NAME,
    NAME_PART,
    PIN_NAME,
    is_password_name,
    is_secret_value_name,
    whole_name,
)
from jupyter_ac.chat.secret_settings import setting_values
from jupyter_ac.chat.secret_values import REFERENCE, is_expression, is_ordinary, is_reference
from jupyter_ac.chat.text_spans import Span, matches, merged
from jupyter_ac.workers.redaction import PROVIDER_KEYS

_VARIABLE: Final = re.compile(r"(?<![\w$])([A-Z][A-Z0-9_]{2,60}+)=([^\s\"'`()\[\]{},;]{3,})")
_VARIABLE_LINE: Final = re.compile(
    r"[ \t]*(?:(?:export|set|ENV|-e|-|%env|%set_env|!export)[ \t]+)?\Z"
)
_MAGIC: Final = re.compile(r"(?<=%env |_env )[ ]{0,4}(\w{3,60}+)[ ]{1,4}([^\s\"'`()\[\]{},;=]{3,})")

_COLON: Final = re.compile(
    NAME_PART + r"[\w-]{0,40}+[ \t]{0,4}:[ \t]{1,8}([^\s\"'`,;()\[\]{}<>]{6,}+)(?=\s|\Z)"
)
_TYPE: Final = re.compile(
    r"(?:u?int|float|complex|bool|str|bytes|datetime|timedelta|Int|UInt|Float|Utf|S|U)\d*(?:\[\w+\])?"
)

_DIGITS: Final = re.compile(
    NAME_PART + r"\w{0,40}+\\{0,3}[\"']?\]?[ \t]{0,8}(?::[ ]?(?:int|float)[ ](?==))?"
    r"(?:<{1,2}-|:?=(?!=)|:)[ \t]{0,8}(\d{4,}+)(?![\w.])"
)
"""A number after a name."""

_PIN: Final = re.compile(
    PIN_NAME + r"\\{0,3}[\"']?\]?[ \t]{0,8}(?::[ ]?(?:int|str)[ ](?==))?"
    r"(?:=>|<{1,2}-|:?=(?!=)|:)[ \t]{0,8}\\{0,3}[\"']?(\d{4,12}+)(?![\w.])"
)

_NUMBERED: Final = re.compile(
    r".*(?:pass(?:w(?:or)?d|phrase)?|pwd?|secret|token|key)\Z", re.IGNORECASE
)
_LEAST_KEY_DIGITS: Final = 6

_PAIR: Final = re.compile(
    r"(?i)(?<![A-Za-z0-9.])(?:password|pwd|passwd|accountkey|sharedaccesskey"
    r"|sharedaccesssignature|secret|secretkey|accesstoken|apikey|token)"
    r"=([^\s\"',;()\[\]{}\\]++)(?=[\"'\\]|;|\Z|[ ]\w{1,30}=)"
)
"""A member of a connection string."""

_QUERY: Final = re.compile(r"[?&;]([\w.-]{1,64}+)=([^&;\s\"'<>#()\[\]{}\\]{3,})")
_QUERY_NAME: Final = re.compile(
    r"(?:key|sig|signature|auth|jwt|code|x-amz-(?:signature|credential|security-token))\Z",
    re.IGNORECASE,
)

_HEADER: Final = re.compile(
    r"(?i)(?<![\w-])(authorization[\"'\\]{0,4}[ ]{0,2}[:=,][ ]{0,2}[fbr]?[\"'\\]{0,4})?"
    r"(?:bearer|basic|token|apikey|digest)[ ]{1,4}([\w.~+/=-]{8,})"
)
_ADDRESS: Final = re.compile(r"://(?:[^/\s@:\"']*:([^/\s@\"']+)|([^/\s@:\"']{8,}))@")
_CUT_ADDRESS: Final = re.compile(r"://[^/\s@:\"']{0,200}+:([^/\s@\"':|…]{4,}+)(?=[…|\s\"']|\Z)")
"""An address that a summary has cut inside of its password."""

_JWT: Final = re.compile(r"(?:(?<![\w-])|(?<=\\[nrt]))eyJ[\w-]{6,}+\.[\w-]{6,}+(?:\.[\w-]*+){0,3}+")
_PROVIDER: Final = re.compile(PROVIDER_KEYS)
_PRIVATE_KEY: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,20}-----")
_PRIVATE_KEY_END: Final = "-----END "
_LEAST_BODY: Final = 16
_BASE64: Final = re.compile(r"[A-Za-z0-9+/=\s\\:,-]*")

_DIGIT_OR_SIGN: Final = re.compile(r"[A-Za-z_.:-]*+[^A-Za-z_.:-]")


def find_secrets(text: str) -> list[Span]:
    """Return where a text seems to hold secrets, in order; spans don't overlap."""
    return merged([span for find in _FINDERS for span in find(text)])


def _variables(text: str) -> Iterator[Span]:
    for match in (*matches(_VARIABLE, text), *matches(_MAGIC, text)):
        name, value = match.groups()
        if not is_secret_value_name(name) or is_ordinary(value) or value == name:
            continue
        before = text[max(0, match.start() - 80) : match.start()]
        line = before.rpartition("\n")[2]
        if match.re is _MAGIC or _VARIABLE_LINE.match(line) or _DIGIT_OR_SIGN.match(value):
            yield match.span(2)


def _colon_values(text: str) -> Iterator[Span]:
    for match in matches(_COLON, text):
        name, _ = whole_name(text, match.start())
        value = match[1]
        if (
            is_secret_value_name(name)
            and not is_ordinary(value)
            and not _TYPE.fullmatch(value)
            and _DIGIT_OR_SIGN.match(value)
        ):
            yield match.span(1)


def _numbers(text: str) -> Iterator[Span]:
    for match in matches(_DIGITS, text):
        name, _ = whole_name(text, match.start())
        is_long = len(match[1]) >= _LEAST_KEY_DIGITS or is_password_name(name)
        if is_long and _NUMBERED.match(name) and is_secret_value_name(name):
            yield match.span(1)


def _pins(text: str) -> Iterator[Span]:
    for match in matches(_PIN, text):
        yield match.span(1)


def _connection_members(text: str) -> Iterator[Span]:
    for match in matches(_PAIR, text):
        before = text[max(0, match.start() - 1) : match.start()]
        after = text[match.end() : match.end() + 2]
        is_member = before == ";" or (before in "\"' " and not after.startswith(";\n"))
        if is_member and not is_expression(match[1]):
            yield match.span(1)


def _query_values(text: str) -> Iterator[Span]:
    for match in matches(_QUERY, text):
        name, value = match.groups()
        is_secret = is_secret_value_name(name) or _QUERY_NAME.match(name) is not None
        if is_secret and not is_ordinary(value):
            yield match.span(2)


def _header_values(text: str) -> Iterator[Span]:
    for match in matches(_HEADER, text):
        value = match[2]
        if match[1] or any(sign.isdigit() for sign in value) or value.endswith("="):
            yield match.span(2)


def _addresses(text: str) -> Iterator[Span]:
    for match in matches(_ADDRESS, text):
        group = 1 if match[1] else 2
        value = match[group]
        has_digit = any(sign.isdigit() for sign in value)
        if not is_reference(value) and (group == 1 or has_digit):
            yield match.span(group)
    for match in matches(_CUT_ADDRESS, text):
        if not match[1].isdigit() and not REFERENCE.match(match[1]):  # a number is a port
            yield match.span(1)


def _keys(text: str) -> Iterator[Span]:
    for match in matches(_PROVIDER, text):
        key = match[0]
        # Identifiers such as `pk_of_the_referenced_table` have neither a digit nor a hyphen.
        if "-" in key or any(sign.isdigit() for sign in key.removeprefix("r8")):
            yield match.span()
    for match in matches(_JWT, text):
        yield match.span()


def _private_keys(text: str) -> Iterator[Span]:
    at, has_end = 0, True
    for match in matches(_PRIVATE_KEY, text):
        if match.start() < at:
            continue
        end = text.find(_PRIVATE_KEY_END, match.end()) if has_end else -1
        has_end = end >= 0
        if has_end:
            close = text.find("-----", end + len(_PRIVATE_KEY_END), end + LONGEST_NAME)
            at = close + len("-----") if close >= 0 else end
            yield match.start(), at
        elif (body := _BASE64.match(text, match.end())) and len(body[0]) >= _LEAST_BODY:
            at = body.end()  # the output was cut
            yield match.start(), at


_FINDERS: Final[tuple[Callable[[str], Iterator[Span]], ...]] = (
    quoted_values,
    listed_values,
    setting_values,
    _variables,
    _colon_values,
    _numbers,
    _pins,
    _connection_members,
    _query_values,
    _header_values,
    _addresses,
    _keys,
    _private_keys,
)
