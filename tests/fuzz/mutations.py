"""Makes hostile inputs of seeds: changed bytes, changed JSON, and what parsers get wrong."""

import json
import random
from collections.abc import Callable, Sequence
from typing import Final

DEEP: Final = 10_000
LONG: Final = 1 << 20
RARE: Final = 0.001
MOST_BYTES: Final = 1 << 16
"""Of a changed seed that is changed again; the long values come on top of it."""

STRANGE: Final[tuple[object, ...]] = (
    *(None, True, False, 0, -1, 1, 1.0, -0.0, 0.5, 1e308, 5e-324),
    *(2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**400, -(10**400)),
    *(float("nan"), float("inf"), float("-inf")),
    *("", " ", "0", "1", "1.0", "\ud800", "\udfff\ud800", "\ufeff", "\x00", "\u2028", "😀", "a\nb"),
    *("__proto__", "constructor", "rpc.", "$/cancelRequest", "system.listComponents", "_private"),
    *("T.add", "T.ask", "T.wait", "connect", "clear", "browser.nope", "execute_task", "2.0"),
    *([], {}, [[]], [{}], {"": {}}, {"args": []}, {"args": None}, {"__proto__": {"id": 1}}),
)
NAMES: Final = (
    *("jsonrpc", "method", "params", "id", "result", "error", "code", "message", "data", "args"),
    *("epoch", "auth", "options", "timeout_ms", "_meta", "progressToken", "idempotency_key"),
    *("timestamp", "nonce", "signature", "target", "constraints", "time_limit_seconds"),
    *("type", "link", "client", "seq", "ack", "frames", "ping", "resend", "open", "close"),
    *("stream_id", "chunk", "sequence", "total_chunks", "__proto__", "constructor", "", "\ud800"),
)
TOKENS: Final = (
    *(b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\n", b"\r", b"\r\n", b"\x00", b"\xff"),
    *(b"null", b"NaN", b"Infinity", b"-", b"1e999", b"9" * 30, b"1" * 5000, b"0x1"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b'"\\ud800"', b"\\u0000", b"\xc0\xaf"),
    *(b'"id":1,', b'"id":null,', b'"id":2,"id":3,', b'"method":"T.add",', b'"jsonrpc":"2.0",'),
    *(b"data: ", b": ", b"data\n\n", b"\x81\x80", b"\x88\x82", b"\x1f\x8b\x08"),
)


class Mutator:
    """Gives one input after another.

    Args:
        seeds: what inputs are made of.
        chance: decides everything.
    """

    def __init__(self, seeds: Sequence[bytes], chance: random.Random) -> None:
        self._seeds = seeds
        self._chance = chance
        self._ways: tuple[Callable[[bytes], bytes], ...] = (
            *(self._with_token, self._without_part, self._doubled, self._flipped),
            *(self._spliced, self._json, self._json, self._json, self._json, self._batch),
        )

    def next(self) -> bytes:
        """Return an input; one of a thousand is deep or long."""
        if self._chance.random() < RARE:
            return self._extreme()
        made = self._chance.choice(self._seeds)
        for _ in range(self._chance.choice((0, 1, 1, 1, 2, 3))):
            made = self._chance.choice(self._ways)(made[:MOST_BYTES])
        return made

    def _extreme(self) -> bytes:
        deep = self._chance.choice((50, 300, 1100, DEEP))
        opened, closed = self._chance.choice(
            ((b"[", b"]"), (b'{"a":', b"}"), (b'{"params":', b"}"))
        )
        value = self._chance.choice(
            (
                opened * deep + b"1" + closed * deep,
                opened * deep,
                b'"' + b"x" * LONG + b'"',
                b'"' + b"\\ud800" * 1000 + b'"',
                b"[" + b"1," * 20_000 + b"1]",
                b"[" + b'{"id":1},' * 3000 + b"1]",
            )
        )
        name = self._chance.choice((b"params", b"id", b"method", b"result", b"auth", b"epoch"))
        head = b'{"jsonrpc":"2.0","id":1,"method":"T.add",'
        return self._chance.choice((value, head + b'"%s":%s}' % (name, value)))

    def _place(self, made: bytes) -> int:
        return self._chance.randint(0, len(made))

    def _span(self, made: bytes) -> slice:
        begin = self._place(made)
        return slice(begin, begin + self._chance.choice((1, 1, 2, 4, 16, 200)))

    def _with_token(self, made: bytes) -> bytes:
        at = self._place(made)
        return made[:at] + self._chance.choice(TOKENS) + made[at:]

    def _without_part(self, made: bytes) -> bytes:
        span = self._span(made)
        return made[: span.start] + made[span.stop :]

    def _doubled(self, made: bytes) -> bytes:
        span = self._span(made)
        part = made[span] * self._chance.choice((1, 2, 50))
        return made[: span.stop] + part + made[span.stop :]

    def _flipped(self, made: bytes) -> bytes:
        if not made:
            return made
        at = self._chance.randrange(len(made))
        return made[:at] + bytes([made[at] ^ 1 << self._chance.randrange(8)]) + made[at + 1 :]

    def _spliced(self, made: bytes) -> bytes:
        other = self._chance.choice(self._seeds)
        return made[: self._place(made)] + other[self._place(other) :]

    def _json(self, made: bytes) -> bytes:
        try:
            value: object = json.loads(made)
        except (ValueError, RecursionError):
            return self._with_token(made)
        return self._spelled(self._changed(value))

    def _batch(self, made: bytes) -> bytes:
        others = [self._chance.choice(self._seeds) for _ in range(self._chance.randint(0, 4))]
        return b"[" + b",".join([made, *others]) + b"]"

    def _spelled(self, value: object) -> bytes:
        text = json.dumps(value, ensure_ascii=self._chance.random() < 0.5)
        return text.encode("utf-8", "surrogatepass")

    def _changed(self, value: object) -> object:
        chance = self._chance
        if isinstance(value, dict) and value and chance.random() < 0.9:
            name = chance.choice(list(value))
            way = chance.random()
            if way < 0.15:
                return {key: item for key, item in value.items() if key != name}
            if way < 0.3:
                return {**value, chance.choice(NAMES): chance.choice(STRANGE)}
            return {**value, name: self._changed(value[name])}
        if isinstance(value, list) and value and chance.random() < 0.9:
            at = chance.randrange(len(value))
            return [*value[:at], self._changed(value[at]), *value[at + chance.randint(0, 1) :]]
        return chance.choice(STRANGE)
