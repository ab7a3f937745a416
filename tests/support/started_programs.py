"""Which tests start programs other than git: a server, a kernel, a worker, a browser.

What a test module imports says it, also by way of the helpers of tests, and so do some fixtures.
"""

import sys
from functools import cache
from types import ModuleType
from typing import Final

import pytest

# Packages and modules.
_STARTERS: Final = frozenset(
    {
        "benchmarks",
        "jupyter_ac.hosts.cli.checks.index",
        "jupyter_ac.hosts.kernel.child.host",
        "jupyter_ac.hosts.resources",
        "jupyter_ac.hosts.standalone.server",
        "jupyter_ac.hosts.workspace",
        "jupyter_ac.index.client",
        "jupyter_ac.index.indexing.indexer",
        "jupyter_ac.index.indexing.pool",
        "jupyter_ac.workers.process",
        "jupyter_client",
        "multiprocessing",
        "subprocess",
        "tests.support.json_lines",
    }
)
_ONLY_GIT: Final = "tests.support.repositories"
_FOR_PROGRAMS: Final = frozenset({"forked_workers", "forked_workers_of_module"})
"""Fixtures of all tests in a folder, which do something only for those that start programs."""

_FIXTURES: Final = frozenset({"browser", "connect", "door", "jp_serverapp", "page"})


def starts_programs(item: pytest.Item) -> bool:
    """Whether a test starts a program other than git."""
    if not isinstance(item, pytest.Function):
        return True
    return (
        not _FIXTURES.isdisjoint(item.fixturenames)
        or module_starts_programs(item.module.__name__)
        or any(
            _is_of_support(item, name) for name in item.fixturenames if name not in _FOR_PROGRAMS
        )
    )


def _is_of_support(item: pytest.Function, fixture: str) -> bool:
    """Whether a fixture comes from a helper that starts programs."""
    found = item._fixtureinfo.name2fixturedefs.get(fixture, ())
    names = (definition.func.__module__ for definition in found)
    return any(name.startswith("tests.support.") and module_starts_programs(name) for name in names)


@cache
def module_starts_programs(name: str) -> bool:
    """Whether what an imported module imports says it."""
    if any(name == starter or name.startswith(f"{starter}.") for starter in _STARTERS):
        return True
    module = sys.modules.get(name)
    if module is None or not name.startswith("tests.") or name == _ONLY_GIT:
        return False
    owners = {_owner(value) for value in vars(module).values()} - {name}
    return any(module_starts_programs(owner) for owner in owners)


def _owner(value: object) -> str:
    """The module that something comes from."""
    owner = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return owner if isinstance(owner, str) else ""
