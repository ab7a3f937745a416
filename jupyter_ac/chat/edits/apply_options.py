"""The options of a batch of edit blocks, and its result."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.edit_blocks.stored_edits import DocumentStep
from jupyter_ac.chat.open_notebooks import OpenNotebooks, none_open
from jupyter_ac.ids import RepoPath
from jupyter_ac.notebook.cell_selection import NotebookView

MAX_FILE_BYTES: Final = 5 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ApplyOptions:
    """The options of a batch: which files it may change, and how.

    Attributes:
        selection: the files in context; None doesn't check, as when the user accepts a block.
        max_file_bytes: a longer file is skipped.
        apply_shifted: a block that fits at one place but for its indentation is carried out there.
        unsaved: files that are open with unsaved changes; their blocks wait.
        accepted: by the index of a block that the user has accepted by itself, the reason for
            which its file is protected as it was shown; "" for none.
        waiting: names of files that earlier blocks of the turn, which wait, are about.
        views: what is shown of notebooks; cells that are left out can't be quoted or changed.
        open_notebooks: returns notebooks that are open in a page, where they are edited.
    """

    selection: Collection[RepoPath] | None
    max_file_bytes: int = MAX_FILE_BYTES
    unsaved: Collection[RepoPath] = ()
    accepted: Mapping[int, str] = field(default_factory=dict)
    waiting: Collection[str] = ()
    apply_shifted: bool = False
    open_notebooks: OpenNotebooks = none_open
    views: Mapping[RepoPath, NotebookView] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Applied:
    """The result of a batch; paths in the order in which blocks name them, each once.

    Attributes:
        outcomes: one for each block, in order.
        modified: files that differ on disk, created, deleted and both names of renamed ones too.
        created: those that were not there, by their last name; renamed ones left out.
        deleted: those that were deleted, renamed ones left out.
        renamed: old and new name of files that were there.
        ignored: written files that git ignores, and that were not staged for it.
        documents: what was done in open notebooks.
    """

    outcomes: Sequence[BlockOutcome] = ()
    modified: Sequence[RepoPath] = ()
    created: Sequence[RepoPath] = ()
    deleted: Sequence[RepoPath] = ()
    renamed: Sequence[tuple[RepoPath, RepoPath]] = ()
    ignored: Sequence[RepoPath] = ()
    documents: Sequence[DocumentStep] = ()
