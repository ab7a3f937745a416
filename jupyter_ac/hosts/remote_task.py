"""The child process of a Dask worker that carries out one task: `python -m` with a folder.

The folder has what is to be done and the files as a bundle, and gets the answer and the bundle of
what the files are then. The agent is this machine's own, with the keys, settings and limits of who
runs the worker. Nobody can be asked here: what wasn't allowed before is refused. What the user has
excluded is excluded here, too. The process ends with its standard input, so that it doesn't outlive
the worker.
"""

import asyncio
import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.cli.allowed_commands import AllowedCommands
from jupyter_ac.hosts.file_composition import keep_excluded
from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.process import command
from jupyter_ac.hosts.kernel.child.questions import QuestionResult, Questions, Watcher, aside
from jupyter_ac.hosts.task_workspaces import MODE, last_words
from jupyter_ac.hosts.tool_questions import ToolAnswer, run_problem
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.dask_agents.attempt_folder import ANSWER, RETURNED, SENT, Job, read_job
from jupyter_ac.planner.dask_agents.bundles import pack, unpack
from jupyter_ac.planner.execution.executor import TaskAnswer
from jupyter_ac.planner.worktrees.snapshot_commit import snapshot_commit
from jupyter_ac.planner.worktrees.task_worktrees import TaskWorktrees
from jupyter_ac.settings.limit_overrides import LimitOverrides
from jupyter_ac.tool_rows import ToolUpdate

_NAME: Final = "task"
_CLOSE_S: Final = 5.0
_TOLD_S: Final = 1.0
_REFUSED: Final = (
    "The task runs on another machine, where nobody can be asked; only commands that were allowed "
    "before, and what the sandbox holds, run."
)


def main() -> int:
    """Carry out the task of the folder that is named."""
    folder = Path(sys.argv[1])
    life = _Life(folder)
    try:
        answer = _carried_out(folder, life)
    finally:
        life.wait_for_end()
    (folder / ANSWER).write_text(json.dumps(asdict(answer)), encoding="utf-8")
    return 0


def _carried_out(folder: Path, life: "_Life") -> TaskAnswer:
    try:
        job = read_job(folder)
        worktree = asyncio.run(_receive(folder, job.excluded))
        answer = _ask(job, worktree, life)
        if not answer.problem:
            asyncio.run(_return(folder, worktree))
    except AcError as error:
        return TaskAnswer("", problem=error.message)
    return answer


class _Life:
    """Ends this process with its input.

    Args:
        folder: taken away then.

    Attributes:
        child: the host that answers, when it has been started.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.child: HostChild | None = None
        self._is_ending = False
        self._thread = threading.Thread(target=self._end_with_input, daemon=True)
        self._thread.start()

    def wait_for_end(self) -> None:
        """Let the end take its course, if it has begun; else return at once."""
        if self._is_ending:
            self._thread.join()

    def _end_with_input(self) -> None:
        # Not by `sys.stdin`, whose lock would be in the way of the interpreter's end.
        while os.read(sys.stdin.fileno(), 1):
            pass
        self._is_ending = True
        if self.child is not None:
            self.child.close(wait_s=_CLOSE_S)
        shutil.rmtree(self._folder, ignore_errors=True)
        os._exit(1)


async def _receive(folder: Path, excluded: Collection[RepoPath]) -> Repository:
    files = await unpack((folder / SENT).read_bytes(), folder / "store")
    await keep_excluded(files.repository, excluded)
    return await TaskWorktrees(files.repository, folder).create(_NAME, files.commit)


async def _return(folder: Path, worktree: Repository) -> None:
    made = await snapshot_commit(worktree, "Files of a task\n")
    bundle = await pack(worktree, made.commit)
    await asyncio.to_thread((folder / RETURNED).write_bytes, bundle)


def _ask(job: Job, worktree: Repository, life: _Life) -> TaskAnswer:
    limits = LimitOverrides(job.max_steps, job.max_usd)
    arguments = [*command(worktree.root, job.model), *limits.words()]
    life.child = child = HostChild(worktree.root, arguments=arguments)
    try:
        questions = Questions(child, aside("task"))
        news = _News(questions, AllowedCommands(job.allowed))
        watcher = Watcher(news.grew, tool=news.acted)
        asked = child.submit(questions.ask(job.prompt, (), watcher, mode=MODE))
        result = asked.result()
        model = child.submit(questions.state()).result().get("model")
        name = model.get("name") if isinstance(model, dict) else ""
        answer = _answer(result, str(name))
        news.ended(result.text, answer)
        return answer
    finally:
        child.close(wait_s=_CLOSE_S)


def _answer(result: QuestionResult, model: str) -> TaskAnswer:
    run = result.run
    stopped = "It was stopped." if result.is_stopped else ""
    return TaskAnswer(
        text=last_words(result.text, run["steps"] if run is not None else []),
        problem=result.error or stopped or run_problem(run),
        tokens=run["used"]["tokens"] if run is not None else 0,
        cost_usd=(run["used"]["usd"] or 0.0) if run is not None else 0.0,
        model=model,
    )


class _News:
    """Tells the worker how far the run is, and decides on its calls. On the child's thread.

    Args:
        questions: to which the run belongs.
        allowed: commands that may run.
    """

    def __init__(self, questions: Questions, allowed: AllowedCommands) -> None:
        self._questions, self._allowed = questions, allowed
        self._text, self._told, self._told_at = "", 0, 0.0

    def grew(self, text: str) -> None:
        """Take the answer so far."""
        self._text = text
        if time.monotonic() > self._told_at + _TOLD_S:
            self._tell({})

    def acted(self, update: ToolUpdate) -> None:
        """Take the news of the run; a call that waits is decided at once."""
        used = update["run"]["used"]
        self._tell({"tokens": used["tokens"], "cost_usd": used["usd"] or 0.0})
        call = update.get("call")
        if call is not None and call["status"] == "waiting":
            is_allowed = self._allowed.covers(call)
            answer = ToolAnswer("allow") if is_allowed else ToolAnswer("refuse", text=_REFUSED)
            self._questions.child.submit(self._questions.answer_tool(update, answer))

    def ended(self, text: str, answer: TaskAnswer) -> None:
        """Tell the rest, on the main thread: no other news come any more."""
        self._text = text
        self._tell({"tokens": answer.tokens, "cost_usd": answer.cost_usd})

    def _tell(self, news: Mapping[str, object]) -> None:
        fresh, self._told = self._text[self._told :], len(self._text)
        self._told_at = time.monotonic()
        if news or fresh:
            sys.stdout.write(json.dumps({**news, "text": fresh}) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
