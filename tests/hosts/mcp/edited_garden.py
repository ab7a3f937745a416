"""A repository whose files the tools of the MCP server edit."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from jupyter_ac.agent.tools.checked_files import CheckedFiles
from jupyter_ac.agent.tools.result_text import ResultMasker
from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.history.before_images import BeforeImages
from jupyter_ac.git.checkpoints.restore import CheckpointRestorer
from jupyter_ac.hosts.composition import Composition
from jupyter_ac.hosts.mcp.edit_tools import EditFilesTool
from jupyter_ac.ids import RepoPath
from tests.support.repositories import RepositoryFolder, make_repository

MEAN = "def mean(xs):\n    return sum(xs) / len(xs)\n"
CI = ".github/workflows/ci.yml"
SECRET = "sk-proj-Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9"


def garden(tmp_path: Path) -> RepositoryFolder:
    """Return a small repository with a workflow, and a file that git ignores."""
    folder = make_repository(
        tmp_path / "garden",
        {"a.py": MEAN, "docs/b.md": "# Beans\n", ".gitignore": ".env\n", CI: "on: push\n"},
    )
    folder.write(".env", f"OPENAI_API_KEY={SECRET}\n")
    return folder


def restorer_of(made: Composition, changed: list[RepoPath] | None = None) -> CheckpointRestorer:
    """Return what undoes edits; `changed` gets the files that are told."""

    def tell(paths: Collection[RepoPath]) -> None:
        if changed is not None:
            changed.extend(paths)

    return CheckpointRestorer(made.restorer.store, made.writers.locks, made.writers.changer, tell)


def edit_tool(made: Composition) -> EditFilesTool:
    """Return the tool that edits; nobody is told of it, so that no index is started."""
    files = CheckedFiles(made.repository, made.ports.files, made.documents.notebooks)
    images = BeforeImages(made.database, made.repository.worktree)
    writers = made.writers
    applier = Applier(
        made.repository, writers.locks, writers.changer, lambda _: None, images, made.excluded.read
    )
    edits = replace(made.ports.edits, applier=applier)
    return EditFilesTool(edits, files, ResultMasker({}))
