"""`jupyter ac ask "…"`: one question, in a conversation of its own that the history shows.

The answer goes to standard output as it comes and nothing else does. The host that answers is a
child process, the same that a kernel starts, so that Ctrl-C ends the answer and not the host. With
`--agent` the calls of the run, and the questions about them, go to standard error.
"""

import asyncio
import os
import sys
import threading
from argparse import Namespace
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as WaitTimeoutError
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.streams import utf16_length
from jupyter_ac.errors import AcError, NotReady
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.hosts.assembly import HostOptions, build_planner, plan_once
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.allowed_commands import AllowedCommands
from jupyter_ac.hosts.cli.command import WrongUsage
from jupyter_ac.hosts.cli.path_arguments import absolute, selected_paths
from jupyter_ac.hosts.cli.signals import ending_like_ctrl_c
from jupyter_ac.hosts.cli.terminal_run import TerminalRun
from jupyter_ac.hosts.file_composition import kept_excluded
from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.process import command
from jupyter_ac.hosts.kernel.child.questions import QuestionResult, Questions, Watcher, aside
from jupyter_ac.hosts.tool_questions import ToolAnswer, run_line, run_problem
from jupyter_ac.settings.admin import load_admin
from jupyter_ac.settings.limit_overrides import LimitOverrides
from jupyter_ac.tool_rows import AgentMode, ToolUpdate


async def attachments(repository: Repository, files: Sequence[str], current: Path) -> list[str]:
    """Return the files' paths in the repository.

    Args:
        repository: whose files.
        files: relative to the current folder, else to the repository; or absolute.
        current: the current folder.

    Raises:
        WrongUsage: one isn't a file of the repository, or can't be sent; says which and why.
    """
    paths = selected_paths(repository, files, current)
    kept = await kept_excluded(repository)

    async def excluded() -> ExcludedPaths:
        return kept

    reading = await RepositoryFiles(repository, excluded=excluded).read(paths)
    if reading.problems:
        raise WrongUsage(" ".join(problem.message for problem in reading.problems))
    return list(paths)


STOP_S: Final = 10.0
"""How long an answer may take to end after Ctrl-C."""

_DEMO: Final = "The demo model answers; it is too small to be useful."
_CLOSE_S: Final = 10.0
_LAG_S: Final = 1.0
_MAX_QUESTION: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class _Request:
    """What is asked.

    Attributes:
        question: its text.
        paths: of the files that go with it.
        mode: how an agent may act; `ask` without one.
        allowed: what it may run without asking.
    """

    question: str
    paths: Sequence[str]
    mode: AgentMode
    allowed: AllowedCommands


def run(options: Namespace) -> int:
    """Ask, and write the answer as it comes."""
    if sys.stdout is None or sys.stderr is None:
        raise NotReady("Standard output and error must both be open.")
    with ending_like_ctrl_c():
        return _run(options)


def _run(options: Namespace) -> int:
    _require_agent(options)
    mode: AgentMode = (options.mode or "agent") if options.agent else "ask"
    allowed = AllowedCommands(options.allow)
    question = _question(options.question)
    folder = absolute(options.repo)
    paths = asyncio.run(_paths(folder, options.files))
    limits = LimitOverrides(options.max_steps, options.max_usd)
    _require_model(HostOptions(options.model or None, limits=limits))
    arguments = [*command(folder, options.model or ""), *limits.words()]
    child = HostChild(folder, arguments=arguments)
    try:
        request = _Request(question, paths, mode, allowed)
        return _Asked(Questions(child, aside("ask")), request).see_through()
    finally:
        child.close(wait_s=_CLOSE_S)


def _require_agent(options: Namespace) -> None:
    given = {
        "--mode": options.mode,
        "--allow": options.allow or None,
        "--max-steps": options.max_steps,
        "--max-usd": options.max_usd,
    }
    for name, value in given.items():
        if value is not None and not options.agent:
            raise WrongUsage(f"{name} is for an agent's run; add --agent.")


def _question(given: str) -> str:
    question = sys.stdin.read(_MAX_QUESTION) if given == "-" else given
    if not question.strip():
        raise WrongUsage("The question is empty; write one.")
    return question


async def _paths(folder: Path, files: Sequence[str]) -> list[str]:
    repository = await discover(folder)
    return await attachments(repository, files, Path.cwd())


