"""What decoders of calls must keep to, for any bytes: one `check` each, which fails or returns."""

import asyncio
import json
import time
from collections import Counter
from typing import Final

from jupyter_ac.errors import AcError, InvalidParams, ParseError, SignatureRefused
from jupyter_ac.rpc.answer_styles import AnswerStyle
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.rpc.call_options import (
    argument,
    epoch_of,
    progress_token,
    repeat_member,
    time_limit_s,
)
from jupyter_ac.rpc.codec import (
    SerialisationError,
    decode,
    encode,
    encode_in_pieces,
    least_bytes,
    utf8_bytes,
)
from jupyter_ac.rpc.connection import Call, Connection, encode_answer
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import BY_METHOD, EPOCH, JRPC_OO, JSONRPC2, PLANNER, WireDialect
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.methods import Access, CallRules, MethodTable, Namespace, method
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.rpc.repeated_calls import RepeatedCalls
from jupyter_ac.rpc.signatures import SignatureVerifier, sign
from jupyter_ac.rpc.target_states import TargetStates
from jupyter_ac.rpc.text_streams import DATA, END, START, StreamReceiver
from jupyter_ac.rpc.token_bucket import EVERY_METHOD, RateLimiter
from jupyter_ac.transports.exchange import ExchangeTransport
from tests.fuzz.owed import owed_ids

DIALECTS: Final = (JSONRPC2, EPOCH, PLANNER, BY_METHOD, JRPC_OO)
KEY: Final = b"k" * 32
NOT_SENDABLE: Final = ("nested too deeply", "cannot be sent as JSON")


class CodecTarget:
    """`decode` refuses or gives a value, which `encode` writes on one line."""

    def check(self, data: bytes) -> None:
        value = self._decoded(data)
        self._decoded(data.decode("utf-8", "surrogateescape"))
        self._decoded(data.decode("utf-16", "surrogatepass") if not len(data) % 2 else "")
        try:
            text = encode(value)
        except SerialisationError as error:
            if not any(why in error.message for why in NOT_SENDABLE):
                raise
            return
        assert "\n" not in text
        least, _ = least_bytes(value)
        assert least <= len(text.encode()) == utf8_bytes(text)
        assert json.loads(encode_in_pieces(value)) == json.loads(text)

    def _decoded(self, frame: bytes | str) -> object:
        try:
            return decode(frame)
        except ParseError:
            return None
        except UnicodeDecodeError:  # utf-16 above
            return None


class ConnectionTarget:
    """Each id is answered once, in the dialect's form; nothing else is answered."""

    def __init__(self, profile: WireDialect) -> None:
        self._connection = Connection(profile, lambda: ["T.add"], lambda: 7)
        self._connection.open()
        self._profile = profile

    def check(self, data: bytes) -> None:
        received = self._connection.receive(data)
        sent = [encode_answer(reply) for reply in received.replies]
        for number, call in enumerate(received.calls):
            check_options(call)
            outcome: object = None if number % 2 else [number]
            envelope = self._connection.answer(call, outcome)
            if envelope is not None:
                sent.append(encode_answer(envelope))
        check_answers(data, self._profile, sent)


def check_answers(data: bytes, profile: WireDialect, sent: list[str]) -> None:
    """The answers are those that are owed, valid, and in one frame each or all in one."""
    frames = [json.loads(frame.encode("utf-8")) for frame in sent]
    is_split = profile.jrpc_oo
    assert is_split or len(frames) <= 1
    answers = [each for frame in frames for each in (frame if isinstance(frame, list) else [frame])]
    given = Counter(repr(answer["id"]) for answer in answers)
    assert given == Counter(owed_ids(data, profile)), (sent, owed_ids(data, profile))
    for answer in answers:
        assert answer["jsonrpc"] == "2.0"
        assert ("result" in answer) is not ("error" in answer)
        assert profile.style is not AnswerStyle.EPOCH or type(answer["epoch"]) is int
        if "error" in answer:
            assert isinstance(answer["error"]["message"], str)
            assert isinstance(answer["error"]["code"], int | str)


