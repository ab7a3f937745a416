"""The panel *Variables*: what the kernel of the open notebook has, and its last error.

Nothing of the user's code runs for it: the kernel describes values itself.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias, cast, get_args

from jupyter_ac.builtin_panels.loading import Loaded, use_loaded
from jupyter_ac.builtin_panels.looks import (
    OUTPUT,
    PANEL,
    ROW,
    SMALL,
    button,
    choice,
    hint,
    plural,
    problem,
    search_field,
    section,
    status,
)
from jupyter_ac.inspection.last_error import FrameRow, SessionErrorReport
from jupyter_ac.inspection.variables import VariableDescription, VariableList, VariableRow
from jupyter_ac.panels import (
    Plugin,
    Tag,
    component,
    html,
    use_effect,
    use_environment,
    use_state,
)

LIST: Final = "Kernel.list_variables"
DESCRIBE: Final = "Kernel.describe_variable"
LAST_ERROR: Final = "Kernel.get_last_error"

REFRESH_S: Final = 4.0
"""After which the list is read again while the panel is seen."""

Kind: TypeAlias = Literal["value", "function", "class", "module", "all"]

_KINDS: Final[tuple[tuple[Kind, str], ...]] = (
    ("value", "Values"),
    ("function", "Functions"),
    ("class", "Classes"),
    ("module", "Modules"),
    ("all", "All"),
)
_FIRST_KIND: Final[Kind] = "value"
_COLUMNS: Final = ["Name", "Value", "Type", "Size", "Bytes"]
_KILO: Final = 1000
_BY: Final = " \N{MULTIPLICATION SIGN} "

data_table: Final = Tag("DataTable")


@component
def variables_panel() -> object:
    """Show the variables."""
    found = use_loaded(LIST)
    error = use_loaded(LAST_ERROR)
    environment = use_environment()
    kind, set_kind = use_state(_FIRST_KIND)
    text, set_text = use_state("")
    chosen, choose = use_state("")
    count, set_count = use_state(0)
    is_live, set_live = use_state(initial=True)

    def reload() -> None:
        found.reload()
        error.reload()
        set_count(lambda last: last + 1)

    is_asking = found.is_loading or error.is_loading
    # What has failed is tried again by the person.
    is_due = is_live and environment.active and not found.problem and not is_asking

    async def refresh() -> None:
        if is_due:
            await asyncio.sleep(REFRESH_S)
            reload()

    use_effect(refresh, (is_due, found.ended))
    rows = list_of(found.value)
    shown = [row for row in rows if is_shown(row, kind, text)]
    names = {row["name"] for row in rows}
    return html.div(
        {"style": PANEL},
        html.div(
            {"role": "group", "aria-label": "Narrow the list", "style": ROW},
            choice("Kind", kind, _KINDS, lambda value: set_kind(kind_of(value))),
            search_field("Filter", text, set_text),
            button("Refresh", reload, is_off=found.is_loading and not rows),
        ),
        html.label(
            {"style": {**ROW, **SMALL}},
            html.input({"type": "checkbox", "checked": is_live, "onChange": set_live}),
            "Refresh by itself",
        ),
        problem(found.problem, reload) if found.problem else None,
        _table(found, rows, shown, choose),
        described(chosen, count, choose, key=chosen) if chosen in names else None,
        last_error(cast("SessionErrorReport", error.value), key="error") if error.value else None,
        problem(error.problem, error.reload) if error.problem and not found.problem else None,
    )


def list_of(value: object) -> Sequence[VariableRow]:
    """Return the variables in a result; none before there is one."""
    return cast("VariableList", value)["variables"] if value is not None else ()


def kind_of(value: str) -> Kind:
    """Return a kind by its value in the selection."""
    return cast("Kind", value) if value in get_args(Kind) else "all"


def is_shown(row: VariableRow, kind: Kind, text: str) -> bool:
    """Return whether a variable is among those that are wanted."""
    if kind not in {"all", row["kind"]}:
        return False
    wanted = text.casefold()
    return any(wanted in row[part].casefold() for part in ("name", "type", "line"))


def _table(
    found: Loaded,
    rows: Sequence[VariableRow],
    shown: Sequence[VariableRow],
    choose: Callable[[str], None],
) -> object:
    if found.value is None:
        return None if found.problem else hint("Asking the kernel …")
    left_out = cast("VariableList", found.value)["left_out"]
    if not rows:
        return hint("The kernel has no variables yet: run a cell.")

    def press(at: object) -> None:
        if isinstance(at, int) and 0 <= at < len(shown):
            choose(shown[at]["name"])

    return html.div(
        {"style": {**PANEL, "gap": 4}},
        status(f"{len(shown):,} of {plural(len(rows), 'variable')}"),
        data_table(
            {
                "columns": _COLUMNS,
                "rows": [cells_of(row) for row in shown],
                "label": "Variables; Enter describes one",
                "height": 300,
                "onRowClick": press,
            }
        )
        if shown
        else hint("No variable is like that."),
        hint(f"{plural(left_out, 'variable')} more can't be shown.") if left_out else None,
    )


def cells_of(row: VariableRow) -> list[object]:
    """Return a variable as a row of the table."""
    return [row["name"], row["line"], row["type"], size_of(row), row["size_bytes"]]


def size_of(row: VariableRow) -> str:
    """Say how large a value is: its shape, or its length, with the type of its elements."""
    if row["shape"] is not None:
        size = _BY.join(f"{each:,}" for each in row["shape"])
    else:
        size = "" if row["length"] is None else f"{row['length']:,}"
    return " ".join(filter(None, (size, row["dtype"])))


@component
def described(name: str, count: int, choose: Callable[[str], None]) -> object:
    """Show what a variable is.

    Args:
        name: of the variable.
        count: another number: it is read again.
        choose: chooses another one; "" for none.
    """
    found = use_loaded(DESCRIBE, name, after=count)
    close = html.button(
        {"type": "button", "aria-label": "Close", "onClick": lambda: choose("")}, "✕"
    )
    if found.value is None:
        words = problem(found.problem, found.reload) if found.problem else hint("Asking …")
        return section(name, words, aside=close)
    it = cast("VariableDescription", found.value)
    return section(
        name,
        problem(found.problem, found.reload) if found.problem else None,
        hint(f"{it['type']} {size_of(it)} · {bytes_of(it['size_bytes'])}"),
        _facts(it["facts"]),
        _head(it),
        html.pre({"tabIndex": 0, "aria-label": "Value", "style": OUTPUT}, it["line"])
        if it["line"] and not it["columns"]
        else None,
        hint(it["note"]) if it["note"] else None,
        aside=close,
    )


def _facts(facts: Sequence[Sequence[str]]) -> object:
    if not facts:
        return None
    rows = [
        html.tr(
            {"key": at},
            html.th({"scope": "row", "style": {"fontWeight": 400}}, label),
            html.td({"style": {"overflowWrap": "anywhere"}}, text),
        )
        for at, (label, text) in enumerate(facts)
    ]
    return html.table({"style": {"fontSize": 12}}, html.tbody(rows))


def _head(it: VariableDescription) -> object:
    if not it["columns"]:
        return None
    more = it["columns_left_out"]
    return html.div(
        data_table(
            {
                "columns": [f"{each['name']} ({each['dtype']})" for each in it["columns"]],
                "rows": it["head"],
                "label": f"The first rows of {it['name']}",
                "height": 180,
                "sortable": False,
            }
        ),
        hint(f"{plural(more, 'more column')}.") if more else None,
    )


@component(memo=True)
def last_error(report: SessionErrorReport) -> object:
    """Show the last error of the session."""
    frames = [frame for frame in report["frames"] if frame["kind"] != "library"]
    return section(
        "Last error",
        html.p({"style": {"margin": 0, "overflowWrap": "anywhere"}}, _error_line(report)),
        [hint(note) for note in report["notes"]],
        html.ul(
            {"style": {"listStyle": "none", "margin": 0, "padding": 0}},
            [html.li({"key": at}, _frame(frame)) for at, frame in enumerate(frames)],
        ),
        [hint(f"Caused by: {cause}") for cause in report["causes"]],
    )


def _error_line(report: SessionErrorReport) -> object:
    return [html.strong(report["type"]), f": {report['message']}" if report["message"] else ""]


def _frame(frame: FrameRow) -> object:
    cell = frame["cell"]
    place = frame["file"] or (f"cell [{cell}]" if cell is not None else "a cell")
    words = f"{place}, line {frame['line']}, in {frame['function']}"
    return [
        hint(words),
        html.pre({"tabIndex": 0, "aria-label": words, "style": OUTPUT}, frame["source"])
        if frame["source"]
        else None,
    ]


def bytes_of(size: int) -> str:
    """Return a size in words: `812 bytes`, `3.2 MB`."""
    if size < _KILO:
        return plural(size, "byte")
    value = float(size)
    for unit in ("kB", "MB", "GB"):
        value /= _KILO
        if value < _KILO:
            return f"{value:,.1f} {unit}"
    return f"{value / _KILO:,.1f} TB"


plugin = Plugin(
    variables_panel, name="variables", title="Variables", calls=(LIST, DESCRIBE, LAST_ERROR)
)
