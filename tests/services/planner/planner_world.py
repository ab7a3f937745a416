"""A planner's methods as pages call them."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.planner.shared_context_store import SharedContextStore
from jupyter_ac.planner.validation.validator import Checkers, CodeValidator
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.planner.planner_names import planner_methods
from jupyter_ac.services.subscribers import Subscribers
from tests.support.plans import plans_in
from tests.support.repositories import make_repository


@dataclass(frozen=True)
class PlannerWorld:
    """The methods, and the pages that are told of changes."""

    table: MethodTable
    subscribers: Subscribers
    root: Path


@asynccontextmanager
async def planner_world(folder: Path) -> AsyncIterator[PlannerWorld]:
    root = make_repository(folder / "r", {"a.py": "x\n"}).root
    database, subscribers = plans_in(folder), Subscribers()
    validator = CodeValidator(Checkers.of(root, os.environ), 120.0)
    contexts = SharedContextStore(database, await discover(root))
    table = MethodTable(*planner_methods(validator, contexts, subscribers))
    try:
        yield PlannerWorld(table, subscribers, root)
    finally:
        await validator.aclose()
        await database.aclose()
