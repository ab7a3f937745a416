"""The last lines that a plugin has printed, for the message about its end."""

from collections import deque
from typing import Final

from jupyter_ac.terminal import terminal_text
from jupyter_ac.workers.redaction import redact

LAST_LINES: Final = 20
MAX_LINE_BYTES: Final = 500


class LastLines:
    """Keeps the end of a text that may be endless; secrets are masked."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque(maxlen=LAST_LINES)
        self._open = b""

    def add(self, data: bytes) -> None:
        """Take what has been printed, in pieces of any length."""
        first, *others = data.split(b"\n")
        self._extend(first)
        for piece in others:
            self._close()
            self._extend(piece)

    def add_line(self, line: bytes) -> None:
        """Take a whole line of another stream."""
        if line.strip():
            self._lines.append(line[:MAX_LINE_BYTES])

    @property
    def text(self) -> str:
        """The last lines; "" if there are none."""
        lines = [*self._lines, self._open] if self._open.strip() else self._lines
        shown = (terminal_text(line.decode("utf-8", "replace")) for line in lines)
        return "\n".join(redact(line.rstrip()) for line in shown)

    def _extend(self, piece: bytes) -> None:
        self._open += piece[: MAX_LINE_BYTES - len(self._open)]

    def _close(self) -> None:
        line, self._open = self._open, b""
        self.add_line(line)
