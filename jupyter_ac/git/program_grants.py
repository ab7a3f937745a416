"""Grants and revokes the permission for a program of the repository."""

from jupyter_ac.errors import AcError, Conflict, NotFound, Unsupported
from jupyter_ac.git.allowed_programs import Grant, fingerprints, grant_name, write_grant
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.rated_programs import RUNNABLE, RatedProgram, fingerprinted_paths
from jupyter_ac.git.repository import Repository


async def allow(repository: Repository, kind: str, name: str, command: str) -> RatedProgram:
    """Allow a program to run in this repository as long as neither it nor its files change.

    Args:
        repository: the repository.
        kind: as listed.
        name: as listed.
        command: as shown to the user.

    Raises:
        NotFound: there is no such program.
        Conflict: its command has changed.
        Unsupported: it is never run, or its files can't be fingerprinted.
        AcError: the permission can't be stored.
    """
    program = await _find(repository, kind, name)
    if program.command != command:
        raise Conflict(
            f"The {kind} {name!r} has changed to the command {program.command!r}; check it again."
        )
    if program.kind not in RUNNABLE:
        raise Unsupported(f"The {kind} {name!r} is never run here; there is nothing to allow.")
    try:
        files = fingerprints(repository.root, fingerprinted_paths(program.files))
    except AcError as error:
        raise Unsupported(
            f"{error.message} So the {kind} {name!r} can't be allowed; let it name a file in a "
            "smaller folder, or configure it for all your repositories (`git config --global`)."
        ) from error
    except OSError as error:
        raise Unsupported(
            f"A file that the {kind} {name!r} names can't be read: {error.strerror}."
        ) from error
    await write_grant(repository, grant_name(kind, name), Grant(dict(program.commands), files))
    return await _find(repository, kind, name)


async def forbid(repository: Repository, kind: str, name: str) -> None:
    """Revoke a permission; idempotent.

    Raises:
        AcError: the file of permissions can't be written.
    """
    await write_grant(repository, grant_name(kind, name), None)


async def _find(repository: Repository, kind: str, name: str) -> RatedProgram:
    for program in (await program_policy(repository)).programs:
        if (program.kind, program.name) == (kind, name):
            return program
    raise NotFound(f"git's configuration names no {kind} {name!r} here; list the programs again.")
