"""An agent's run at a terminal: its calls as lines on standard error, its questions there, too."""

import sys
import termios
from collections.abc import Callable
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.cli.allowed_commands import AllowedCommands
from jupyter_ac.hosts.tool_questions import (
    ENDED,
    CallNews,
    ToolAnswer,
    ask_person,
    call_line,
    text_before,
)
from jupyter_ac.tool_rows import ToolUpdate

_NO_TERMINAL: Final = (
    "`jupyter ac ask` has no terminal to ask the user at; only commands that were named by "
    "--allow run."
)


class TerminalRun:
    """Shows the calls of one run and has the user decide. Belongs to the main thread, but `take`.

    Args:
        allowed: commands that run without asking.
        answer: tells the host what was decided; raises AcError if nothing waits for it any more.

    Attributes:
        text_before: how much of the answer's text stands before the news, in UTF-16 code units.
    """

    def __init__(
        self, allowed: AllowedCommands, answer: Callable[[ToolUpdate, ToolAnswer], None]
    ) -> None:
        self._allowed, self._answer = allowed, answer
        self._news = CallNews()
        self.text_before = 0

    @property
    def has_news(self) -> bool:
        """Whether there is something to attend to."""
        return bool(self._news)

    def take(self, update: ToolUpdate) -> None:
        """Take the news of a call; from any thread."""
        if "call" in update:
            self.text_before = max(self.text_before, text_before(update))
        self._news.take(update)

    def attend(self, *, is_over: bool = False) -> None:
        """Print what has ended, and ask about what waits; returns when everything is answered.

        Args:
            is_over: the run has ended, so that nothing waits any more.
        """
        while update := self._news.pop():
            call = update["call"]
            if call["status"] in ENDED:
                _say(call_line(call))
            elif not is_over:
                self._decide(update)

    def _decide(self, update: ToolUpdate) -> None:
        call = update["call"]
        if self._allowed.covers(call):
            answer = ToolAnswer("allow")
        elif not has_terminal():
            answer = ToolAnswer("refuse", text=_NO_TERMINAL)
        else:
            _forget_typed()
            answer = ask_person(call, _say, _read)
        try:
            self._answer(update, answer)
        except AcError as error:
            _say(str(error))


def has_terminal() -> bool:
    """Return whether the user can be asked: standard input and error are terminals."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _say(text: str) -> None:
    print(f"jupyter-ac: {text}", file=sys.stderr, flush=True)


def _read(prompt: str) -> str:
    # Not `input`: it writes the prompt to standard output, which is for the answer.
    print(prompt, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        print(file=sys.stderr)
        raise EOFError
    return line


def _forget_typed() -> None:
    """Drop what was typed before the question: it was meant for something else."""
    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
