"""Detects settings that determine where requests are sent, in addition to `api_base`.

Some providers take an address from the model's name (`oobabooga/http://…`, `huggingface/…`) or from
environment variables, and an ARN names the account. All of these are treated like `api_base`: they
need the user's consent, and are subject to the administrator's locks and allow-lists.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import unquote

from jupyter_ac.settings.scan import Path
from jupyter_ac.workers.redaction import plain_address

MODEL_KEYS: Final = ("model", "smaller_model", "smallerModel")

_MOST_ENCODINGS: Final = 4
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]{0,30}:/|//", re.IGNORECASE)
_ACCOUNT: Final = re.compile(r"\barn:[a-z0-9-]{1,30}:", re.IGNORECASE)
# A version like `-v1:0` or a size like `:8b` is not a port, and `claude-3.5:10` not a host.
_HOST_AND_PORT: Final = re.compile(
    r"(?<![\w.-])"
    r"(?:localhost|\[[0-9a-f:.]{2,45}\]|\d{1,3}(?:\.\d{1,3}){3}|[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,24})"
    r":\d{2,5}(?!\w)",
    re.IGNORECASE,
)
_NUMBERS: Final = re.compile(r"(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w.-])")
_PLAIN_VARIABLE: Final = re.compile(
    r"(?:^|_)(?:[A-Z0-9]*(?:KEY|TOKEN|SECRET|PASSWORD|JWT)|ACCESS_KEY_ID|BEARER_TOKEN_BEDROCK"
    r"|VERSION|API_TYPE|ORGANIZATION|ORG_ID|TIMEOUT|LOG|VERBOSE|DEBUG)\Z"
)
"""Variables that only identify the user or set options. All others may redirect requests: an

account or tenant is part of a host name, a file contains an address or a program, a folder contains
such files.
"""


def address_in_model(name: str) -> str:
    """Return the part of a model's name that determines where requests go; "" if there is none.

    URL encodings are decoded first: libraries differ in whether they decode them.
    """
    plain = _decoded(name)
    for pattern in (_SCHEME, _ACCOUNT, _HOST_AND_PORT, _NUMBERS):
        found = pattern.search(plain)
        if found is not None:
            return plain[found.start() :]
    return ""


def is_address_variable(name: str, value: str) -> bool:
    """Return whether an environment variable may determine where requests go."""
    return _PLAIN_VARIABLE.search(name) is None or _SCHEME.search(_decoded(value)) is not None


def shown_address(address: str) -> str:
    """Return an address from a model's name for display, without parts that may be a key."""
    return plain_address(address) if _SCHEME.match(address) else address.partition("?")[0][:100]


def address_paths(values: Mapping[str, object]) -> Iterator[Path]:
    """Yield the paths in `llm.json`, besides `api_base`, that determine where requests go."""
    for key in MODEL_KEYS:
        name = values.get(key)
        if isinstance(name, str) and address_in_model(name):
            yield (key,)
    env = values.get("env")
    if isinstance(env, Mapping):
        for name, value in env.items():
            if is_address_variable(str(name), str(value)):
                yield ("env", str(name))


def _decoded(text: str) -> str:
    for _ in range(_MOST_ENCODINGS):
        plain = unquote(text)
        if plain == text:
            break
        text = plain
    return unicodedata.normalize("NFKC", text).replace("\\", "/")
