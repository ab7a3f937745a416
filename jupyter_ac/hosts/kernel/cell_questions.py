"""`%%ac`: sends a cell's text as a question and streams the answer into its output."""

import argparse
import contextlib
import keyword
import os
import shlex
import time
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NoReturn

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.errors import AcError, NotReady
from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.pool import children_of
from jupyter_ac.hosts.kernel.child.questions import Pause, QuestionResult, Questions, Watcher, aside
from jupyter_ac.hosts.kernel.code_blocks import python_blocks
from jupyter_ac.hosts.kernel.rendering import NOTHING, STOPPED, AnswerOutput, Picture, output_of
from jupyter_ac.terminal import terminal_text

USAGE: Final = "%%ac [--model M] [-f FILE]... [-o VAR] [--cell]"

_POLL_S: Final = 0.05
"""How long the main thread waits at a time: between two waits an interrupt gets through."""

_STOP_S: Final = 3.0

_STOPPABLE: Final = "Interrupt the cell to stop."


@dataclass(frozen=True, slots=True)
class CellOptions:
    """The options in the first line of a cell.

    Attributes:
        model: "" for the user's choice.
        files: as they are written.
        variable: gets the text; "" for none.
        is_cell: the answer's code goes into a new cell.
    """

    model: str = ""
    files: tuple[str, ...] = ()
    variable: str = ""
    is_cell: bool = False


_NO_OPTIONS: Final = CellOptions()


@dataclass(frozen=True, slots=True)
class HostState:
    """What the host of a repository says about itself.

    Attributes:
        repository: top of the working tree.
        pid: of its process.
        values: the snapshot of `LLMService.get_current_state`.
    """

    repository: Path
    pid: int | None
    values: Mapping[str, object]


class Interrupted(KeyboardInterrupt):
    """The user's interrupt, shown as one line: where it struck is nothing to look at."""

    def __init__(self) -> None:
        super().__init__("the answer was stopped")

    def _render_traceback_(self) -> list[str]:
        return [f"KeyboardInterrupt: {self}"]


@dataclass(slots=True)
class LatestProgress:
    """The latest progress from the child's thread; the cell's thread can read it at any time."""

    text: str = ""
    doing: str = ""
    pause: Pause | None = None

    def watcher(self) -> Watcher:
        """Return the callbacks for the answer."""
        return Watcher(self._set_text, self._set_doing, self._set_pause)

    def picture(self) -> Picture:
        """Render the current state."""
        if self.text:
            return Picture(self.text)
        pause = self.pause
        if pause is None:
            return Picture("", self.doing)
        return Picture("", f"{pause.words(time.monotonic())} {_STOPPABLE}")

    def _set_text(self, text: str) -> None:
        self.text = text

    def _set_doing(self, message: str) -> None:
        self.doing, self.pause = message, None

    def _set_pause(self, pause: Pause) -> None:
        self.pause = pause


