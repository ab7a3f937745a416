"""The state machine of one connection: frames in, calls and answers out; no I/O, no tasks.

Rules.
 1. Both ends count their calls 1, 2, 3 …, so the two directions have separate tables. Ours holds
    the ids of calls that wait for an answer; an id leaves it with the first answer or when it is
    forgotten.
 2. An answer to no open call is ignored, and no answer is ever answered. Under jrpc-oo the id "3"
    answers the call 3, because its receivers read it so.
 3. An id of theirs is echoed as it came, type included. It may be used again at any time, even
    while it is open: each call is answered once, by identity and not by id.
 4. A notification is never answered, whatever happens to it.
 5. What is not a message is answered with -32700 or -32600, under its id when that can be read.
 6. A batch by the specification is answered in one frame when its last answer is there, or not at
    all when nothing in it wants one. Under jrpc-oo every item is answered in its own frame, and an
    empty array is ignored.
 7. Under jrpc-oo our first frame is `system.listComponents` with our map as its params, and theirs
    is answered here with the same map as an object. The other side takes the params of any such
    call as the list of what we have: they are never empty, and it is never sent without the map.
 8. The names in the params of their `system.listComponents`, whenever it comes, and those in the
    answer to ours are what the other side has; the newest list holds.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from jupyter_ac.errors import AcError, InvalidRequest, ProtocolError, TooLarge
from jupyter_ac.rpc.answer_styles import AnswerStyle, answer, error_object, style_of
from jupyter_ac.rpc.codec import decode, encode, encode_in_pieces, utf8_bytes
from jupyter_ac.rpc.dialect import LIST_COMPONENTS, WireDialect
from jupyter_ac.rpc.messages import (
    VERSION,
    Failure,
    Invalid,
    MessageId,
    Notification,
    Params,
    Request,
    Success,
    parse_message,
)
from jupyter_ac.rpc.overload import CallCohort as CallBatch

BATCH_LIMIT: Final = 10_000
"""Maximum number of messages in an array: each may cost an answer many times its size."""

PLANNER_BYTES: Final = 1 << 20
"""The longest frame with a call of seed 004, which asks for messages under 1 MB."""

MAX_FRAME_BYTES: Final = 64 << 20
"""A longer answer is replaced by an error, with every transport."""

Envelope: TypeAlias = dict[str, object] | list[object]
"""A message, or the answers to a batch, to be encoded."""


@dataclass(slots=True, eq=False)
class BatchCall:
    """An array that is answered as a whole."""

    missing: int = 0
    answers: list[object] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Call:
    """An incoming call.

    Attributes:
        method: its name.
        params: its arguments.
        id: matters only if it is answered.
        is_answered: False for a notification.
        style: the form of its answer.
        message: the whole of it, as it came.
        size_bytes: of the frame that it came in.
        batch: the array that it came in, if that is answered as a whole.
        age: its cohort.
        is_cancelled: by the caller, which gets an answer that says so.
    """

    method: str
    params: Params
    id: MessageId = None
    is_answered: bool = False
    style: AnswerStyle = AnswerStyle.PLAIN
    message: dict[str, object] = field(default_factory=dict)
    size_bytes: int = 0
    batch: BatchCall | None = None
    age: CallBatch | None = None
    is_cancelled: bool = False


@dataclass(slots=True)
class Received:
    """The content of one frame.

    Attributes:
        calls: to run, each then passed to `Connection.answer`.
        answers: to our open calls, which are then closed.
        replies: to send immediately.
        faults: the types of errors in `replies`.
        size_bytes: of the frame.
    """

    calls: list[Call] = field(default_factory=list)
    answers: list[tuple[int, Success | Failure]] = field(default_factory=list)
    replies: list[Envelope] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    size_bytes: int = 0


class Connection:
    """One end of a connection; the module docstring lists the rules.

    Args:
        profile: the dialect, the same at both ends.
        names: returns our methods, for the handshake; asked anew each time they are sent.
        epoch: returns the present epoch, which the answers to clients of seed 003 have.
    """

    def __init__(
        self,
        profile: WireDialect,
        names: Callable[[], Iterable[str]] = tuple,
        epoch: Callable[[], int] = lambda: 0,
    ) -> None:
        self.profile = profile
        self._epoch = epoch
        self._is_short = profile.style is AnswerStyle.PLANNER
        self.remote_methods: frozenset[str] = frozenset()
        self.is_handshaken = not profile.jrpc_oo
        self._open: set[int] = set()
        self._last_id = 0
        self._handshake_id = 0
        self._names = names

    def open(self) -> Envelope | None:
        """Return the first frame to send, if the dialect has one."""
        if not self.profile.jrpc_oo:
            return None
        self._handshake_id, envelope = self._request(LIST_COMPONENTS, self._map())
        return envelope

    def call(self, method: str, args: tuple[object, ...]) -> tuple[int, Envelope]:
        """Open an outgoing call; returns its id and its frame."""
        return self._request(method, self.profile.pack(args))

    def notify(
        self, method: str, args: tuple[object, ...], named: dict[str, object] | None = None
    ) -> Envelope:
        """Return the frame of a notification, with named arguments if there are some."""
        pack = self.profile
        params = pack.pack(args) if named is None else pack.pack_named(named)
        return {"jsonrpc": VERSION, "method": method, "params": params}

    def forget(self, call_id: int) -> None:
        """Close an outgoing call; a late answer is ignored."""
        self._open.discard(call_id)

    def answer(self, call: Call, outcome: object) -> Envelope | None:
        """Return the frame that answers an incoming call, once per call.

        Args:
            call: from `receive`.
            outcome: the result, or an `ErrorObject`.

        Returns:
            None if nothing must be sent: a notification, or a batch that is still running.
        """
        if not call.is_answered:
            return None
        epoch = self._epoch() if call.style is AnswerStyle.EPOCH else 0
        envelope = answer(call.style, call.id, outcome, epoch)
        batch = call.batch
        if batch is None:
            return envelope
        batch.answers.append(envelope)
        batch.missing -= 1
        return None if batch.missing else batch.answers

    def receive(self, frame: str | bytes) -> Received:
        """Parse one frame; never raises."""
        received = Received(size_bytes=len(frame))
        try:
            if self._is_short and len(frame) > PLANNER_BYTES:
                raise _too_long()
            value = decode(frame)
        except ProtocolError as error:
            self._refuse(None, error, {}, received, None)
            return received
        if isinstance(value, list):
            self._receive_batch(value, received)
        else:
            self._take(value, received, None)
        return received

    def _receive_batch(self, items: list[object], received: Received) -> None:
        if not items:
            if not self.profile.jrpc_oo:
                error = InvalidRequest("a batch must not be empty")
                self._refuse(None, error, {}, received, None)
            return
        if len(items) > BATCH_LIMIT:
            error = InvalidRequest(f"a batch may hold {BATCH_LIMIT} messages, not {len(items)}")
            self._refuse(None, error, {}, received, None)
            return
        batch = None if self.profile.jrpc_oo else BatchCall()
        for item in items:
            self._take(item, received, batch)
        if batch is not None and batch.answers and not batch.missing:
            received.replies.append(batch.answers)

    def _take(self, value: object, received: Received, batch: BatchCall | None) -> None:
        message = parse_message(value, jrpc_oo=self.profile.jrpc_oo)
        if isinstance(message, Request):
            style = self.profile.style or self._style(message.message)
            if style is AnswerStyle.PLANNER and received.size_bytes > PLANNER_BYTES:
                self._refuse(message.id, _too_long(), value, received, batch)
                return
            call = Call(
                message.method,
                message.params,
                message.id,
                is_answered=True,
                style=style,
                message=message.message,
                size_bytes=received.size_bytes,
            )
            if self._takes_handshake(call, received):
                return
            if batch is not None:
                call.batch = batch
                batch.missing += 1
            received.calls.append(call)
        elif isinstance(message, Success | Failure):
            self._take_answer(message, received)
        elif isinstance(message, Notification):
            style = self.profile.style or self._style(message.message)
            if style is AnswerStyle.PLANNER and received.size_bytes > PLANNER_BYTES:
                received.faults.append(InvalidRequest.type)
                return
            call = Call(
                message.method,
                message.params,
                style=style,
                message=message.message,
                size_bytes=received.size_bytes,
            )
            if not self._takes_handshake(call, received):
                received.calls.append(call)
        elif isinstance(message, Invalid):
            self._refuse(message.id, message.error, value, received, batch)

    def _refuse(
        self,
        call_id: MessageId,
        error: ProtocolError,
        message: object,
        received: Received,
        batch: BatchCall | None,
    ) -> None:
        received.faults.append(error.type)
        refusal = self._refusal(call_id, error, message)
        if batch is None:
            received.replies.append(refusal)
        else:
            batch.answers.append(refusal)

    def _takes_handshake(self, call: Call, received: Received) -> bool:
        if call.method != LIST_COMPONENTS or not self.profile.jrpc_oo:
            return False
        # A call through jrpc-oo's own `call` object has {"args": []}: a question, not a list.
        if isinstance(call.params, dict) and not isinstance(call.params.get("args"), list):
            self._learn(call.params)
        if call.is_answered:
            received.replies.append(answer(call.style, call.id, self._map()))
        return True

    def _take_answer(self, message: Success | Failure, received: Received) -> None:
        call_id = self._opened(message.id)
        if call_id is None:
            return
        self._open.discard(call_id)
        if call_id != self._handshake_id:
            received.answers.append((call_id, message))
        elif isinstance(message, Success) and isinstance(message.result, dict):
            self._learn(message.result)
        else:
            self.is_handshaken = True

    def _opened(self, given: MessageId) -> int | None:
        if isinstance(given, str):
            if not (self.profile.jrpc_oo and given.isascii() and given.isdigit()):
                return None
            given = int(given) if len(given) <= len(str(self._last_id)) else 0
        return int(given) if given is not None and given in self._open else None

    def _map(self) -> dict[str, object]:
        return dict.fromkeys((LIST_COMPONENTS, *self._names()), True)

    def _learn(self, names: dict[str, object]) -> None:
        if names:
            self.remote_methods = frozenset(name for name, listed in names.items() if listed)
            self.is_handshaken = True

    def _request(self, method: str, params: Params) -> tuple[int, Envelope]:
        self._last_id += 1
        self._open.add(self._last_id)
        return self._last_id, {
            "jsonrpc": VERSION,
            "method": method,
            "params": params,
            "id": self._last_id,
        }

    def _style(self, message: object) -> AnswerStyle:
        if self.profile.style is not None:
            return self.profile.style
        known = message if isinstance(message, dict) else {}
        return style_of(known.get("method"), known)

    def _refusal(self, call_id: MessageId, error: ProtocolError, message: object) -> Envelope:
        style = self._style(message)
        return answer(style, call_id, error_object(error, style), self._epoch())


def _too_long() -> InvalidRequest:
    most = PLANNER_BYTES >> 20
    return InvalidRequest(f"a message may have at most {most} MB", {"limit": PLANNER_BYTES})


def encode_answer(envelope: Envelope, *, in_pieces: bool = False) -> str:
    """Serialize an answer; never raises: an invalid or too long result becomes an error.

    Args:
        envelope: from `Connection.answer` or `Received.replies`.
        in_pieces: slower, but lets other threads run in between.
    """
    spell = encode_in_pieces if in_pieces else encode
    try:
        return _bounded(spell(envelope))
    except AcError as error:
        if isinstance(envelope, list):
            parts = [encode_answer(item) for item in envelope if isinstance(item, dict)]
            return "[" + ",".join(parts) + "]"
        return encode(_failed(envelope, error))


def _bounded(frame: str) -> str:
    if len(frame) * 4 > MAX_FRAME_BYTES and utf8_bytes(frame) > MAX_FRAME_BYTES:
        most = MAX_FRAME_BYTES >> 20
        raise TooLarge(f"The answer has more than {most} MiB; ask for less at a time.")
    return frame


def _failed(envelope: dict[str, object], error: AcError) -> dict[str, object]:
    """Return the answer that replaces one that can't be sent."""
    call_id = _id_of(envelope)
    if "epoch" in envelope:
        failed = error_object(error, AnswerStyle.EPOCH)
        return answer(AnswerStyle.EPOCH, call_id, failed) | {"epoch": envelope["epoch"]}
    return answer(AnswerStyle.PLAIN, call_id, error_object(error, AnswerStyle.PLAIN))


def _id_of(envelope: dict[str, object]) -> MessageId:
    found = envelope["id"]
    return found if isinstance(found, str | int | float) else None
