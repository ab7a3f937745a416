"""Finds where a text holds secrets: keys, named values, connection strings, headers, key blocks.

Looks at text only, whatever its language: code, JSON, reprs, logs, the output of `env`. What is
found is replaced by `secret_masking`; finding too much costs the model a value, finding too little
sends a secret.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from jupyter_ac.workers.redaction import PROVIDER_KEYS

Span: TypeAlias = tuple[int, int]
"""Start and end of a secret in a text, in characters."""

_SLICE_CHARS: Final = 64 * 1024
"""A regular expression holds the interpreter lock, so long texts are searched in slices."""

_OVERLAP_CHARS: Final = 8 * 1024

_WORD: Final = r"(?i:pass(?:w(?:or)?d|phrase)?|pwd?|secret|cred(?:ential)?|token|key)"
"""A part of the names of secrets; `is_secret_value_name` decides about the whole name."""

_PLAIN_NAME: Final = re.compile(
    r".*(?:tokeni[sz]"
    r"|(?:sort|primary|foreign|partition|public|pub|cache|group|join|index|row|dict|order|unique"
    r"|lookup|merge|hash|first|last|next|prev|parent|left|right|search|object|idempotency"
    r"|col|column|data|json)[_-]?keys?\Z"
    r"|(?:pad|bos|eos|unk|sep|cls|mask|special|stop|start|end|max|min|num|new|prompt|completion"
    r"|input|output|image|total)[_-]?tokens?\Z"
    r"|tokens?[_-]?(?:type|url|ids?|count|index|kind|class|len|length|limit|endpoint|usage)\Z"
    r"|passw(?:or)?d[_-](?:field|label|placeholder|hint|prompt|policy|length)\Z"
    r"|secret[_-]name\Z|[_-](?:file|filename|path|dir|folder|env|var|header|url)\Z)",
    re.IGNORECASE,
)
"""Names from databases, parsers and language models that hold no secret."""

_SECRET_WORD: Final = re.compile(
    r".*(?:passw(?:or)?d|passphrase|secret|credential|token|pwd\Z|(?<![^\W_])(?:pw|creds?)\Z"
    r"|(?<![^\W_])(?:db|database|user|admin|root|login|auth|my(?:sql)?|pg|postgres|redis|mongo"
    r"|smtp|imap|e?mail|ldap|s?ftp|ssh|vpn|wifi|proxy|sudo)[_-]?pass\Z"
    r"|(?:[_-]|api|access|account|auth|private|signing|encryption)keys?(?:[_-]id)?\Z)",
    re.IGNORECASE,
)
_CAMEL_KEY: Final = re.compile(r".*[a-z]Keys?\Z")
_PASS_WORD: Final = re.compile(
    r".*(?:passw(?:or)?d|passphrase|pwd|secret|pass\Z|pw\Z)", re.IGNORECASE
)

_QUOTED: Final = re.compile(
    _WORD
    + r"""
    [\w-]{0,40}+
    (?P<named>\\{0,3}["'])?
    (?:\]|[ ]?\([^()"'\n]{0,60}\))?
    [ \t]{0,8}
    (?::[ \t]{0,4}[A-Za-z_][\w\[\].|,]{0,60}(?:[ ]\|[ ]\w{1,40}|[ ]\(\w{0,40}\))?[ \t]{0,4}(?==))?
    (?P<separator>=>|=(?!=)|:(?!:)|,)
    [ \t]{0,8}(?P<paren>\()?(?:\r?\n[ \t]{0,40})?
    [rbufRBUF]{0,2}(?P<quote>\\{0,3}(?:\"{3}|'{3}|["']))
    """,
    re.VERBOSE,
)
"""A name, then a separator, then the quote that opens its value."""

_NEXT_LITERAL: Final = re.compile(
    r"[\"']{1,3}\s{0,200}[rbufRBUF]{0,2}(?P<quote>\\{0,3}(?:\"{3}|'{3}|[\"']))"
)
"""In parentheses: the end of a part of a value, and the quote that opens the next part."""

_TYPE_NAME: Final = re.compile(r"[A-Z][A-Za-z]{0,40}|[A-Za-z]{1,40}(?:Str|Bytes)")

_BODIES: Final = {
    '"': re.compile(r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+'),
    "'": re.compile(r"[^'\\\n]*+(?:\\.[^'\\\n]*+)*+"),
    "\\": re.compile(r"""(?:[^"'\\\n]++|\\{2,}["']?|\\[^"'\\\n])*+"""),
}
"""What is between two quotes; the last one is for quotes that have a backslash themselves."""

_VARIABLE: Final = re.compile(r"(?<![\w$])([A-Z][A-Z0-9_]{2,60}+)=([^\s\"'`()\[\]{},;]{3,})")
_VARIABLE_LINE: Final = re.compile(
    r"[ \t]*(?:(?:export|set|ENV|-e|%env|%set_env|!export)[ \t]+)?\Z"
)
_MAGIC: Final = re.compile(r"(?<=%env |_env )[ ]{0,4}(\w{3,60}+)[ ]{1,4}([^\s\"'`()\[\]{},;=]{3,})")

_COLON: Final = re.compile(
    _WORD + r"[\w-]{0,40}+[ \t]{0,4}:[ \t]{1,8}([^\s\"'`,;()\[\]{}<>]{6,}+)(?=\s|\Z)"
)
_TYPE: Final = re.compile(
    r"(?:u?int|float|complex|bool|str|bytes|datetime|timedelta|Int|UInt|Float|Utf|S|U)\d*(?:\[\w+\])?"
)

_DIGITS: Final = re.compile(
    _WORD + r"\w{0,40}+\\{0,3}[\"']?\]?[ \t]{0,8}(?::[ ]?(?:int|float)[ ](?==))?"
    r"(?:=(?!=)|:)[ \t]{0,8}(\d{4,}+)(?![\w.])"
)
"""A number after a name."""

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

_INTERPOLATION: Final = re.compile(r"\{[^{}\n]{0,200}\}|%\(\w{1,60}\)s")
_REFERENCE: Final = re.compile(
    r"\{[A-Za-z_][\w.]{0,200}\}|\$\{[^{}]{1,200}\}|\$[A-Z][A-Z0-9_]*|\{\{[^{}]{1,200}\}\}|%s|\*+"
)
_CONSTANTS: Final = frozenset(("None", "True", "False", "null", "true", "false"))
_DIGIT_OR_SIGN: Final = re.compile(r"[A-Za-z_.:-]*+[^A-Za-z_.:-]")
_NUMBER: Final = re.compile(r"[\d.,eE+-]{1,6}%?")

_LONGEST_NAME: Final = 64
_NAME: Final = re.compile(r"[\w-]*+")
_LINE_CHARS: Final = 400
"""How far back the beginning of a line is looked for."""

_LEAST_CHARS: Final = 4
"""Shorter values of keys and tokens are parts of a language, such as `token = "("`."""


def is_secret_value_name(name: str) -> bool:
    """Return whether a variable, key or parameter of this name is likely to hold a secret."""
    if _PLAIN_NAME.match(name):
        return False
    return _SECRET_WORD.match(name) is not None or _CAMEL_KEY.match(name) is not None


def find_secrets(text: str) -> list[Span]:
    """Return where a text seems to hold secrets, in order; spans don't overlap."""
    return merged([span for find in _FINDERS for span in find(text)])


def merged(spans: list[Span]) -> list[Span]:
    """Sort spans and join those that overlap."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif end > start:
            joined.append((start, end))
    return joined


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches in slices of a text; one that a slice cuts is completed."""
    for start in range(0, len(text), _SLICE_CHARS):
        edge = start + _SLICE_CHARS + _OVERLAP_CHARS
        for match in pattern.finditer(text, start, edge):
            if match.start() >= start + _SLICE_CHARS:
                break
            whole = pattern.match(text, match.start()) if match.end() == edge else match
            if whole is not None:
                yield whole


def _quoted_values(text: str) -> Iterator[Span]:
    for match in _matches(_QUOTED, text):
        name, start = _whole_name(text, match.start())
        quote, separator = match["quote"], match["separator"]
        if not is_secret_value_name(name):
            continue
        end, is_closed = _closing_quote(text, match.end(), quote)
        value = text[match.end() : end]
        if separator == ",":
            is_value = _is_pair(text, match, start) and not is_secret_value_name(value)
        elif match["named"]:
            is_value = True
        else:
            is_strict = _needs_proof(text, start, separator, quote)
            is_value = not is_strict or (is_closed and not _looks_like_code(value))
            is_value = is_value and not (separator == ":" and _is_type(value))
        if is_value and _is_secret_value(name, value):
            yield from _parts(text, (match.end(), end), quote, in_parentheses=bool(match["paren"]))


def _parts(text: str, first: Span, quote: str, *, in_parentheses: bool) -> Iterator[Span]:
    """Yield the parts of a value; none if it is a tuple of strings."""
    parts = [first]
    while in_parentheses:
        end = parts[-1][1]
        match = _NEXT_LITERAL.match(text, end)
        if match is None:
            rest = text[end + len(quote) : end + len(quote) + _LONGEST_NAME].lstrip()
            if rest.startswith(","):
                return
            break
        quote = match["quote"]
        parts.append((match.end(), _closing_quote(text, match.end(), quote)[0]))
    yield from parts


def _is_type(value: str) -> bool:
    """Return whether a string is an annotation, such as `"Token"` or `"SecretStr"`."""
    return _TYPE_NAME.fullmatch(value) is not None and _SECRET_WORD.match(value) is not None


def _whole_name(text: str, inside: int) -> tuple[str, int]:
    """Return a name and where it begins, from a place inside it."""
    before = text[max(0, inside - _LONGEST_NAME) : inside][::-1]
    found = _NAME.match(before)
    start = inside - (found.end() if found else 0)
    rest = _NAME.match(text[inside : inside + _LONGEST_NAME])
    return text[start : inside + (rest.end() if rest else 0)], start


def _is_pair(text: str, match: re.Match[str], start: int) -> bool:
    """Return whether a name is the first of two arguments or of a tuple: `("name", "value"`."""
    opening = text[max(0, start - 3) : start].rstrip("\"'\\")
    return bool(match["named"]) and opening.endswith("(") and not text.startswith("-", start)


def _closing_quote(text: str, start: int, quote: str) -> tuple[int, bool]:
    """Return where a value ends, and whether a quote ends it."""
    if len(quote.lstrip("\\")) > 1:
        end = text.find(quote, start)
        if end >= 0:
            return end, True
    body = _BODIES[quote[0]].match(text, start)
    end = body.end() if body else start
    return end, end < len(text) and text[end] != "\n"


def _needs_proof(text: str, start: int, separator: str, quote: str) -> bool:
    """Return whether the quote after a name could close a string rather than open a value."""
    begin = max(0, start - _LINE_CHARS)
    line = text[begin:start]
    if "\n" in line:
        line = line.rpartition("\n")[2]
    elif begin:
        return False
    if separator == ":" and line.strip(" \t-{"):
        return True
    return line.count(quote[-1]) % 2 == 1


def _looks_like_code(value: str) -> bool:
    return any(sign in value for sign in " ,()\t") or not value


def _is_secret_value(name: str, value: str) -> bool:
    """Return whether the text between two quotes is a value rather than a reference to one."""
    rest = _INTERPOLATION.sub("", value).strip()
    least = 1 if _PASS_WORD.match(name) else _LEAST_CHARS
    return len(rest) >= least and not _REFERENCE.fullmatch(value.strip())


def _variables(text: str) -> Iterator[Span]:
    for match in (*_matches(_VARIABLE, text), *_matches(_MAGIC, text)):
        name, value = match.groups()
        if not is_secret_value_name(name) or _is_ordinary(value) or value == name:
            continue
        before = text[max(0, match.start() - 80) : match.start()]
        line = before.rpartition("\n")[2]
        if match.re is _MAGIC or _VARIABLE_LINE.match(line) or _DIGIT_OR_SIGN.match(value):
            yield match.span(2)


def _is_ordinary(value: str) -> bool:
    return _is_expression(value) or any(
        pattern.fullmatch(value) is not None for pattern in (_REFERENCE, _NUMBER)
    )


def _is_expression(value: str) -> bool:
    """Return whether a value is a constant or an attribute such as `settings.token`."""
    return value in _CONSTANTS or ("." in value and value.replace(".", "").isidentifier())


def _colon_values(text: str) -> Iterator[Span]:
    for match in _matches(_COLON, text):
        name, _ = _whole_name(text, match.start())
        value = match[1]
        if (
            is_secret_value_name(name)
            and not _is_ordinary(value)
            and not _TYPE.fullmatch(value)
            and _DIGIT_OR_SIGN.match(value)
        ):
            yield match.span(1)


def _numbers(text: str) -> Iterator[Span]:
    for match in _matches(_DIGITS, text):
        name, _ = _whole_name(text, match.start())
        is_long = len(match[1]) >= _LEAST_KEY_DIGITS or _PASS_WORD.match(name) is not None
        if is_long and _NUMBERED.match(name) and is_secret_value_name(name):
            yield match.span(1)


def _connection_members(text: str) -> Iterator[Span]:
    for match in _matches(_PAIR, text):
        before = text[max(0, match.start() - 1) : match.start()]
        after = text[match.end() : match.end() + 2]
        is_member = before == ";" or (before in "\"' " and not after.startswith(";\n"))
        if is_member and not _is_expression(match[1]):
            yield match.span(1)


def _query_values(text: str) -> Iterator[Span]:
    for match in _matches(_QUERY, text):
        name, value = match.groups()
        is_secret = is_secret_value_name(name) or _QUERY_NAME.match(name) is not None
        if is_secret and not _is_ordinary(value):
            yield match.span(2)


def _header_values(text: str) -> Iterator[Span]:
    for match in _matches(_HEADER, text):
        value = match[2]
        if match[1] or any(sign.isdigit() for sign in value) or value.endswith("="):
            yield match.span(2)


def _addresses(text: str) -> Iterator[Span]:
    for match in _matches(_ADDRESS, text):
        group = 1 if match[1] else 2
        value = match[group]
        has_digit = any(sign.isdigit() for sign in value)
        if not _REFERENCE.fullmatch(value) and (group == 1 or has_digit):
            yield match.span(group)
    for match in _matches(_CUT_ADDRESS, text):
        if not match[1].isdigit() and not _REFERENCE.match(match[1]):  # a number is a port
            yield match.span(1)


def _keys(text: str) -> Iterator[Span]:
    for match in _matches(_PROVIDER, text):
        key = match[0]
        # Identifiers such as `pk_of_the_referenced_table` have neither a digit nor a hyphen.
        if "-" in key or any(sign.isdigit() for sign in key.removeprefix("r8")):
            yield match.span()
    for match in _matches(_JWT, text):
        yield match.span()


def _private_keys(text: str) -> Iterator[Span]:
    at, has_end = 0, True
    for match in _matches(_PRIVATE_KEY, text):
        if match.start() < at:
            continue
        end = text.find(_PRIVATE_KEY_END, match.end()) if has_end else -1
        has_end = end >= 0
        if has_end:
            close = text.find("-----", end + len(_PRIVATE_KEY_END), end + _LONGEST_NAME)
            at = close + len("-----") if close >= 0 else end
            yield match.start(), at
        elif (body := _BASE64.match(text, match.end())) and len(body[0]) >= _LEAST_BODY:
            at = body.end()  # the output was cut
            yield match.start(), at


_FINDERS: Final[tuple[Callable[[str], Iterator[Span]], ...]] = (
    _quoted_values,
    _variables,
    _colon_values,
    _numbers,
    _connection_members,
    _query_values,
    _header_values,
    _addresses,
    _keys,
    _private_keys,
)