@dataclass(slots=True)
class CellQuestions:
    """The questions of one kernel's cells: one conversation for each repository and model."""

    shell: InteractiveShell
    _aside: str = field(default_factory=lambda: aside("cells"))
    _questions: dict[HostChild, Questions] = field(default_factory=dict)

    def ask(self, line: str, cell: str) -> None:
        """Ask what a cell says and show the answer.

        Raises:
            UsageError: what is wrong, in one sentence.
            KeyboardInterrupt: the user stopped the answer; the received part is shown and saved.
        """
        options = read_options(line)
        if not cell.strip():
            raise UsageError("%%ac: the cell is empty; write a question below the first line.")
        text = self.answer("%%ac", cell, options)
        if options.is_cell:
            code = "\n\n".join(python_blocks(text))
            if not code:
                raise UsageError("%%ac: the answer has no Python code for a cell.")
            self.shell.set_next_input(code, replace=False)

    def answer(self, magic: str, question: str, options: CellOptions = _NO_OPTIONS) -> str:
        """Ask, show the answer as it grows and return its text.

        Args:
            magic: its name, which error messages begin with.
            question: sent as it is.
            options: of the question.

        Raises:
            UsageError: what is wrong, in one sentence.
            KeyboardInterrupt: the user stopped the answer; the received part is shown and saved.
        """
        folder = current_folder(magic)
        child = children_of(self.shell).get(folder, options.model)
        files = [in_repository(name, folder, child.folder) for name in options.files]
        questions = self._questions_of(child)
        news = LatestProgress()
        try:
            future = child.submit(questions.ask(question, files, news.watcher()))
            answer = self._follow(future, questions, news, output_of(self.shell))
        except AcError as error:
            # IPython prints it as it is.
            raise UsageError(f"{magic}: {terminal_text(str(error))}") from error
        if options.variable:
            self.shell.user_ns[options.variable] = answer.text
        if answer.error:
            raise UsageError(f"{magic}: {answer.error}")
        if answer.is_stopped:
            raise Interrupted
        return answer.text

    def state(self) -> HostState:
        """Ask the host of the kernel's folder for its state; starts the host.

        Raises:
            UsageError: the kernel's folder is gone.
            AcError: there is no repository, or the host can't be started.
        """
        child = children_of(self.shell).get(current_folder("%ac_status"))
        state = child.submit(self._questions_of(child).state()).result()
        return HostState(child.folder, child.pid, state)

    def reset(self) -> int:
        """Begin new conversations; returns how many have ended."""
        ended = list(self._questions.values())
        self._questions.clear()
        self._aside = aside("cells")
        for questions in ended:
            with contextlib.suppress(NotReady):  # its host is closed already
                questions.child.submit(questions.aclose())
        return len(ended)

    def close(self) -> None:
        """End the hosts that answered; later questions start a new conversation."""
        self._questions.clear()
        children_of(self.shell).close()

    def _questions_of(self, child: HostChild) -> Questions:
        questions = self._questions.get(child)
        if questions is None:
            questions = self._questions[child] = Questions(child, self._aside)
        return questions

    def _follow(
        self,
        future: "Future[QuestionResult]",
        questions: Questions,
        news: LatestProgress,
        output: AnswerOutput,
    ) -> QuestionResult:
        """Show the answer as it grows, until its end or an interrupt."""
        try:
            while not wait({future}, _POLL_S).done:
                output.show(news.picture())
        except KeyboardInterrupt:
            questions.stop()
            wait({future}, _STOP_S)
            future.cancel()
            answer = _stopped(future, news)
        else:
            try:
                answer = future.result()
            except AcError:
                output.clear()
                raise
        notes = answer.notices
        if answer.is_stopped:
            notes += (STOPPED if answer.text else NOTHING,)
        elif answer.error and answer.text:
            notes += ("The answer is not complete.",)
        if answer.text or notes:
            output.finish(Picture(answer.text, notes=notes))
        else:
            output.clear()
        return answer


def current_folder(magic: str) -> Path:
    """Return the kernel's folder, absolute and without links.

    Raises:
        UsageError: it is gone; the sentence begins with the magic's name.
    """
    try:
        return Path.cwd().resolve()
    except FileNotFoundError as error:
        raise UsageError(f"{magic}: the kernel's folder is gone; os.chdir to another.") from error


def read_options(line: str) -> CellOptions:
    """Read the first line of a cell, without the magic's name.

    Raises:
        UsageError: it can't be read.
    """
    parser = _Parser(prog="%%ac", add_help=False, allow_abbrev=False)
    parser.add_argument("--model", default="")
    parser.add_argument("-f", dest="files", action="append", default=[])
    parser.add_argument("-o", dest="variable", default="")
    parser.add_argument("--cell", dest="is_cell", action="store_true")
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"%%ac: {error}; use it as {USAGE}") from error
    found = parser.parse_args(words)
    variable: str = found.variable
    if variable and (not variable.isidentifier() or keyword.iskeyword(variable)):
        raise UsageError(f"%%ac: {variable!r} can't be the name of a variable.")
    return CellOptions(found.model, tuple(found.files), variable, found.is_cell)


def in_repository(name: str, folder: Path, root: Path) -> str:
    """Give a file's path in the repository.

    Args:
        name: relative to the kernel's folder or else to the repository.
        folder: the kernel's.
        root: top of the repository.

    Raises:
        UsageError: there is no such file, or it lies elsewhere.
    """
    try:
        named = Path(name).expanduser()
    except RuntimeError:  # `~name` of an unknown user
        named = Path(name)
    for base in (folder, root):
        path = Path(os.path.normpath(base / named))
        if path.is_file():
            if not path.is_relative_to(root):
                raise UsageError(f"%%ac: {name!r} lies outside the repository.")
            return path.relative_to(root).as_posix()
        if path.is_dir():
            raise UsageError(f"%%ac: {name!r} is a folder; name its files, each with -f.")
    raise UsageError(f"%%ac: there is no file {name!r} in the kernel's folder or the repository.")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"%%ac: {message}; use it as {USAGE}")


def _stopped(future: "Future[QuestionResult]", news: LatestProgress) -> QuestionResult:
    """Return the outcome of a stopped question."""
    try:
        answer = future.result(timeout=0)
    except (AcError, CancelledError, TimeoutError):
        return QuestionResult(news.text, is_stopped=True)
    return QuestionResult(answer.text, is_stopped=True, notices=answer.notices)
