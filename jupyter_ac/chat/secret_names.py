"""Tells by a name whether what stands behind it is likely to be a secret."""

import re
from typing import Final

NAME_PART: Final = r"(?i:pass(?:w(?:or)?d|phrase)?|pwd?|secret|cred(?:ential)?|token|key)"
"""An expression for a part of the names of secrets; the functions decide about whole names."""

PIN_NAME: Final = r"(?<![A-Za-z0-9])(?i:pin(?:[_-]?(?:code|number))?)(?![A-Za-z0-9_-])"
"""An expression for the end of the name of a PIN. Such a name says little: pins have numbers too,
and only a value of four digits or more is a secret."""

LONGEST_NAME: Final = 64

_PLAIN_NAME: Final = re.compile(
    r".*(?:tokeni[sz]"
    r"|(?:sort|primary|foreign|partition|public|pub|cache|group|join|index|row|dict|order|unique"
    r"|lookup|merge|hash|first|last|next|prev|parent|left|right|search|object|idempotency"
    r"|col|column|data|json)[_-]?keys?\Z"
    r"|(?:pad|bos|eos|unk|sep|cls|mask|special|stop|start|end|max|min|num|new|prompt|completion"
    r"|input|output|image|total)[_-]?tokens?\Z"
    r"|tokens?[_-]?(?:type|url|ids?|count|index|kind|class|len|length|limit|endpoint|usage"
    r"|pattern|regex|name|text|column|col|model|encoding)\Z"
    r"|passw(?:or)?d[_-](?:field|label|placeholder|hint|prompt|policy|length|column|col)\Z"
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
_PASSWORD: Final = re.compile(
    r".*(?:passw(?:or)?d|passphrase|pwd|secret|pass\Z|pw\Z)", re.IGNORECASE
)
_CERTAIN: Final = re.compile(
    r".*(?:passw(?:or)?d|passphrase|pwd|secret|(?<![^\W_])pw"
    r"|[_-]pass|(?:api|access|account|auth|encryption|private|secret|signing)[_-]?key"
    r"|(?:access|api|auth|bearer|bot|deploy|github|gitlab|hf|npm|pypi|refresh|session|slack)"
    r"[_-]?token)\Z",
    re.IGNORECASE,
)
_PIN: Final = re.compile(r"(?:.*[\W_])?" + PIN_NAME)
_NAME: Final = re.compile(r"[\w-]*+")


def is_secret_value_name(name: str) -> bool:
    """Return whether a variable, key or parameter of this name is likely to hold a secret."""
    if _PLAIN_NAME.match(name):
        return False
    return _SECRET_WORD.match(name) is not None or _CAMEL_KEY.match(name) is not None


def is_password_name(name: str) -> bool:
    """Return whether a name is one of passwords, whose values may be short."""
    return _PASSWORD.match(name) is not None


def is_certain_name(name: str) -> bool:
    """Return whether even an ordinary word behind this name is likely to be a secret."""
    return is_secret_value_name(name) and _CERTAIN.match(name) is not None


def is_pin_name(name: str) -> bool:
    """Return whether four digits or more behind a name are likely to be a PIN."""
    return _PIN.fullmatch(name) is not None


def has_word_of_secrets(text: str) -> bool:
    """Return whether a name has a word such as `token` in it."""
    return _SECRET_WORD.match(text) is not None


def whole_name(text: str, inside: int) -> tuple[str, int]:
    """Return a name and where it begins, from a place inside it."""
    before = text[max(0, inside - LONGEST_NAME) : inside][::-1]
    found = _NAME.match(before)
    start = inside - (found.end() if found else 0)
    rest = _NAME.match(text[inside : inside + LONGEST_NAME])
    return text[start : inside + (rest.end() if rest else 0)], start
