"""Variables, cells, outputs and errors of a session as items for a question.

No code of their values runs. Secrets are masked by the host, which gets the items; what helps it to
recognise them is done here.
"""

import json
from typing import Final

from jupyter_ac.chat.last_value_name import last_value_name
from jupyter_ac.chat.secret_names import is_secret_value_name
from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.hosts.kernel.last_error import QuestionedCell
from jupyter_ac.inspection.last_error import FrameRow, SessionErrorReport
from jupyter_ac.inspection.variables import (
    DESCRIPTION_CHARS,
    VariableDescription,
    describe_variable,
)

SOURCE: Final = "the Python session"
"""Where the items come from, as the model is told."""

LOCALS_CHARS: Final = 4000
"""Length of the text about the local variables of an error's frames."""

_ROWS_HEADING: Final = "\nfirst rows:\n"

_QUOTES: Final = ("'", '"', "b'", 'b"')


def variable_item(name: str, value: object) -> ContextItemGiven:
    """Describe a variable.

    Args:
        name: of the variable.
        value: its value; nothing of it runs.

    Raises:
        Busy: the value changes all the time.
    """
    described = describe_variable({name: value}, name, None)
    return {"kind": "variable", "name": name, "text": _table_text(described), "source": SOURCE}


def output_item(number: int, value: object, source: str) -> ContextItemGiven:
    """Describe the value of a cell's last expression; raises what `variable_item` raises.

    Args:
        number: of the cell's run.
        value: nothing of it runs.
        source: of the cell; a value that it takes by the name of a secret is one.
    """
    item = variable_item(f"Out[{number}]", value)
    name = last_value_name(source)
    if is_secret_value_name(name):
        head, *lines = item["text"].split("\n")
        item["text"] = "\n".join([head, *(_assignment(name, line) for line in lines)])
    return {**item, "kind": "output", "cell": cell_name(number)}


def cell_item(cell: QuestionedCell) -> ContextItemGiven:
    """Give the source of a cell."""
    name = cell_name(cell.number)
    return {"kind": "cell", "name": name, "text": cell.source, "source": SOURCE, "cell": name}


def error_item(cell: QuestionedCell, report: SessionErrorReport | None) -> ContextItemGiven:
    """Give the error of a cell.

    Args:
        cell: with its error.
        report: adds the local variables of the user's own functions.
    """
    name = cell_name(cell.number)
    parts = [cell.error, "" if report is None else locals_text(report)]
    text = "\n\n".join(filter(None, parts))
    return {
        "kind": "error",
        "name": f"error of {name}",
        "text": text,
        "source": SOURCE,
        "cell": name,
    }


def cell_name(number: int | None) -> str:
    """Name a cell by the number of its run."""
    return "the cell" if number is None else f"In[{number}]"


def locals_text(report: SessionErrorReport) -> str:
    """Write the local variables of an error's frames, innermost first; "" without any."""
    parts = [_frame_locals(frame) for frame in report["frames"]]
    text = "\n".join(filter(None, parts))
    return text if len(text) <= LOCALS_CHARS else f"{text[:LOCALS_CHARS]}…"


def _frame_locals(frame: FrameRow) -> str:
    lines = [
        f"  {_assignment(row['name'], row['line'])}"
        if row["line"]
        else f"  {row['name']}: {row['type']}"
        for row in frame["locals"]
    ]
    if not lines:
        return ""
    place = frame["file"] or cell_name(frame["cell"])
    if frame["locals_left_out"]:
        lines.append(f"  … and {frame['locals_left_out']} more")
    return "\n".join([f"Local variables of {frame['function']} ({place}):", *lines])


def _assignment(name: str, value: str) -> str:
    """Write a variable so that a secret in it is recognised by its name, whatever its type."""
    if not value.startswith(_QUOTES) and is_secret_value_name(name):
        value = json.dumps(value, ensure_ascii=False)
    return f"{name} = {value}"


def _table_text(described: VariableDescription) -> str:
    """Return the text of a description; values in columns of secrets stand behind their names."""
    text, rows = described["text"], described["head"]
    names = [column["name"].strip("'\"") for column in described["columns"]]
    before, heading, after = text.partition(_ROWS_HEADING)
    if not heading or not any(map(is_secret_value_name, names)):
        return text
    written = "\n".join(" | ".join(cells) for cells in rows)
    note = after.removeprefix(written) if after.startswith(written) else ""
    left = DESCRIPTION_CHARS - len(before)
    lines = []
    for cells in rows:
        line = " | ".join(
            _assignment(name, cell) if cell and is_secret_value_name(name) else cell
            for name, cell in zip(names, cells, strict=False)
        )
        left -= len(line)
        if left < 0:
            lines.append("…")
            break
        lines.append(line)
    return "".join([before, heading, "\n".join(lines), note])
