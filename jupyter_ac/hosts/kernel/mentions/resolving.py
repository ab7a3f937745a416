"""Finds what a question mentions in the session; no code of the values runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.chat.context_items import MAX_ITEMS
from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.errors import AcError, NotFound
from jupyter_ac.hosts.kernel.cell_options import suggestion
from jupyter_ac.hosts.kernel.child.pool import repository_around
from jupyter_ac.hosts.kernel.last_error import (
    QuestionedCell,
    last_error,
    last_failed_cell,
    previous_cell,
    report_in,
)
from jupyter_ac.hosts.kernel.mentions.syntax import Mention
from jupyter_ac.hosts.kernel.session_items import (
    cell_item,
    error_item,
    output_item,
    variable_item,
)
from jupyter_ac.inspection.raw_access import is_dict, items_of
from jupyter_ac.inspection.variables import find_variable, variable_names

_NOT_PRINTED = "only values are known to the kernel, not what a cell has printed"


@dataclass(frozen=True, slots=True)
class MentionedContext:
    """What goes out with a question.

    Attributes:
        items: for `add_context`.
        files: paths as they are written.
    """

    items: tuple[ContextItemGiven, ...] = ()
    files: tuple[str, ...] = ()


def resolve(shell: InteractiveShell, mentions: Sequence[Mention], folder: Path) -> MentionedContext:
    """Find everything that is mentioned.

    Args:
        shell: of the kernel or terminal.
        mentions: of one question.
        folder: the kernel's.

    Raises:
        UsageError: one of them isn't there, or can't be used in a cell; nothing is to be asked.
    """
    files = tuple(mention.detail for mention in mentions if mention.kind == "file")
    others = [mention for mention in mentions if mention.kind != "file"]
    if len(others) > MAX_ITEMS:
        raise UsageError(f"%%ac: at most {MAX_ITEMS} things can be mentioned in a question.")
    session = _Session(shell, folder)
    try:
        items = [session.item(mention) for mention in others]
    except AcError as error:
        raise UsageError(f"%%ac: {error}") from error
    same = {(item["kind"], item["name"]): item for item in items}  # `@cell` may be `@cell:3`
    return MentionedContext(tuple(same.values()), files)


@dataclass(frozen=True, slots=True)
class _Session:
    """Finds the things of one session. Methods raise UsageError."""

    shell: InteractiveShell
    folder: Path

    def item(self, mention: Mention) -> ContextItemGiven:
        if mention.kind == "var":
            return self._variable(mention.detail)
        if mention.kind in {"cell", "output"}:
            number = _number(mention)
            return self._cell(number) if mention.kind == "cell" else self._output(number)
        if mention.kind == "error" and not mention.detail:
            return self._error()
        if mention.kind == "error":
            raise UsageError(f"%%ac: {mention}: there is only the last error, @error.")
        raise UsageError(
            f"%%ac: @{mention.kind} works in the panel; in cells there are @cell and @output."
        )

    def _variable(self, name: str) -> ContextItemGiven:
        namespace: dict[object, object] = self.shell.user_ns
        try:
            return variable_item(name, find_variable(namespace, name))
        except NotFound as error:
            near = suggestion(name, variable_names(namespace, hidden_names(self.shell)))
            raise UsageError(
                f"%%ac: @var:{name}: there is no variable {name!r} in the kernel{near}."
            ) from error

    def _cell(self, number: int | None) -> ContextItemGiven:
        if number is None:
            cell = previous_cell(self.shell)
            if cell is None:
                raise UsageError("%%ac: @cell: no cell has run before this one.")
            return cell_item(cell)
        sources = inputs_of(self.shell)
        if number not in sources:
            near = _near(number, [f"@cell:{each}" for each in sources])
            raise UsageError(f"%%ac: @cell:{number}: no cell In[{number}] has run{near}.")
        return cell_item(QuestionedCell(sources[number], number))

    def _output(self, number: int | None) -> ContextItemGiven:
        values = outputs_of(self.shell)
        if number is None:
            cell = previous_cell(self.shell)
            number = None if cell is None else cell.number
        if number is None:
            raise UsageError("%%ac: @output: no cell has run before this one.")
        if number not in values:
            near = _near(number, [f"@output:{each}" for each in values])
            raise UsageError(
                f"%%ac: @output:{number}: In[{number}] has no value as its output, and "
                f"{_NOT_PRINTED}{near}."
            )
        return output_item(number, values[number], inputs_of(self.shell).get(number, ""))

    def _error(self) -> ContextItemGiven:
        root = repository_around(self.folder)
        cell = last_failed_cell(self.shell, root)
        if cell is None:
            raise UsageError("%%ac: @error: the kernel has shown no error, or none of a cell.")
        return error_item(cell, report_in(self.shell, last_error(self.shell), root))


def inputs_of(shell: InteractiveShell) -> dict[int, str]:
    """Return the sources of the cells that have run, by the numbers of their runs."""
    inputs: object = getattr(shell.history_manager, "input_hist_raw", None)
    held = list(enumerate(inputs)) if type(inputs) is list else []
    return {
        number: source.rstrip("\n")
        for number, source in held
        if number and type(source) is str and source.strip()
    }


def outputs_of(shell: InteractiveShell) -> dict[int, object]:
    """Return the values of the cells that have run and had one, by the numbers of their runs."""
    outputs: object = getattr(shell.history_manager, "output_hist", None)
    held = items_of(outputs) if is_dict(outputs) else []
    return {number: value for number, value in held if type(number) is int}


def hidden_names(shell: InteractiveShell) -> dict[object, object] | None:
    """Return the variables that were there before the user's, by name."""
    hidden: object = getattr(shell, "user_ns_hidden", None)
    return hidden if is_dict(hidden) else None


def _number(mention: Mention) -> int | None:
    if not mention.detail:
        return None
    if not mention.detail.isdecimal():
        raise UsageError(
            f"%%ac: {mention}: @{mention.kind} takes the number of a run, as @{mention.kind}:3."
        )
    return int(mention.detail)


def _near(number: int, names: Sequence[str]) -> str:
    """Name what is nearest to a number; the names are in the order of their numbers."""
    numbers = [int(name.rpartition(":")[2]) for name in names]
    nearest = sorted(zip(numbers, names, strict=True), key=lambda each: abs(each[0] - number))[:2]
    return f"; there is {' and '.join(name for _, name in sorted(nearest))}" if nearest else ""
