"""`%%ac`: sends a cell's text as a question and streams the answer into its output."""

import contextlib
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.errors import AcError, NotReady
from jupyter_ac.hosts.kernel.cell_agent import ask_in_cell
from jupyter_ac.hosts.kernel.cell_options import (
    CellOptions,
    current_folder,
    in_repository,
    read_options,
)
from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.pool import children_of
from jupyter_ac.hosts.kernel.child.questions import Pause, QuestionResult, Questions, Watcher, aside
from jupyter_ac.hosts.kernel.code_blocks import python_blocks
from jupyter_ac.hosts.kernel.kernel_requests import KernelRequests
from jupyter_ac.hosts.kernel.last_error import forget_error, last_error
from jupyter_ac.hosts.kernel.mentions.resolving import resolve
from jupyter_ac.hosts.kernel.mentions.syntax import find_mentions
from jupyter_ac.hosts.kernel.rendering import (
    NOTHING,
    PACE_S,
    STOPPED,
    AnswerOutput,
    CallLine,
    Picture,
    output_of,
)
from jupyter_ac.hosts.tool_questions import ENDED, CallNews, call_line, run_problem, text_before
from jupyter_ac.terminal import terminal_text
from jupyter_ac.tool_rows import ToolUpdate

_POLL_S: Final = 0.05
"""How long the main thread waits at a time: between two waits an interrupt gets through."""

_STOP_S: Final = 3.0

_STOPPABLE: Final = "Interrupt the cell to stop."


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
    calls: tuple[CallLine, ...] = ()
    waiting: CallNews = field(default_factory=CallNews)

    def watcher(self) -> Watcher:
        """Return the callbacks for the answer."""
        return Watcher(self._set_text, self._set_doing, self._set_pause, self._add_call)

    def picture(self) -> Picture:
        """Render the current state."""
        if self.text or self.calls:
            return Picture(self.text, calls=self.calls)
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

    def _add_call(self, update: ToolUpdate) -> None:
        if "call" in update and update["call"]["status"] in ENDED:
            self.calls += (CallLine(text_before(update), call_line(update["call"])),)
        self.waiting.take(update)


@dataclass(slots=True)
class CellQuestions:
    """The questions of one kernel's cells: one conversation for each repository and model."""

    shell: InteractiveShell
    _aside: str = field(default_factory=lambda: aside("cells"))
    _questions: dict[HostChild, Questions] = field(default_factory=dict)
    _requests: KernelRequests = field(init=False)

    def __post_init__(self) -> None:
        """Make what answers the host's calls of this kernel."""
        self._requests = KernelRequests(self.shell)

    def ask(self, line: str, cell: str) -> None:
        """Ask what a cell says and show the answer; what it mentions by `@` goes out with it.

        Raises:
            UsageError: what is wrong, in one sentence.
            KeyboardInterrupt: the user stopped the answer; the received part is shown and saved.
        """
        last_error(self.shell)  # what is wrong below would take its place
        options = read_options(line)
        if not cell.strip():
            raise UsageError("%%ac: the cell is empty; write a question below the first line.")
        mentioned = resolve(self.shell, find_mentions(cell), current_folder("%%ac"))
        options = replace(options, files=(*options.files, *mentioned.files))
        text = self.answer("%%ac", cell, options, mentioned.items)
        if options.is_cell:
            code = "\n\n".join(python_blocks(text))
            if not code:
                raise UsageError("%%ac: the answer has no Python code for a cell.")
            self.shell.set_next_input(code, replace=False)

    def answer(
        self,
        magic: str,
        question: str,
        options: CellOptions = _NO_OPTIONS,
        items: Sequence[ContextItemGiven] = (),
    ) -> str:
        """Ask, show the answer as it grows and return its text.

        Args:
            magic: its name, which error messages begin with.
            question: sent as it is.
            options: of the question.
            items: sent with it once, without their secrets.

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
            asked = questions.ask(question, files, news.watcher(), items, options.mode)
            future = child.submit(asked)
            with self._requests.attended(child.folder if options.mode != "ask" else None):
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
        if problem := run_problem(answer.run):
            raise UsageError(f"{magic}: {problem}")
        return answer.text

    def restored(self, magic: str, cell: ContextItemGiven, text: str) -> str:
        """Put the secrets of a cell back into the text that replaces it.

        Args:
            magic: its name, which error messages begin with.
            cell: went out with the last question.
            text: from its answer.

        Raises:
            UsageError: what is wrong, in one sentence.
        """
        child = children_of(self.shell).get(current_folder(magic))
        try:
            return child.submit(self._questions_of(child).restored(cell, text)).result()
        except AcError as error:
            raise UsageError(f"{magic}: {terminal_text(str(error))}") from error

    def state(self) -> HostState:
        """Ask the host of the kernel's folder for its state; starts the host.

        Raises:
            UsageError: the kernel's folder is gone.
            AcError: there is no repository, or the host can't be started.
        """
        child = children_of(self.shell).get(current_folder("%ac_status"))
        state = child.submit(self._questions_of(child).state()).result()
        return HostState(child.folder, child.pid, state)

    def call(self, magic: str, method: str, *arguments: object) -> object:
        """Call a method of the host of the kernel's folder; starts the host.

        Args:
            magic: its name, which error messages begin with.
            method: its wire name.
            arguments: JSON values.

        Raises:
            UsageError: what is wrong, in one sentence.
        """
        child = children_of(self.shell).get(current_folder(magic))
        try:
            return child.submit(self._questions_of(child).call(method, *arguments)).result()
        except AcError as error:
            raise UsageError(f"{magic}: {terminal_text(str(error))}") from error

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
        forget_error(self.shell)
        children_of(self.shell).close()

    def _questions_of(self, child: HostChild) -> Questions:
        questions = self._questions.get(child)
        if questions is None:
            questions = self._questions[child] = Questions(
                child, self._aside, self._requests.methods
            )
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
                self._attend(questions, news, output)
        except KeyboardInterrupt:
            questions.stop()
            self._requests.release()
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
        if answer.text or notes or news.calls:
            output.finish(Picture(answer.text, notes=notes, calls=news.calls))
        else:
            output.clear()
        return answer

    def _attend(self, questions: Questions, news: LatestProgress, output: AnswerOutput) -> None:
        """Run what the agent wants to run here, and ask the user about calls that wait."""
        self._requests.serve()
        while update := news.waiting.pop():
            if update["call"]["status"] in ENDED:
                continue
            time.sleep(PACE_S)
            output.show(news.picture())
            answer = ask_in_cell(self.shell, update["call"])
            answering = questions.child.submit(questions.answer_tool(update, answer))
            with contextlib.suppress(AcError):  # it waits no more
                answering.result()


def _stopped(future: "Future[QuestionResult]", news: LatestProgress) -> QuestionResult:
    """Return the outcome of a stopped question."""
    try:
        answer = future.result(timeout=0)
    except (AcError, CancelledError, TimeoutError):
        return QuestionResult(news.text, is_stopped=True)
    return QuestionResult(answer.text, is_stopped=True, notices=answer.notices)
