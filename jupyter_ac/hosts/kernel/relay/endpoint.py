"""The protocol state machine of one end of a link: sequence numbers and timers; pure.

Rules.
 1. A message without parts carries an acknowledgement, a question, or both, and has no number.
 2. What comes is acknowledged with the next message, or soon by one of its own.
 3. A gap that does not close by itself is asked for, less and less often until something comes.
 4. While something is unacknowledged the other end is asked whether it is there; the answer is an
    acknowledgement. So a lost last message is noticed by both.
 5. What is asked for goes a moment later. A server that drops messages restarts its count when
    the kernel has dealt with one from the page, and it deals with the question only just now.

`js/packages/link/src/endpoint.ts` is the same on the page's side.
"""

from dataclasses import dataclass
from typing import Final

from jupyter_ac.hosts.kernel.relay.resend_window import FrameRun, Incoming, Outgoing

NEVER: Final = float("inf")
ACKNOWLEDGE_S: Final = 0.2
ASK_S: Final = 0.15
ASK_MAX_S: Final = 1.0
PING_S: Final = 1.0
PING_MAX_S: Final = 30.0
ANSWER_S: Final = 0.02


@dataclass(frozen=True, slots=True)
class Envelope:
    """The content of one message of a link.

    Attributes:
        run: the parts that it carries.
        ack: all parts of the other direction up to this one have come.
        ping: the other end should acknowledge at once.
        resend: the parts behind `ack` were lost.
    """

    run: FrameRun
    ack: int = 0
    ping: bool = False
    resend: bool = False


class End:
    """This end of a link; all times from one monotonic clock.

    Args:
        outgoing: the send window.
        incoming: the receive window.

    Attributes:
        is_gone: the other end needs parts that were discarded: the link can't continue.
    """

    def __init__(self, outgoing: Outgoing | None = None, incoming: Incoming | None = None) -> None:
        self.outgoing = outgoing or Outgoing()
        self.incoming = incoming or Incoming()
        self.is_gone = False
        self._acknowledge_at = NEVER
        self._ask_at = NEVER
        self._ask_s = ASK_S
        self._ping_at = NEVER
        self._ping_s = PING_S
        self._hold_until = -NEVER

    def push(self, frame: str) -> None:
        """Queue a frame."""
        self.outgoing.push(frame)

    def question(self, now: float) -> None:
        """Send pings to the other end until it sends a message."""
        self._ping_at = min(self._ping_at, now)

    def answer(self, at: float) -> None:
        """Schedule an acknowledgement, which shows that this end is alive."""
        self._acknowledge_at = at

    def receive(self, message: Envelope, now: float) -> list[str]:
        """Process a received message; return the frames that are complete and next in order."""
        self._take_acknowledgement(message, now)
        before = self.incoming.received
        frames = self.incoming.take(message.run)
        if message.ping:
            self.answer(now + ANSWER_S)
        elif message.run.parts:
            self._acknowledge_at = min(self._acknowledge_at, now + ACKNOWLEDGE_S)
        if not self.incoming.has_gap:
            self._ask_at, self._ask_s = NEVER, ASK_S
        elif self._ask_at == NEVER or self.incoming.received > before:
            self._ask_s = ASK_S
            self._ask_at = now + ASK_S
        return frames

    def due(self) -> float:
        """Return the time of the next message; it may be in the past."""
        if self.outgoing.is_pending:
            return self._hold_until
        return min(self._acknowledge_at, self._ask_at, self._ping_at)

    def poll(self, now: float) -> Envelope | None:
        """Return the message that is due, or None."""
        if self.due() > now:
            return None
        resend, ping = self._ask_at <= now, self._ping_at <= now
        if resend:
            self._ask_s = min(2 * self._ask_s, ASK_MAX_S)
            self._ask_at = now + self._ask_s
        run = self.outgoing.take()
        if ping:
            self._ping_s = min(2 * self._ping_s, PING_MAX_S)
            self._ping_at = now + self._ping_s
        elif run.parts and self._ping_at == NEVER:
            self._ping_at = now + self._ping_s
        self._acknowledge_at, self._hold_until = NEVER, -NEVER
        return Envelope(run, self.incoming.received, ping=ping, resend=resend)

    def _take_acknowledgement(self, message: Envelope, now: float) -> None:
        is_news = self.outgoing.acknowledge(message.ack)
        if message.resend:
            self._hold_until = now + ANSWER_S
            self.is_gone = not self.outgoing.rewind(message.ack + 1)
        if not self.outgoing.is_unacknowledged:
            self._ping_at, self._ping_s = NEVER, PING_S
        elif is_news or self._ping_s > PING_S:
            self._ping_s = PING_S
            self._ping_at = now + PING_S
