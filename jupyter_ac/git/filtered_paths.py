"""Finds files that git would pass through a filter that may not run.

Such a file can't be staged unchanged (the index must hold the filter's output), and it can't be
restored. Attributes are read in the same way as git does for the respective command.
"""

import tempfile
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from jupyter_ac.errors import Conflict, GitError
from jupyter_ac.git.output_parsers import as_input, names_in
from jupyter_ac.git.program_policy import REMEDY, ProgramPolicy
from jupyter_ac.git.rated_programs import RatedProgram
from jupyter_ac.git.refs import last_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.write_commands import Git

_ASK: Final = ("check-attr", "-z", "--stdin")
_CHANGED: Final = ("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=d")
_UNSTAGED: Final = (
    *("diff-files", "--name-only", "-z", "--diff-filter=d", "--ignore-submodules=dirty"),
)
_COLUMNS: Final = 3
_NAMED: Final = 3


async def unfiltered(
    repository: Repository, policy: ProgramPolicy, paths: Iterable[str]
) -> dict[str, RatedProgram]:
    """Return the paths that can't be staged, each with the filter that may not run.

    Raises:
        GitError: git can't read the attributes.
    """
    return await _denied(repository, policy, list(paths), ())


async def refuse_staging(git: Git, paths: Collection[str]) -> None:
    """Refuse to stage a file whose filter may not run.

    Raises:
        Conflict: names the files, the filter and the remedy; nothing was staged.
        GitError: git can't read the attributes.
    """
    denied = await unfiltered(git.repository, await git.policy(), paths)
    _refuse(denied, "nothing was staged")


async def refuse_hooks(git: Git) -> None:
    """Refuse a command that runs hooks while a changed file belongs to a filter that may not run.

    A hook may stage the file with its own git process, which must not omit the filter either.

    Raises:
        Conflict: names the files, the filter and the remedy.
        GitError: git can't compare.
    """
    policy = await git.policy()
    if policy.denied_filters:
        changed = names_in((await git.run(*_UNSTAGED)).data)
        denied = await unfiltered(git.repository, policy, changed)
        _refuse(denied, "nothing was committed, since the hooks could stage it unfiltered")


async def refuse_restoring(
    git: Git, paths: Collection[str], what: str, commit: str = "HEAD"
) -> None:
    """Refuse to restore files whose filter may not run.

    Args:
        git: with exclusive access to the repository.
        paths: the files.
        what: what was not done, as a clause: "nothing was discarded".
        commit: its attributes are checked as well.

    Raises:
        Conflict: names the files, the filter and the remedy.
        GitError: git can't read the attributes.
    """
    policy = await git.policy()
    if not policy.denied_filters or not paths:
        return
    names = list(paths)
    denied = await _denied(git.repository, policy, names, ())
    denied |= await _denied(git.repository, policy, names, ("--cached",))
    async with _index_of(git, commit) as entries:
        denied |= await _denied(git.repository, policy, names, ("--cached",), entries)
    _refuse(denied, what)


async def refuse_checkout(git: Git, commit: str, what: str) -> None:
    """Refuse a checkout that creates files whose filter may not run.

    Args:
        git: with exclusive access to the repository.
        commit: the commit to check out.
        what: what was not done, as a clause: "nothing was switched".

    Raises:
        Conflict: names the files, the filter and the remedy.
        GitError: git can't compare.
    """
    if not (await git.policy()).denied_filters or not await last_commit(git.repository):
        return
    changed = await git.run(*_CHANGED, "HEAD", commit, "--")
    await refuse_restoring(git, names_in(changed.data), what, commit)


async def _denied(
    repository: Repository,
    policy: ProgramPolicy,
    paths: Collection[str],
    source: tuple[str, ...],
    variables: Mapping[str, str] | None = None,
) -> dict[str, RatedProgram]:
    filters = policy.denied_filters
    if not filters or not paths:
        return {}
    options = GitOptions(stdin=as_input(paths), variables=variables or {})
    output = await read_git(repository.root, (*_ASK, *source, "filter"), options)
    if output.exit_code != 0:
        raise GitError(f"git can't read the attributes of files: {output.complaint}")
    fields = names_in(output.data)
    rows = zip(fields[::_COLUMNS], fields[_COLUMNS - 1 :: _COLUMNS], strict=False)
    return {path: filters[name] for path, name in rows if name in filters}


@asynccontextmanager
async def _index_of(git: Git, commit: str) -> AsyncIterator[Mapping[str, str]]:
    """Yield environment variables that make a commit's tree the index of git."""
    with tempfile.TemporaryDirectory() as folder:
        variables = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        options = GitOptions(variables=variables)
        output = await read_git(git.repository.root, ("read-tree", commit), options)
        if output.exit_code != 0:
            raise GitError(f"git can't read {commit[:10]}: {output.complaint}")
        yield variables


def _refuse(denied: Mapping[str, RatedProgram], what: str) -> None:
    if not denied:
        return
    names = sorted(denied)
    shown = ", ".join(repr(name) for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    program = denied[names[0]]
    raise Conflict(
        f"{shown}{more}: {program.refusal}; {what}. To let it run, {REMEDY}.",
        {"kind": program.kind, "name": program.name},
    )
