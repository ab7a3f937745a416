"""A turn's edits in serialized form: the rows that are stored and sent to a front end."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Final, TypeVar, cast

from jupyter_ac.chat.edit_blocks.blocks import EditBlock
from jupyter_ac.chat.edit_blocks.reading.parser import parse
from jupyter_ac.chat.edit_blocks.reading.suggestions import suggestions
from jupyter_ac.chat.edit_blocks.rows import block_row
from jupyter_ac.edit_rows import Attempt, EditResult, MessageEdits
from jupyter_ac.notebook_rows import CellOperation

_Row = TypeVar("_Row", bound=Mapping[str, object])

_RESULT: Final = dict.fromkeys(("index", "line", "added", "removed", "attempt"), int) | {
    **dict.fromkeys(("file", "file_path", "kind", "status", "error_type", "message"), str),
    **dict.fromkeys(("is_create", "complete", "correctable", "redone"), bool),
    **dict.fromkeys(("span", "old_span", "new_span", "notes"), list),
    **dict.fromkeys(("cause", "old_preview", "new_preview", "protected"), str),
}
_ATTEMPT: Final = dict.fromkeys(("text_start", "text_end", "passed", "failed"), int)
"""The keys that rows had from the first version that stored them."""


@dataclass(frozen=True, slots=True)
class DocumentStep:
    """What was done in an open notebook in one transaction.

    Attributes:
        path: of its file.
        blocks: the numbers of the blocks that it carried out.
        operations: what was done.
        inverse: what takes it back.
    """

    path: str
    blocks: tuple[int, ...]
    operations: tuple[CellOperation, ...]
    inverse: tuple[CellOperation, ...]


@dataclass(frozen=True, slots=True)
class TurnEdits:
    """The edits of one turn.

    Attributes:
        results: what became of each block, in order.
        modified: files that were changed, in the order in which they were first.
        created: those of them that were made.
        auto_added: files that were selected because a block was about them.
        commands: shell commands that the answer proposes.
        attempts: the answers; () when there is only one.
        retry_prompt: what the user may send for the blocks that failed.
        unticked: files that were selected, and that its edits have deleted or renamed.
        left_out: how many blocks were not stored since there were too many.
        documents: the edits that were made in open notebooks.
    """

    results: tuple[EditResult, ...] = ()
    modified: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    auto_added: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    retry_prompt: str = ""
    unticked: tuple[str, ...] = ()
    left_out: int = 0
    documents: tuple[DocumentStep, ...] = ()

    @property
    def is_applied(self) -> bool:
        """Whether something of it stands in the files."""
        return any(row["status"] == "applied" for row in self.results)

    def counts(self) -> Mapping[str, int]:
        """Count the blocks by status, without those that were redone."""
        return Counter(row["status"] for row in self.results if not row["redone"])

    def add_to(self, message: MessageEdits) -> None:
        """Let a message carry them."""
        if self.results:
            message["edit_results"] = list(self.results)
            message["edit_blocks"] = [block_row(row) for row in self.results if row["complete"]]
            message["files_modified"] = list(self.modified)
        if len(self.attempts) > 1:
            message["attempts"] = list(self.attempts)
        if self.retry_prompt:
            message["retry_prompt"] = self.retry_prompt
        if self.left_out:
            message["edits_left_out"] = self.left_out

    def with_results(self, rows: Iterable[EditResult]) -> "TurnEdits":
        """Put rows in the place of those with the same index."""
        newer = {row["index"]: row for row in rows}
        kept = tuple(newer.get(row["index"], row) for row in self.results)
        return replace(self, results=kept)

    def without_files(self, paths: Iterable[str], *, is_all: bool) -> "TurnEdits":
        """Take files out of which nothing of the turn is left; all when everything was undone."""
        gone = set(self.modified) if is_all else set(paths)
        modified = tuple(path for path in self.modified if path not in gone)
        created = tuple(path for path in self.created if path not in gone)
        return replace(self, modified=modified, created=created)

    def to_json(self) -> str:
        """Write them for the history; "" for none."""
        if self == TurnEdits():
            return ""
        # Not `asdict`, which copies every row.
        row = {each.name: getattr(self, each.name) for each in fields(self)}
        return json.dumps(row | {"documents": [asdict(step) for step in self.documents]})


def from_json(written: str) -> TurnEdits:
    """Read what `to_json` wrote.

    Raises:
        ValueError: it is something else; anybody may have written it.
        KeyError: something is missing in it.
        TypeError: something in it is of another type.
    """
    if not written:
        return TurnEdits()
    try:
        said = json.loads(written)
    except RecursionError:
        raise ValueError("too deep") from None
    for row in said["results"]:
        row.setdefault("protected", "")  # older histories lack these
        row.setdefault("redone_by", None)
        row.setdefault("corrected", None)
        row.setdefault("texts", None)
        row.setdefault("document", "")
    return TurnEdits(
        results=tuple(_required(row, _RESULT) for row in said["results"]),
        modified=_strings(said["modified"]),
        created=_strings(said["created"]),
        auto_added=_strings(said["auto_added"]),
        commands=_strings(said["commands"]),
        attempts=tuple(_required(row, _ATTEMPT) for row in said["attempts"]),
        retry_prompt=str(said["retry_prompt"]),
        unticked=_strings(said.get("unticked", ())),
        left_out=int(str(said.get("left_out", 0))),
        documents=tuple(map(_document_step, said.get("documents", ()))),
    )


def _document_step(row: Mapping[str, object]) -> DocumentStep:
    steps = {name: row[name] for name in ("blocks", "operations", "inverse")}
    if not all(isinstance(value, list) for value in steps.values()):
        raise TypeError("a step in a notebook is not as it is written here")
    blocks, operations, inverse = (cast("list[object]", value) for value in steps.values())
    if not all(isinstance(number, int) for number in blocks):
        raise TypeError("a step in a notebook names no blocks")
    if not all(isinstance(each, dict) and "op" in each for each in (*operations, *inverse)):
        raise TypeError("a step in a notebook has no operations")
    return DocumentStep(
        str(row["path"]),
        tuple(cast("list[int]", blocks)),
        tuple(cast("list[CellOperation]", operations)),
        tuple(cast("list[CellOperation]", inverse)),
    )


def _strings(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(map(str, values))


def _required(row: _Row, types: Mapping[str, type]) -> _Row:
    """Return a row in which what is needed is there, and of its type."""
    wrong = [name for name, needed in types.items() if type(row[name]) is not needed]
    if wrong:
        raise TypeError(f"{wrong[0]} is not as it is written here")
    return row


def answer_texts(answer: str, attempts: Iterable[Attempt]) -> list[str]:
    """Cut a turn's text into its answers."""
    spans = [(each["text_start"], each["text_end"]) for each in attempts]
    if len(spans) <= 1:
        return [answer]
    units = answer.encode("utf-16-le", "surrogatepass")
    return [units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass") for start, end in spans]


def blocks_of(answer: str, edits: TurnEdits) -> list[EditBlock]:
    """Return the blocks of all answers of a stored turn, as they were when they came.

    A path line with blanks counts where it counted then, whatever files there are by this time.
    """
    paths = {row["file"] for row in edits.results}
    blocks: list[EditBlock] = []
    offset = 0
    for text in answer_texts(answer, edits.attempts):
        offset = answer.index(text, offset)
        blocks += parse(text, paths.__contains__, len(blocks), offset)
        offset += len(text)
    found = suggestions(answer, blocks, paths.__contains__)
    return [*blocks, *(block for one in found for block in one.blocks)]
