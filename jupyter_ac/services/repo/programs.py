"""RPC methods for programs in git's configuration, and the user's permission for them."""

import asyncio

from jupyter_ac.git.commit_hooks import commit_hooks
from jupyter_ac.git.program_policy import allow, forbid, program_policy
from jupyter_ac.git.rated_programs import RatedProgram
from jupyter_ac.git.repository import Repository
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.repo.shapes import CommitHooksRow, Done, ProgramRow
from jupyter_ac.services.repo.write_context import Writers


class ProgramMethods:
    """`Repo` methods about other programs that git would run.

    Args:
        repository: whose configuration.
        writers: tell the pages of a change.
    """

    def __init__(self, repository: Repository, writers: Writers) -> None:
        self._repository = repository
        self._writers = writers

    @method(Access.READ)
    async def list_programs(self) -> list[ProgramRow]:
        """Return the programs that git's configuration names, and whether they may run here."""
        return [_row(each) for each in (await program_policy(self._repository)).programs]

    @method(Access.READ)
    async def get_commit_hooks(self) -> CommitHooksRow:
        """Return the hooks and programs that a commit would run now."""
        policy = await program_policy(self._repository)
        found = await asyncio.to_thread(commit_hooks, self._repository, policy)
        return {
            "hooks": found.hooks,
            "folder": found.folder,
            "commands": found.commands,
            "refusal": found.refusal,
        }

    @method(Access.EXECUTE)
    async def allow_program(self, kind: str, name: str, command: str) -> ProgramRow:
        """Let a program run in this repository until it, or a file that it names, changes.

        Args:
            kind: as `list_programs` has it.
            name: as `list_programs` has it.
            command: as the user was shown it; refused as a conflict when it is another one now.
        """
        program = await allow(self._repository, kind, name, command)
        self._writers.tell([])
        return _row(program)

    @method(Access.WRITE)
    async def forbid_program(self, kind: str, name: str) -> Done:
        """Take the permission for a program back."""
        await forbid(self._repository, kind, name)
        self._writers.tell([])
        return {"status": "ok"}


def _row(program: RatedProgram) -> ProgramRow:
    return {
        "kind": program.kind,
        "name": program.name,
        "command": program.command,
        "scope": program.scope,
        "files": list(program.files),
        "state": program.state,
        "reason": program.reason,
    }
