"""Signed messages: the member `auth` of seed 004, HMAC-SHA256.

    "auth": {"timestamp": 1705314600, "nonce": "9f2c", "signature": "base64"}

The signed text is, in UTF-8, `timestamp "." nonce "." canonical`. `canonical` is the message
without its `auth` in the JSON Canonicalization Scheme (RFC 8785), so that both sides may write the
JSON as they like. Without a nonce the text has an empty one. A signature is the standard base64 of
the 32 bytes. `docs/examples` has test vectors, and a check of them in Python and in JavaScript.

RFC 8785 can't represent integers beyond 2**53 - 1 and lone surrogates: such a message can't be
signed.
"""

import base64
import hashlib
import hmac
import math
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final

from jupyter_ac.errors import SignatureRefused
from jupyter_ac.rpc.codec import SerialisationError

AUTH: Final = "auth"

WINDOW_S: Final = 300
"""How far a timestamp may be from the verifier's clock, before or after it."""

MAX_REMEMBERED: Final = 100_000
"""Signatures that are remembered: 166 signed messages a second for the longest time, 600 s."""

MAX_NONCE_CHARS: Final = 128

_MEMBERS: Final = frozenset({"timestamp", "signature", "nonce"})
_NO_FORM: Final = "The message can't be signed: RFC 8785 has no form for one of its values."


def canonical(message: Mapping[str, object]) -> bytes:
    """Return a message without its `auth`, as RFC 8785 writes it.

    Raises:
        SerialisationError: RFC 8785 can't represent it; nothing of the message is in the error.
    """
    # 39 ms to import, and most hosts have no key.
    dumps: Callable[[object], bytes] = import_module("rfc8785").dumps
    try:
        return dumps({name: value for name, value in message.items() if name != AUTH})
    except (ValueError, RecursionError):
        # Not `from` it: that error has the value in its text.
        raise SerialisationError(_NO_FORM) from None


def sign(
    key: bytes, message: Mapping[str, object], timestamp: int, nonce: str = ""
) -> dict[str, object]:
    """Return the `auth` member for a message.

    Args:
        key: the shared secret, at least 32 bytes.
        message: as it will be sent; an `auth` that it has is not signed.
        timestamp: seconds since 1970.
        nonce: any text of at most 128 characters; without one, equal messages of the same second
            have equal signatures, and the second one is refused.

    Raises:
        SerialisationError: RFC 8785 can't represent the message.
    """
    keyed = hmac.new(key, digestmod=hashlib.sha256)
    auth: dict[str, object] = {
        "timestamp": timestamp,
        "signature": _signature(keyed, message, timestamp, nonce).decode(),
    }
    return auth | {"nonce": nonce} if nonce else auth


class SignatureVerifier:
    """Verifies the signatures of a host's incoming messages; one for all its connections.

    A signature is accepted once. It is remembered until its timestamp is too old, at most
    `MAX_REMEMBERED` at a time; beyond that all messages are refused, because to forget one would be
    to accept it again. What is remembered doesn't survive the process, and other hosts with the
    same key don't know it.

    Args:
        key: the shared secret.
        required: whether a message without `auth` is refused.
        clock: seconds since 1970. If it goes back, timestamps that were too old before stay so.
    """

    def __init__(
        self, key: bytes, *, required: bool, clock: Callable[[], float] = time.time
    ) -> None:
        self._keyed = hmac.new(key, digestmod=hashlib.sha256)
        self._required = required
        self._clock = clock
        self._oldest = 0
        self._seen: dict[int, set[bytes]] = {}
        self._count = 0

    def verify(self, message: Mapping[str, object]) -> None:
        """Check the `auth` member of a message.

        Args:
            message: one decoded request, notification or answer; never a batch.

        Raises:
            SignatureRefused: it is missing though required, malformed, wrong, too old, too new or
                used before, or the message has no form in RFC 8785. It doesn't say which.
        """
        if AUTH not in message and not self._required:
            return
        timestamp, signature, nonce = _members(message.get(AUTH))
        now = self._clock()
        self._forget_before(math.ceil(now - WINDOW_S))
        if not self._oldest <= timestamp <= math.floor(now + WINDOW_S):
            raise SignatureRefused
        try:
            expected = _signature(self._keyed, message, timestamp, nonce)
        except SerialisationError:
            raise SignatureRefused from None
        # Compared as text: several texts of base64 stand for the same bytes.
        if not hmac.compare_digest(expected, signature):
            raise SignatureRefused
        self._use(timestamp, expected)

    def _forget_before(self, oldest: int) -> None:
        if oldest <= self._oldest:
            return
        self._oldest = oldest
        for timestamp in [each for each in self._seen if each < oldest]:
            self._count -= len(self._seen.pop(timestamp))

    def _use(self, timestamp: int, signature: bytes) -> None:
        used = self._seen.get(timestamp, set())
        if signature in used or self._count >= MAX_REMEMBERED:
            raise SignatureRefused
        self._seen.setdefault(timestamp, used).add(signature)
        self._count += 1


def _members(auth: object) -> tuple[int, bytes, str]:
    """Return timestamp, signature and nonce of a well-formed `auth`."""
    if not isinstance(auth, dict) or not auth.keys() <= _MEMBERS:
        raise SignatureRefused
    timestamp, signature, nonce = auth.get("timestamp"), auth.get("signature"), auth.get("nonce")
    nonce = "" if "nonce" not in auth else nonce
    if type(timestamp) is not int or not isinstance(signature, str) or not isinstance(nonce, str):
        raise SignatureRefused
    if not signature.isascii() or len(nonce) > MAX_NONCE_CHARS:
        raise SignatureRefused
    return timestamp, signature.encode(), nonce


def _signature(
    keyed: hmac.HMAC, message: Mapping[str, object], timestamp: int, nonce: str
) -> bytes:
    """Return a signature in base64.

    Args:
        keyed: with the key, and nothing signed yet; it isn't changed.
        message: its `auth` is left out.
        timestamp: in seconds.
        nonce: or "".

    Raises:
        SerialisationError: a lone surrogate, or a value that RFC 8785 can't represent.
    """
    try:
        prefix = f"{timestamp}.{nonce}.".encode()
    except UnicodeEncodeError:
        raise SerialisationError(_NO_FORM) from None
    signing = keyed.copy()
    signing.update(prefix)
    signing.update(canonical(message))
    return base64.b64encode(signing.digest())
