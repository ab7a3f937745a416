"""Where requests go: which settings name an address, beside `api_base`.

Some providers take an address out of the model's name (`oobabooga/http://…`, `huggingface/…`), some
out of environment variables, and an ARN names the account that is asked. All of these count as
`api_base`: for the question before they are saved, for the administrator's locks, for allow-lists.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import unquote

from jupyter_ac.settings.scan import Path
from jupyter_ac.workers.masking import plain_address

MODEL_KEYS: Final = ("model", "smaller_model", "smallerModel")

_MOST_ENCODINGS: Final = 4
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]{0,30}:/|//", re.IGNORECASE)
_ACCOUNT: Final = re.compile(r"\barn:[a-z0-9-]{1,30}:", re.IGNORECASE)
# A version like `-v1:0` or a size like `:8b` is no port, and `claude-3.5:10` no host.
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
"""Variables that only say who asks, or how. All others may lead elsewhere: an account or a tenant
is part of a host's name, a file names an address or a program, a folder holds such files."""


def address_in_model(name: str) -> str:
    """Return the part of a model's name that says where requests go; "" when it names none.

    Encodings are taken off first: what one library leaves alone another one decodes.
    """
    plain = _decoded(name)
    for pattern in (_SCHEME, _ACCOUNT, _HOST_AND_PORT, _NUMBERS):
        found = pattern.search(plain)
        if found is not None:
            return plain[found.start() :]
    return ""


def is_address_variable(name: str, value: str) -> bool:
    """Tell whether an environment variable may say where requests go."""
    return _PLAIN_VARIABLE.search(name) is None or _SCHEME.search(_decoded(value)) is not None


def shown_address(address: str) -> str:
    """Return an address out of a model's name as it may be shown: without what may be a key."""
    return plain_address(address) if _SCHEME.match(address) else address.partition("?")[0][:100]


def address_paths(said: Mapping[str, object]) -> Iterator[Path]:
    """Give the places in `llm.json`, beside `api_base`, that say where requests go."""
    for key in MODEL_KEYS:
        name = said.get(key)
        if isinstance(name, str) and address_in_model(name):
            yield (key,)
    env = said.get("env")
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
