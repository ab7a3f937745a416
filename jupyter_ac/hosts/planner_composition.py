"""Makes the planner of a workspace; nothing is started."""

from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_ac.events import PlanUpdated
from jupyter_ac.hosts.composition import Composition
from jupyter_ac.hosts.task_executors import TaskExecutors
from jupyter_ac.planner.execution.branch_application import BranchApplication
from jupyter_ac.planner.execution.changed_file_checks import ChangedFileChecks
from jupyter_ac.planner.execution.plan_drive import DriveParts
from jupyter_ac.planner.execution.plan_recovery import PlanRecovery
from jupyter_ac.planner.execution.plan_runner import PlanRunner
from jupyter_ac.planner.execution.task_attempts import Preparation, TaskAttempts
from jupyter_ac.planner.execution.worktree_preparation import link_paths
from jupyter_ac.planner.plan_database import plan_database
from jupyter_ac.planner.plans.plan import Plan
from jupyter_ac.planner.plans.plan_journal import PlanJournal
from jupyter_ac.planner.plans.plan_registry import PlanRegistry
from jupyter_ac.planner.plans.plan_wire import plan_update
from jupyter_ac.planner.plans.plan_writer import PlanWriter
from jupyter_ac.planner.shared_context_store import SharedContextStore
from jupyter_ac.planner.validation.validator import Checkers, CodeValidator
from jupyter_ac.planner.worktrees.task_worktrees import TaskWorktrees
from jupyter_ac.services.planner.planner_names import PlannerPorts
from jupyter_ac.settings.paths import worktree_folder
from jupyter_ac.store.sqlite import Database


@dataclass(frozen=True, slots=True)
class PlannerParts:
    """The planner of a workspace.

    Attributes:
        ports: what its methods work with.
        runner: runs its plans.
        database: the file of both plans and contexts.
    """

    ports: PlannerPorts
    runner: PlanRunner
    database: Database

    async def aclose(self) -> None:
        """End what runs; bounded. The runner is closed before."""
        await self.ports.validator.aclose()
        await self.database.aclose()


def make_planner(made: Composition) -> PlannerParts:
    """Make the planner of a workspace of the user's own files.

    Args:
        made: the workspace.
    """
    repository, environ = made.repository, made.planner.environ
    database = plan_database(made.database)
    validator = CodeValidator(Checkers.of(repository.root, environ))
    registry = _registry(made, database)
    worktrees = TaskWorktrees(repository, worktree_folder(environ, repository.common_dir))
    checks = ChangedFileChecks(repository, validator)
    executors = TaskExecutors(made)
    runner = PlanRunner(
        DriveParts(
            repository=repository,
            state_dir=made.database.path.parent,
            registry=registry,
            attempts=TaskAttempts(repository, worktrees, checks, made.excluded.read),
            recovery=PlanRecovery(repository, registry, worktrees),
            executors=executors,
            preparation=lambda: _preparation(made),
        )
    )
    ports = PlannerPorts(
        repository=repository,
        validator=validator,
        contexts=SharedContextStore(database, repository),
        registry=registry,
        writer=PlanWriter(made.ports.models, repository, made.excluded.read),
        runner=runner,
        application=BranchApplication(made.restorer),
        executors=executors.rows,
        subscribers=made.subscribers,
    )
    return PlannerParts(ports, runner, database)


def _registry(made: Composition, database: Database) -> PlanRegistry:
    subscribers = made.subscribers

    def publish(plan: Plan, changed: Sequence[str]) -> None:
        update = PlanUpdated(plan_update(plan, changed))
        for key in subscribers.conversation_keys():
            if key.identity == plan.identity:
                subscribers.publish(update, key)

    return PlanRegistry(PlanJournal(database, made.repository.worktree), publish)


def _preparation(made: Composition) -> Preparation:
    settings = made.planner.settings.app.plans
    links = link_paths(settings.worktree_links)
    return Preparation(links, settings.worktree_setup.strip(), made.planner.environ)
