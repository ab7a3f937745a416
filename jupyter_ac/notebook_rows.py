"""Wire types of a notebook that is open in a page, and of the edits of its document."""

from typing import Literal, NotRequired, TypeAlias, TypedDict


class NotebookCell(TypedDict):
    """One cell of an open notebook.

    Attributes:
        id: unique in the notebook.
        cell_type: code, markdown or raw.
        source: its text.
        tags: of its metadata; absent for none.
        outputs: as in a notebook file; only if they are asked for.
    """

    id: str
    cell_type: Literal["code", "markdown", "raw"]
    source: str
    tags: NotRequired[list[str]]
    outputs: NotRequired[list[object]]


class NotebookCellRow(TypedDict):
    """A cell of a notebook, as part of a request.

    Attributes:
        id: its name: the id, or `cell=N` by its position where it has none of its own.
        cell_type: code, markdown or raw.
        title: its first line that isn't blank, truncated.
        tokens: of its text, and of its outputs and their images if these are sent; also if it is
            left out.
        excluded: the cell is left out.
        outputs: its outputs are sent.
        images: how many PNG and JPEG images its outputs have; of a notebook that is open in a page
            this is known only of cells whose outputs are sent, and 0 for others.
        images_sent: these images are sent with its outputs, each once.
    """

    id: str
    cell_type: Literal["code", "markdown", "raw"]
    title: str
    tokens: int
    excluded: bool
    outputs: bool
    images: int
    images_sent: bool


class NotebookCells(TypedDict):
    """The cells of a notebook.

    Attributes:
        cells: in order.
        missing: how many cells were left out that can't be found any more; as long as there are
            any, nothing of the notebook is sent.
    """

    cells: list[NotebookCellRow]
    missing: int


class OpenNotebookRow(TypedDict):
    """A notebook as it stands in a page.

    Attributes:
        path: of its file: relative to the repository, absolute, below `~`, or `server:/` and a path
            relative to the Jupyter server's root.
        language: of its code; "" if it isn't known.
        nbformat_minor: of its format, 4; from 5 on the file stores the ids of cells.
        cells: in order.
        unsaved: whether it has changes that are not saved.
        idle_ms: milliseconds since the user last did something in the notebook.
    """

    path: str
    language: str
    nbformat_minor: int
    cells: list[NotebookCell]
    unsaved: bool
    idle_ms: int


class SourceChange(TypedDict):
    """A cell gets another text; its outputs stay.

    Attributes:
        op: `source`.
        id: of the cell.
        before: its text, which must not have changed.
        source: the new one.
    """

    op: Literal["source"]
    id: str
    before: str
    source: str


class TagsChange(TypedDict):
    """A cell gets other tags.

    Attributes:
        op: `tags`.
        id: of the cell.
        tags: all of them.
    """

    op: Literal["tags"]
    id: str
    tags: list[str]


class CellReplacement(TypedDict):
    """A cell becomes one of another type, without outputs.

    Attributes:
        op: `replace`.
        id: of the cell.
        before: its text, which must not have changed.
        cell: what it becomes.
    """

    op: Literal["replace"]
    id: str
    before: str
    cell: NotebookCell


class CellInsertion(TypedDict):
    """A cell is added.

    Attributes:
        op: `insert`.
        after: id of the cell that it follows; null at the beginning.
        cell: what is added.
    """

    op: Literal["insert"]
    after: str | None
    cell: NotebookCell


class CellRemoval(TypedDict):
    """A cell is removed.

    Attributes:
        op: `delete`.
        id: of the cell.
        before: its text, which must not have changed.
    """

    op: Literal["delete"]
    id: str
    before: str


class CellMove(TypedDict):
    """A cell gets another place.

    Attributes:
        op: `move`.
        id: of the cell.
        after: id of the cell that it follows; null at the beginning.
    """

    op: Literal["move"]
    id: str
    after: str | None


CellOperation: TypeAlias = (
    SourceChange | TagsChange | CellReplacement | CellInsertion | CellRemoval | CellMove
)


class NotebookEdit(TypedDict):
    """Argument of `AcApp.applyNotebookEdit`: changes of one open notebook, all of them or none.

    Attributes:
        path: as in `OpenNotebookRow`.
        file: path of the file in the repository, for `LLMService.save_notebook_edit`.
        operations: in the order in which they are to be carried out.
    """

    path: str
    file: str
    operations: list[CellOperation]


class NotebookEdited(TypedDict):
    """The result of `AcApp.applyNotebookEdit`.

    Attributes:
        status: `applied`; `changed`: a cell that is concerned has changed or is gone, so that
            nothing was done; `refused`: the document can't be edited; `lost`: the host got no
            answer, so that it isn't known whether the edit was made.
        reason: a sentence for the user; absent if it was applied.
    """

    status: Literal["applied", "changed", "refused", "lost"]
    reason: NotRequired[str]
