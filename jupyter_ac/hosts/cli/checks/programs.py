"""Checks of git, Python, and the repository."""

import asyncio
import platform
import sys
from dataclasses import replace
from pathlib import Path

from jupyter_ac.errors import AccessDenied, AcError, GitError, NotFound
from jupyter_ac.git.allowed_programs import FILE as ALLOWED_FILE
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.rated_programs import RUNNABLE
from jupyter_ac.git.repository import OLDEST_GIT
from jupyter_ac.git.review.state import review_state
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.hosts.cli.checks.context import CheckContext, CheckResult, fail, ok, warn
from jupyter_ac.settings.paths import config_dir

_ALLOW: str = "Look at it, then choose “Allow …” in the panel's commit form."
_OLDEST: str = ".".join(map(str, OLDEST_GIT))
_IN_REVIEW: str = "Open the panel there: it offers to end the review."


async def git(_here: CheckContext) -> CheckResult:
    """Check that git is installed and new enough."""
    try:
        said = await read_git(Path("/"), ("version",), GitOptions(ceiling=False, timeout_s=10))
    except GitError as error:
        return fail(str(error), f"Install git {_OLDEST} or newer and put it on PATH.")
    version = said.data.decode("utf-8", "replace").strip().removeprefix("git version ")
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST_GIT:
        return fail(f"{version or 'no version'}; too old", f"Install git {_OLDEST} or newer.")
    return ok(version)


async def python(_here: CheckContext) -> CheckResult:
    """Report the Python interpreter."""
    version = f"{platform.python_version()} on {platform.system()}, {sys.executable}"
    if sys.platform == "win32":
        return warn(version, "Windows is untested; use Linux, macOS or WSL.")
    return ok(version)


async def repository(here: CheckContext) -> CheckResult:
    """Check that there is a repository."""
    found = here.found
    if not isinstance(found, AcError):
        worktree = f", worktree {found.worktree}" if found.worktree else ""
        review = await asyncio.to_thread(review_state, found)
        if review["message"]:
            return warn(f"{found.root}{worktree}. {review['message']}", _IN_REVIEW)
        return ok(f"{found.root}{worktree}")
    if isinstance(found, NotFound):
        return fail(str(found), "Go to a repository, name one with --repo, or run `git init`.")
    if isinstance(found, AccessDenied):
        return fail(str(found), "Use a repository of your own.")
    return fail(str(found), "See what `git status` says there.")


async def configured(here: CheckContext) -> CheckResult:
    """Report the programs in git's configuration, and whether they may run."""
    permissions = config_dir(here.environ) / ALLOWED_FILE
    policy = await program_policy(replace(here.repository, permissions=permissions))
    lines = [
        f"{each.kind} {each.name}: {each.state} ({each.scope}): {each.command!r}"
        for each in policy.programs
    ]
    denied = [each for each in policy.programs if each.kind in RUNNABLE and not each.may_run]
    if denied:
        names = ", ".join(f"{each.kind} {each.name!r}" for each in denied)
        return warn(f"not allowed to run: {names}", _ALLOW, *lines)
    return ok(f"{len(lines)} configured, none waits to be allowed", *lines)