class Work:
    """Methods of all kinds, none of which fails by itself."""

    @method(Access.READ)
    def add(self, one: int, two: int = 1) -> int:
        """Be plain."""
        return one + two

    @method(Access.READ)
    def echo(self, value: object = None) -> object:
        """Return anything."""
        return value

    @method(Access.READ, rules=CallRules(is_billed=True))
    async def ask(self, text: str) -> str:
        """Wait for a moment."""
        await asyncio.sleep(0)
        return text

    @method(Access.READ, rules=CallRules(time_limit_s=5.0))
    async def wait(self, options: dict[str, object] | None = None) -> str:
        """Have a time limit."""
        del options
        await asyncio.sleep(0)
        return ""

    @method(Access.EXECUTE, rules=CallRules(trigger="start_connect", changes_state=True))
    async def connect(self, page: int = 0, target: str = "") -> int:
        """Change a state."""
        del target
        await asyncio.sleep(0)
        return page

    @method(Access.WRITE, rules=CallRules(requires_state=("connected",), changes_state=True))
    async def clear(self, target: str = "") -> str:
        """Need a state."""
        return target


_LIMITED: Final = MethodTable(Namespace("T", Work()))["T.wait"]


def check_options(call: Call) -> None:
    """Reading a call's options gives values of their types, or refuses them."""
    try:
        limit_s = time_limit_s(_LIMITED, call)
        assert limit_s is not None
        assert 0 < limit_s <= 24 * 3600
    except InvalidParams:
        pass
    for is_positional in (False, True):
        try:
            epoch = epoch_of(_LIMITED, call, is_positional=is_positional)
        except InvalidParams:
            continue
        assert epoch is None or type(epoch) is int
    repeat_member(call)
    progress_token(call.params)
    argument(_LIMITED, call.params, "options")


class ChainTarget:
    """A whole peer with all guards answers a frame as a POST's body: once, and never by accident.

    Args:
        profile: its dialect.
        loop: runs it.
    """

    def __init__(self, profile: WireDialect, loop: asyncio.AbstractEventLoop) -> None:
        self._profile = profile
        self._loop = loop
        work = Work()
        self._methods = MethodTable(Namespace("", work), Namespace("T", work))
        self._guards = CallGuards(
            authorize=lambda _caller, _access: True,
            verifier=SignatureVerifier(KEY, required=False),
            limiter=RateLimiter({EVERY_METHOD: 1e6}, 1e6),
            repeated=RepeatedCalls(),
            targets=TargetStates(),
            metrics=CallMetrics(),
        )

    def check(self, data: bytes) -> None:
        sent: list[str] = []
        self._loop.run_until_complete(self._serve(data, sent))
        check_answers(data, self._profile, sent)
        for answer in sent:
            assert '"type":"internal"' not in answer or any(why in answer for why in NOT_SENDABLE)

    async def _serve(self, data: bytes, sent: list[str]) -> None:
        transport = ExchangeTransport(data, sent.append)
        peer = Peer(
            transport, self._methods, profile=self._profile, remote=Remote(), guards=self._guards
        )
        await peer.run(is_exchange=True, takes_events=False)
        await transport.flushed()
        assert len(peer.calls) == 0


class SignatureTarget:
    """What isn't signed with the key is refused, what is signed is accepted once."""

    def __init__(self) -> None:
        self._count = 0

    def check(self, data: bytes) -> None:
        try:
            message = decode(data)
        except ParseError:
            return
        if not isinstance(message, dict):
            return
        # One each, because what has been accepted is remembered.
        verifier = SignatureVerifier(KEY, required=True)
        assert not _accepts(verifier, message)
        self._count += 1
        try:
            signed = message | {"auth": sign(KEY, message, int(time.time()), f"{self._count}")}
        except SerialisationError:
            return
        assert _accepts(verifier, signed)
        assert not _accepts(verifier, signed)
        assert not _accepts(SignatureVerifier(KEY, required=True), signed | {"more": 1})


def _accepts(verifier: SignatureVerifier, message: dict[str, object]) -> bool:
    try:
        verifier.verify(message)
    except SignatureRefused:
        return False
    return True


class StreamTarget:
    """The receiver of text streams refuses in the documented ways, and keeps what it gives."""

    def __init__(self) -> None:
        self._receiver = StreamReceiver()
        self._texts: dict[str, str] = {}

    def check(self, data: bytes) -> None:
        try:
            found = decode(data)
        except ParseError:
            return
        for message in found if isinstance(found, list) else [found]:
            if isinstance(message, dict) and isinstance(message.get("params"), dict):
                self._take(message["params"], message.get("method"))

    def _take(self, params: dict[str, object], name: object) -> None:
        stream_id = str(params.get("stream_id"))
        try:
            if name == START:
                self._texts[self._receiver.start(params)] = ""
            elif name == DATA:
                text = self._receiver.data(params)
                self._texts[stream_id] += text
            elif name == END:
                whole = self._receiver.end(params)
                assert whole == self._texts.pop(stream_id)
        except AcError:
            # What was given up begins again.
            self._receiver, self._texts = StreamReceiver(), {}