def _require_model(options: HostOptions) -> None:
    """Say that there is no model before anything is started, and that the demo model is one.

    Raises:
        NotReady: there is none.
        AccessDenied: the administrator has locked a limit that is given.
    """
    planner = build_planner(os.environ, load_admin(), options)
    plan = asyncio.run(plan_once(planner))
    if plan.choice is None:
        raise NotReady(plan.message)
    if plan.choice.demo:
        print(f"jupyter-ac: {_DEMO}", file=sys.stderr)


class _Asked:
    """A question under way: news come on the child's thread, and are written on the main one."""

    def __init__(self, questions: Questions, request: _Request) -> None:
        self._questions = questions
        self._run = TerminalRun(request.allowed, self._answer_tool)
        self._news = threading.Condition()
        self._text = ""
        self._written = 0
        self._said: list[str] = []
        self._told: set[str] = set()
        watcher = Watcher(self._grew, self._add_notice, tool=self._acted)
        self._future: Future[QuestionResult] = questions.child.submit(
            questions.ask(request.question, request.paths, watcher, mode=request.mode)
        )
        self._future.add_done_callback(lambda _done: self._wake())

    def see_through(self) -> int:
        """Write until the end; return the exit code."""
        try:
            while not self._future.done():
                self._wait()
                self._write()
                self._attend()
            return self._finish(self._future.result())
        except KeyboardInterrupt:
            self._stop()
            return exit_codes.INTERRUPTED
        except OSError:
            self._stop()
            raise

    def _finish(self, answer: QuestionResult) -> int:
        self._text = answer.text
        self._write()
        self._end_line()
        self._run.attend(is_over=True)
        for notice in answer.notices:
            self._print_progress(notice)
        if answer.run is not None:
            print(f"jupyter-ac: {run_line(answer.run)}", file=sys.stderr)
        if answer.error:
            raise AcError(answer.error)
        if answer.is_stopped:
            raise AcError("The answer was stopped.")
        if problem := run_problem(answer.run):
            raise AcError(problem)
        return exit_codes.DONE

    def _attend(self) -> None:
        """Show the calls that have ended, and ask about those that wait."""
        if self._run.has_news:
            with self._news:  # the text comes in portions, a little later than the calls
                self._news.wait_for(self._has_text_before, _LAG_S)
            self._write()
            if self._text and not self._text.endswith("\n") and sys.stdout.isatty():
                print(file=sys.stderr)
            self._run.attend()

    def _has_text_before(self) -> bool:
        return utf16_length(self._text) >= self._run.text_before or self._future.done()

    def _answer_tool(self, update: ToolUpdate, answer: ToolAnswer) -> None:
        questions = self._questions
        questions.child.submit(questions.answer_tool(update, answer)).result()

    def _stop(self) -> None:
        """Stop the answer; what was written of it stays, here and in the history."""
        self._questions.stop()
        with suppress(AcError, CancelledError, WaitTimeoutError):
            self._text = self._future.result(STOP_S).text
        with suppress(OSError):
            self._write()
            self._end_line()

    def _grew(self, text: str) -> None:
        with self._news:
            self._text = text
            self._news.notify()

    def _acted(self, update: ToolUpdate) -> None:
        with self._news:
            self._run.take(update)
            self._news.notify()

    def _add_notice(self, message: str) -> None:
        with self._news:
            self._said.append(message)
            self._news.notify()

    def _wake(self) -> None:
        with self._news:
            self._news.notify()

    def _wait(self) -> None:
        with self._news:
            while not (self._has_news or self._future.done()):
                self._news.wait()

    @property
    def _has_news(self) -> bool:
        return len(self._text) > self._written or bool(self._said) or self._run.has_news

    def _write(self) -> None:
        with self._news:
            fresh, self._written = self._text[self._written :], len(self._text)
            said, self._said = self._said, []
        for message in said:
            if sys.stderr.isatty():
                self._print_progress(message)
        if fresh:
            sys.stdout.write(fresh)
            sys.stdout.flush()

    def _end_line(self) -> None:
        if self._text and not self._text.endswith("\n"):
            sys.stdout.write("\n")
            sys.stdout.flush()

    def _print_progress(self, message: str) -> None:
        """Say it once."""
        if message not in self._told:
            self._told.add(message)
            print(f"jupyter-ac: {message}", file=sys.stderr)
