"""A notebook that is open in a page, as the page edits it."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from jupyter_ac.chat.open_notebooks import OpenNotebook
from jupyter_ac.ids import RepoPath
from jupyter_ac.notebook.open_notebook import open_notebook_text
from jupyter_ac.notebook_rows import CellOperation, NotebookCell, NotebookEdited, SourceChange


def cell(name: str, source: str = "", kind: str = "code", **more: object) -> NotebookCell:
    """Return a cell."""
    return cast("NotebookCell", {"id": name, "cell_type": kind, "source": source} | more)


@dataclass
class PageDocument:
    """The cells of an open notebook; `before_edit` is called before each edit, as a user types.

    Attributes:
        cells: as they are.
        loses_answer: edits are made, and the host doesn't learn of it.
        is_gone: the page doesn't answer.
        refusal: what each edit is refused with; "" for none.
        edits: those that were made.
    """

    cells: list[NotebookCell]
    refusal: str = ""
    loses_answer: bool = False
    is_gone: bool = False
    before_edit: Callable[[], object] = lambda: None
    edits: list[Sequence[CellOperation]] = field(default_factory=list)

    @property
    def sources(self) -> list[str]:
        return [each["source"] for each in self.cells]

    @property
    def notebook(self) -> OpenNotebook:
        if self.is_gone:
            return OpenNotebook("", self.edit, is_silent=True)
        return OpenNotebook(open_notebook_text("python", self.cells), self.edit)

    async def edit(self, operations: Sequence[CellOperation]) -> NotebookEdited:
        """Answer the host's request."""
        self.before_edit()
        edited = self.carry_out(operations)
        return {"status": "lost", "reason": "no answer"} if self.loses_answer else edited

    def carry_out(self, operations: Sequence[CellOperation]) -> NotebookEdited:
        """Carry out all operations or none."""
        if self.refusal:
            return {"status": "refused", "reason": self.refusal}
        known = {each["id"]: each["source"] for each in self.cells}
        if not all(_is_current(known, operation) for operation in operations):
            return {"status": "changed", "reason": "it has changed"}
        for operation in operations:
            self._carry_out(operation)
        self.edits.append(operations)
        return {"status": "applied"}

    def _carry_out(self, operation: CellOperation) -> None:
        if operation["op"] == "insert":
            self.cells.insert(self._after(operation["after"]), operation["cell"])
            return
        place = self._place(operation["id"])
        match operation["op"]:
            case "source":
                self.cells[place] = {**self.cells[place], "source": operation["source"]}
            case "tags":
                self.cells[place] = _tagged(self.cells[place], operation["tags"])
            case "replace":
                self.cells[place] = operation["cell"]
            case "delete":
                del self.cells[place]
            case "move":
                moved = self.cells.pop(place)
                self.cells.insert(self._after(operation["after"]), moved)

    def _place(self, name: str) -> int:
        return [each["id"] for each in self.cells].index(name)

    def _after(self, name: str | None) -> int:
        return 0 if name is None else self._place(name) + 1


def _is_current(known: Mapping[str, str], operation: CellOperation) -> bool:
    if operation["op"] in {"source", "delete", "replace"}:
        expected = cast("SourceChange", operation)
        return known.get(expected["id"]) == expected["before"]
    return True


def _tagged(cell_: NotebookCell, tags: list[str]) -> NotebookCell:
    plain: NotebookCell = {
        "id": cell_["id"],
        "cell_type": cell_["cell_type"],
        "source": cell_["source"],
    }
    return {**plain, "tags": tags} if tags else plain


def opened(
    documents: Mapping[str, PageDocument],
) -> Callable[[Collection[RepoPath]], Awaitable[Mapping[RepoPath, OpenNotebook]]]:
    """Return what asks for these open notebooks."""

    async def ask(paths: Collection[RepoPath]) -> Mapping[RepoPath, OpenNotebook]:
        return {path: documents[path].notebook for path in paths if path in documents}

    return ask
