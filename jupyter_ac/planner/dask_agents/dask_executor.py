"""Has the workers of a Dask cluster carry out tasks: files go out and come back as bundles."""

import asyncio
import secrets
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from distributed import Client, Future

from jupyter_ac.agent.limits import MINUTE_S, RunLimits
from jupyter_ac.errors import AcError, NotReady, TimedOut
from jupyter_ac.git.excluded_paths import ReadExcluded
from jupyter_ac.planner.dask_agents.attempt_folder import Job
from jupyter_ac.planner.dask_agents.bundles import pack, unpack
from jupyter_ac.planner.dask_agents.remote_attempts import (
    RemoteJob,
    RemoteResult,
    preflight,
    run_attempt,
    stop_attempt,
    topic,
)
from jupyter_ac.planner.dask_agents.taking_over import take_over
from jupyter_ac.planner.execution.executor import Assignment, TaskAnswer
from jupyter_ac.planner.worktrees.snapshot_commit import snapshot_commit
from jupyter_ac.planner.worktrees.tree_entries import entries_of
from jupyter_ac.store.shield import run_to_completion
from jupyter_ac.terminal import terminal_text
from jupyter_ac.version import __version__

CONNECT_S: Final = 20.0
START_S: Final = 300.0
"""What an attempt may take beside its run: it may wait for a free worker, and starts a host."""

_STOP_S: Final = 10.0
_MAX_TEXT: Final = 20_000
_AGAIN: Final = (
    "{before}\n\nYou have worked on this already, and your changes are in the files. You said then:"
    "\n{said}\n\n{prompt}"
)


@dataclass(frozen=True, slots=True)
class ClusterPorts:
    """What attempts on a cluster need of the workspace.

    Attributes:
        address: of the scheduler.
        limits: returns those of a run, by the settings of this moment.
        allowed: returns the commands that the user has allowed from now on, as lines.
        excluded: returns the files of which nothing is sent to a model.
    """

    address: str
    limits: Callable[[], RunLimits]
    allowed: Callable[[], Awaitable[Sequence[str]]]
    excluded: ReadExcluded


class DaskExecutor:
    """Sends tasks to a cluster.

    Args:
        ports: what it needs of the workspace.
    """

    def __init__(self, ports: ClusterPorts) -> None:
        self._ports = ports

    @asynccontextmanager
    async def open(self, assignment: Assignment) -> AsyncIterator["DaskSession"]:
        """Connect, and look which workers can carry out tasks.

        Raises:
            NotReady: the scheduler can't be reached, or no worker can.
        """
        address = self._ports.address
        try:
            client = await Client(
                address, asynchronous=True, timeout=CONNECT_S, set_as_default=False
            )
        except (OSError, TimeoutError, ValueError) as error:
            raise NotReady(
                f"The Dask scheduler at {address} can't be reached; start it, or correct "
                "c.JupyterAC.executor_address."
            ) from error
        try:
            found: Mapping[str, object] = await client.run(preflight, on_error="return")
            workers = usable(found)
            yield DaskSession(client, workers, assignment, self._ports)
        finally:
            await run_to_completion(client.close())


def usable(found: Mapping[str, object]) -> list[str]:
    """Return the workers that can carry out tasks.

    Args:
        found: what `preflight` has returned or raised, by the workers' addresses.

    Raises:
        NotReady: there is none; says why.
    """
    reasons: dict[str, str] = {}
    for address, told in found.items():
        if not isinstance(told, Mapping):
            reasons[address] = f"jupyter_ac can't be loaded there ({type(told).__name__})"
        elif told.get("version") != __version__:
            reasons[address] = f"it has jupyter_ac {told.get('version')}, here is {__version__}"
        elif not told.get("git"):
            reasons[address] = "it has no git"
    workers = [address for address in found if address not in reasons]
    if not workers:
        why = "; ".join(f"{address}: {reason}" for address, reason in sorted(reasons.items())[:3])
        raise NotReady(f"No worker of the cluster can carry out tasks: {why or 'there is none'}.")
    return workers


class RunCosts:
    """What the runs of an attempt have cost: of those that the scheduler has lost, too."""

    def __init__(self) -> None:
        self._by_run: dict[str, tuple[int, float]] = {}

    def note(self, news: object) -> None:
        """Take the news of a run."""
        match news:
            case {"run": str(run), "tokens": int(tokens), "cost_usd": int() | float() as cost}:
                before = self._by_run.get(run, (0, 0.0))
                self._by_run[run] = max(before[0], tokens), max(before[1], float(cost))
            case {"run": str(run)}:
                self._by_run.setdefault(run, (0, 0.0))

    @property
    def runs(self) -> int:
        """How often it was begun."""
        return len(self._by_run)

    @property
    def tokens(self) -> int:
        """Tokens of all runs."""
        return sum(tokens for tokens, _ in self._by_run.values())

    @property
    def cost_usd(self) -> float:
        """Dollars of all runs."""
        return sum(cost for _, cost in self._by_run.values())


