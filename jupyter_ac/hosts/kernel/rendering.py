"""Renders a streaming answer below a cell or in a terminal, and the panel in a saved notebook.

The replacement for a panel in a saved notebook names nothing of the machine and nothing of the
conversation.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from IPython.core.interactiveshell import InteractiveShell
from IPython.display import DisplayHandle, display

from jupyter_ac.hosts.kernel.sanitize_markdown import inert, literally
from jupyter_ac.terminal import terminal_text

PACE_S: Final = 0.1
"""Minimum time between two updates of an answer; more for long answers."""

_CHARS_PER_S: Final = 500_000
"""Text that all pictures of an answer together put on the wire in a second."""

_LINE_END: Final = "\n"
_UTF_16: Final = "utf-16-le"
_UNIT: Final = 2
"""Bytes of a code unit."""

STOPPED: Final = "Stopped: this is what had come."
NOTHING: Final = "Stopped before the first word."


@dataclass(frozen=True, slots=True)
class CallLine:
    """What became of a tool call.

    Attributes:
        at: the position in the model's text, in UTF-16 code units, at which its step ends.
        line: says it.
    """

    at: int
    line: str


@dataclass(frozen=True, slots=True)
class Picture:
    """One rendered state of an answer.

    Attributes:
        text: the model's, so far.
        doing: what happens meanwhile, while there is no text.
        notes: sentences of ours behind the text.
        calls: of tools, by their positions.
    """

    text: str
    doing: str = ""
    notes: tuple[str, ...] = ()
    calls: tuple[CallLine, ...] = ()

    def pieces(self) -> Iterator[tuple[str, str]]:
        """Yield the text in pieces, each with the line of the call behind it; "" for none.

        A call whose step's text hasn't come yet is left out, so that what is shown only grows.
        """
        units, at = self.text.encode(_UTF_16, "surrogatepass"), 0
        for call in self.calls:
            if _UNIT * call.at <= len(units):
                yield units[at : _UNIT * call.at].decode(_UTF_16, "surrogatepass"), call.line
                at = max(at, _UNIT * call.at)
        yield units[at:].decode(_UTF_16, "surrogatepass"), ""


class AnswerOutput(Protocol):
    """The output in which an answer is shown."""

    def show(self, picture: Picture) -> None:
        """Show how far it is; may leave a picture out."""

    def finish(self, picture: Picture) -> None:
        """Show how it ended."""

    def clear(self) -> None:
        """There is nothing to show; an error says why."""


def output_of(shell: InteractiveShell) -> AnswerOutput:
    """Choose: Markdown where there is a kernel, text in a terminal."""
    return TerminalOutput() if getattr(shell, "kernel", None) is None else NotebookOutput()


class NotebookOutput:
    """One Markdown output that is replaced as the answer grows."""

    def __init__(self) -> None:
        self._handle: DisplayHandle | None = None
        self._shown: Picture | None = None
        self._next_at = 0.0

    def show(self, picture: Picture) -> None:
        """Replace the output, unless that was done just now."""
        now = time.monotonic()
        if picture == self._shown or now < self._next_at:
            return
        self._next_at = now + max(PACE_S, len(picture.text) / _CHARS_PER_S)
        self._put(picture)

    def finish(self, picture: Picture) -> None:
        """Replace the output for the last time."""
        if picture != self._shown:
            self._put(picture)

    def clear(self) -> None:
        """Take the output away as far as that goes."""
        if self._handle is not None:
            self._handle.update({"text/markdown": "", "text/plain": ""}, raw=True)

    def _put(self, picture: Picture) -> None:
        self._shown = picture
        data = {"text/markdown": markdown(picture), "text/plain": _as_text(picture)}
        if self._handle is None:
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


class TerminalOutput:
    """Prints what is new."""

    def __init__(self) -> None:
        self._printed = 0

    def show(self, picture: Picture) -> None:
        """Print the text that came."""
        shown = _with_calls(picture)
        fresh = shown[self._printed :]
        self._printed = len(shown)
        sys.stdout.write(terminal_text(fresh))
        sys.stdout.flush()

    def finish(self, picture: Picture) -> None:
        """Print the rest."""
        self.show(picture)
        sys.stdout.write("\n".join(("", *map(terminal_text, picture.notes), "")))
        sys.stdout.flush()

    def clear(self) -> None:
        """Leave what is printed."""


def markdown(picture: Picture) -> str:
    """Render a picture as Markdown without active content."""
    if not (picture.text or picture.notes or picture.calls):
        return f"*{literally(picture.doing or 'Asking …')}*"
    shown: list[str] = []
    for text, line in picture.pieces():
        shown += [inert(text), line and f"*{literally(line)}*"]
    notes = [f"*{literally(note)}*" for note in picture.notes]
    return "\n\n".join(filter(None, [*shown, *notes]))


def _as_text(picture: Picture) -> str:
    shown = "\n\n".join(
        filter(None, [terminal_text(_with_calls(picture)), *map(terminal_text, picture.notes)])
    )
    return shown or picture.doing or "Asking …"


def _with_calls(picture: Picture) -> str:
    """Return the text with each call on a line of its own; it only grows at its end."""
    shown = ""
    for text, line in picture.pieces():
        shown += text
        if line:
            shown += f"{'' if not shown or shown.endswith(_LINE_END) else _LINE_END}{line}\n"
    return shown


PANEL_MIME: Final = "application/vnd.jupyter-ac.panel+json"
"""Marks the output for our extension of JupyterLab, which shows a picture of its own there."""

PANEL_MARK: Final = {"version": 1}

STATIC_PICTURE: Final = """\
<div role="note" style="max-width: 34em; border: 1px solid #8886; border-radius: 8px; \
padding: 12px 16px; font: 14px/1.5 system-ui, sans-serif;">
  <div style="display: flex; gap: 12px; align-items: baseline;">
    <strong>jupyter_ac</strong>
    <span style="opacity: .7;">AI pair programming on this folder's git repository</span>
  </div>
  <div style="display: flex; gap: 8px; margin: 10px 0;" aria-hidden="true">
    <div style="flex: 1; border: 1px solid #8884; border-radius: 4px; padding: 6px 8px; \
opacity: .6;">Files</div>
    <div style="flex: 2; border: 1px solid #8884; border-radius: 4px; padding: 6px 8px; \
opacity: .6;">Chat</div>
    <div style="flex: 1; border: 1px solid #8884; border-radius: 4px; padding: 6px 8px; \
opacity: .6;">What the model sees</div>
  </div>
  <div>The panel is live only while its kernel runs. To get it back, open this notebook in
  JupyterLab with <code>jupyter-ac</code> installed and run this cell again
  (<code>%load_ext jupyter_ac</code>, then <code>%ac</code>): the conversation is kept in the
  repository's git folder.</div>
</div>
"""
