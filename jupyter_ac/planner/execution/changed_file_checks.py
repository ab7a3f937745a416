"""Checks the files that a task has changed, without running them."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from jupyter_ac.errors import AcError, InvalidParams
from jupyter_ac.git.checkpoints.object_folder import FileVersion
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.validation.code_languages import language_key
from jupyter_ac.planner.validation.diagnostics import ValidationResult
from jupyter_ac.planner.validation.validator import MAX_CHARACTERS, CodeValidator
from jupyter_ac.planner.worktrees.task_worktrees import read_blobs
from jupyter_ac.planner.worktrees.tree_entries import Entries, changed_files

MAX_PROBLEMS: Final = 20
MAX_FILES: Final = 100
"""Of one task; more are not checked."""

_FILE: Final = frozenset({"100644", "100755"})


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

        A file that couldn't be parsed before isn't the task's fault.

        Args:
            before: the files from which the task began.
            after: those that it has made.

        Raises:
            GitError: a content is missing.
        """
        changed = changed_files(before, after)
        found: list[str] = []
        for path in (*changed.modified, *changed.created)[:MAX_FILES]:
            problems = await self._file_problems(path, after[path])
            if problems and path in before and await self._file_problems(path, before[path]):
                continue
            found += problems
        return found[:MAX_PROBLEMS]

    async def _file_problems(self, path: RepoPath, version: FileVersion) -> list[str]:
        language = _language(path)
        if not language or version.mode not in _FILE:
            return []
        (content,) = await read_blobs(self._repository, [version.blob])
        try:
            code = content.decode("utf-8")
        except UnicodeDecodeError:
            return [f"{path}: the file isn't UTF-8"]
        if len(code) > MAX_CHARACTERS:
            return []
        try:
            result = await self._validator.validate(code, language)
        except AcError:  # the tool isn't there, or gives up: that says nothing about the file
            return []
        return list(_errors(path, result))


def _errors(path: RepoPath, result: ValidationResult) -> Iterator[str]:
    for one in result["diagnostics"]:
        if one["severity"] == "error":
            cell = f" (cell {one['cell']})" if "cell" in one else ""
            yield f"{path}:{one['line']}:{one['column']}{cell}: {one['message']}"


def _language(path: RepoPath) -> str:
    try:
        return language_key(PurePosixPath(path).suffix)
    except InvalidParams:
        return ""
