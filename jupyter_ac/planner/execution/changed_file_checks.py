"""Checks the files that a task has changed, without running them."""

from pathlib import PurePosixPath
from typing import Final, NamedTuple

from jupyter_ac.errors import AcError, InvalidParams
from jupyter_ac.git.checkpoints.object_folder import FileVersion
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.validation.code_languages import language_key
from jupyter_ac.planner.validation.diagnostics import SYNTAX, Diagnostic
from jupyter_ac.planner.validation.validator import MAX_CHARACTERS, CodeValidator
from jupyter_ac.planner.worktrees.tree_entries import Entries, changed_files, read_blobs

MAX_PROBLEMS: Final = 20
MAX_FILES: Final = 100
"""Of one task; more are not checked."""

_FILE: Final = frozenset({"100644", "100755"})


class _Error(NamedTuple):
    """What is wrong with a file."""

    rule: str
    message: str
    place: str


class ChangedFileChecks:
    """Checks the results of tasks of one repository.

    Args:
        repository: whose objects are read.
        validator: checks code.
    """

    def __init__(self, repository: Repository, validator: CodeValidator) -> None:
        self._repository, self._validator = repository, validator

    async def problems(self, before: Entries, after: Entries) -> list[str]:
        """Return what is wrong with the changed files, a line each, at most 20.

        What was wrong with a file before isn't the task's fault.

        Args:
            before: the files from which the task began.
            after: those that it has made.

        Raises:
            GitError: a content is missing.
        """
        changed = changed_files(before, after)
        found: list[str] = []
        for path in (*changed.modified, *changed.created)[:MAX_FILES]:
            errors = await self._errors(path, after[path])
            if errors and path in before:
                errors = _new(errors, await self._errors(path, before[path]))
            found += [f"{path}:{error.place}: {error.message}" for error in errors]
        return found[:MAX_PROBLEMS]

    async def _errors(self, path: RepoPath, version: FileVersion) -> list[_Error]:
        language = _language(path)
        if not language or version.mode not in _FILE:
            return []
        (content,) = await read_blobs(self._repository, [version.blob])
        try:
            code = content.decode("utf-8")
        except UnicodeDecodeError:
            return [_Error(SYNTAX, "the file isn't UTF-8", "1:1")]
        if len(code) > MAX_CHARACTERS:
            return []
        try:
            result = await self._validator.validate(code, language)
        except AcError:  # the tool isn't there, or gives up: that says nothing about the file
            return []
        return [_error(one) for one in result["diagnostics"] if one["severity"] == "error"]


def _error(one: Diagnostic) -> _Error:
    cell = f" (cell {one['cell']})" if "cell" in one else ""
    return _Error(one["rule"], one["message"], f"{one['line']}:{one['column']}{cell}")


def _new(errors: list[_Error], before: list[_Error]) -> list[_Error]:
    """Return the errors that a file didn't have; none of one that couldn't be parsed before."""
    if any(error.rule == SYNTAX for error in before):
        return []
    known = {(error.rule, error.message) for error in before}
    return [error for error in errors if (error.rule, error.message) not in known]


def _language(path: RepoPath) -> str:
    try:
        return language_key(PurePosixPath(path).suffix)
    except InvalidParams:
        return ""
