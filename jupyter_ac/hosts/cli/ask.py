"""`jupyter ac ask "…"`: one question, in a conversation of its own that the history shows.

The answer goes to standard output as it comes and nothing else does. The host that answers is a
child process, the same that a kernel starts, so that Ctrl-C ends the answer and not the host.
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
from pathlib import Path
from typing import Final

from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.errors import AcError, NotReady
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.hosts.assembly import HostOptions, build_planner, plan_once
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.command import WrongUsage
from jupyter_ac.hosts.cli.path_arguments import absolute, selected_paths
from jupyter_ac.hosts.cli.signals import ending_like_ctrl_c
from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.questions import QuestionResult, Questions, Watcher, aside
from jupyter_ac.settings.admin import load_admin


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
    reading = await RepositoryFiles(repository).read(paths)
    if reading.problems:
        raise WrongUsage(" ".join(problem.message for problem in reading.problems))
    return list(paths)


STOP_S: Final = 10.0
"""How long an answer may take to end after Ctrl-C."""

_DEMO: Final = "The demo model answers; it is too small to be useful."
_CLOSE_S: Final = 10.0
_MAX_QUESTION: Final = 10_000_000


def run(options: Namespace) -> int:
    """Ask, and write the answer as it comes."""
    if sys.stdout is None or sys.stderr is None:
        raise NotReady("Standard output and error must both be open.")
    with ending_like_ctrl_c():
        return _run(options)


def _run(options: Namespace) -> int:
    question = _question(options.question)
    folder = absolute(options.repo)
    paths = asyncio.run(_paths(folder, options.files))
    _require_model(options.model)
    child = HostChild(folder, model=options.model or "")
    try:
        return _Asked(Questions(child, aside("ask")), question, paths).see_through()
    finally:
        child.close(wait_s=_CLOSE_S)


def _question(given: str) -> str:
    question = sys.stdin.read(_MAX_QUESTION) if given == "-" else given
    if not question.strip():
        raise WrongUsage("The question is empty; write one.")
    return question


async def _paths(folder: Path, files: Sequence[str]) -> list[str]:
    repository = await discover(folder)
    return await attachments(repository, files, Path.cwd())


def _require_model(named: str | None) -> None:
    """Say that there is no model before anything is started, and that the demo model is one."""
    planner = build_planner(os.environ, load_admin(), HostOptions(named or None))
    plan = asyncio.run(plan_once(planner))
    if plan.choice is None:
        raise NotReady(plan.message)
    if plan.choice.demo:
        print(f"jupyter-ac: {_DEMO}", file=sys.stderr)


class _Asked:
    """A question under way: news come on the child's thread, and are written on the main one."""

    def __init__(self, questions: Questions, question: str, paths: Sequence[str]) -> None:
        self._questions = questions
        self._news = threading.Condition()
        self._text = ""
        self._written = 0
        self._said: list[str] = []
        self._told: set[str] = set()
        watcher = Watcher(self._grew, self._add_notice)
        self._future: Future[QuestionResult] = questions.child.submit(
            questions.ask(question, paths, watcher)
        )
        self._future.add_done_callback(lambda _done: self._wake())

    def see_through(self) -> int:
        """Write until the end; return the exit code."""
        try:
            while not self._future.done():
                self._wait()
                self._write()
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
        for notice in answer.notices:
            self._print_progress(notice)
        if answer.error:
            raise AcError(answer.error)
        if answer.is_stopped:
            raise AcError("The answer was stopped.")
        return exit_codes.DONE

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

    def _add_notice(self, message: str) -> None:
        with self._news:
            self._said.append(message)
            self._news.notify()

    def _wake(self) -> None:
        with self._news:
            self._news.notify()

    def _wait(self) -> None:
        with self._news:
            while len(self._text) == self._written and not self._said and not self._future.done():
                self._news.wait()

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