class DaskSession:
    """A conversation with agents on other machines: each question may go to another one.

    Args:
        client: of the scheduler.
        workers: that can carry out tasks.
        assignment: the attempt.
        ports: what it needs of the workspace.
    """

    def __init__(
        self, client: Client, workers: Sequence[str], assignment: Assignment, ports: ClusterPorts
    ) -> None:
        self._client, self._workers = client, list(workers)
        self._assignment, self._ports = assignment, ports
        self._before = self._said = ""

    async def ask(self, prompt: str) -> TaskAnswer:
        """Send the files and the prompt, and take over the files that come back.

        Raises:
            AcError: they can't be sent, or what comes back can't be used.
        """
        worktree = self._assignment.worktree
        sent = await snapshot_commit(worktree, "Files of a task\n", without=self._assignment.links)
        limits, told = self._ports.limits(), prompt
        if self._before:
            told = _AGAIN.format(before=self._before, said=self._said, prompt=prompt)
        job = Job(
            prompt=told,
            model=self._assignment.model,
            allowed=tuple(await self._ports.allowed()),
            excluded=(await self._ports.excluded()).paths,
            max_steps=limits.max_steps,
            max_usd=limits.max_usd,
        )
        sending = RemoteJob(secrets.token_hex(8), job, await pack(worktree, sent.commit))
        answer, bundle = await self._sent(sending, START_S + limits.max_minutes * MINUTE_S)
        if not answer.problem:
            before = await entries_of(worktree, sent.commit)
            with tempfile.TemporaryDirectory(prefix="jupyter-ac-bundle-") as folder:
                try:
                    await take_over(worktree, before, await unpack(bundle, Path(folder) / "store"))
                except AcError as error:
                    answer = replace(
                        answer,
                        problem=f"What the worker has sent back can't be used: {error.message}",
                    )
        self._before, self._said = self._before or prompt, answer.text
        return answer

    async def _sent(self, job: RemoteJob, limit_s: float) -> tuple[TaskAnswer, bytes]:
        costs = RunCosts()
        self._client.subscribe_topic(topic(job.attempt), lambda event: self._heard(costs, event))
        future = self._client.submit(
            run_attempt,
            job,
            key=topic(job.attempt),
            workers=self._workers,
            allow_other_workers=False,
            pure=False,
        )
        is_over = False
        try:
            async with asyncio.timeout(limit_s):
                result: RemoteResult = await future
            is_over = True
        except TimeoutError:
            raise TimedOut(
                f"The cluster has not answered within {limit_s / 60:g} minutes."
            ) from None
        except AcError:
            raise
        except Exception as error:  # whatever was raised on another machine, or lost with it
            is_over = True
            raise NotReady(f"The cluster has lost the task: {_words(error)}") from error
        finally:
            await run_to_completion(self._forget(job.attempt, future, costs, is_over=is_over))
        return _answer(result, costs), result.bundle

    def _heard(self, costs: RunCosts, event: object) -> None:
        news = event[1] if isinstance(event, tuple) and len(event) > 1 else None
        costs.note(news)
        if isinstance(news, Mapping) and isinstance(text := news.get("text"), str) and text:
            self._assignment.on_text(text[:_MAX_TEXT])

    async def _forget(
        self, attempt: str, future: "Future[RemoteResult]", costs: RunCosts, *, is_over: bool
    ) -> None:
        """Take all news of an attempt, and end what still runs of it: `cancel` alone doesn't."""
        client = self._client
        try:
            async with asyncio.timeout(_STOP_S):
                if not is_over:
                    await future.cancel()
                    await client.run(stop_attempt, attempt, on_error="ignore")
                for _, news in await client.get_events(topic(attempt)):
                    costs.note(news)
        except (OSError, TimeoutError):
            return
        finally:
            client.unsubscribe_topic(topic(attempt))
            future.release()


def _answer(result: RemoteResult, costs: RunCosts) -> TaskAnswer:
    match result.answer:
        case {
            "text": str(text),
            "problem": str(problem),
            "tokens": int(tokens),
            "cost_usd": int() | float() as cost,
            "model": str(model),
        }:
            answer = TaskAnswer(text, problem, tokens, float(cost), model)
        case {"problem": str(problem)} if problem:
            answer = TaskAnswer("", problem)
        case _:
            answer = TaskAnswer("", "The worker's answer makes no sense.")
    if costs.runs > 1:
        answer = replace(
            answer,
            tokens=max(answer.tokens, costs.tokens),
            cost_usd=max(answer.cost_usd, costs.cost_usd),
        )
    return replace(answer, problem=terminal_text(answer.problem))


def _words(error: BaseException) -> str:
    return terminal_text(f"{type(error).__name__}: {error}")[:300]
