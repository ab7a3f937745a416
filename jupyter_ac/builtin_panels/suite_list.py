"""The list of tests: what narrows it, and its rows, a part at a time."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from jupyter_ac.builtin_panels.looks import (
    PANEL,
    ROW,
    SMALL,
    TABULAR,
    button,
    choice,
    hint,
    plural,
    search_field,
)
from jupyter_ac.builtin_panels.suite_actions import SuiteActions
from jupyter_ac.builtin_panels.suite_row import ROW_PX, RowActions, row_of
from jupyter_ac.builtin_panels.suite_tree import OUTCOMES_OF, Shown, SuiteTree, TreeView
from jupyter_ac.panels import Tag, component, html, use_memo, use_state

MAX_ROWS: Final = 200
"""Rows that are sent at once."""

CHOICES: Final[tuple[tuple[Shown, str], ...]] = (
    ("all", "All"),
    ("failed", "Failed"),
    ("passed", "Passed"),
    ("skipped", "Skipped"),
    ("not-run", "Not run"),
)

_LIST_PX: Final = 360
_FIRST: Final = TreeView()

virtual_list: Final = Tag("VirtualList")


@component
def suite_list(
    tree: SuiteTree,
    left_out: int,
    chosen: str,
    choose: Callable[[str], None],
    actions: SuiteActions,
) -> object:
    """Show the tree of tests.

    Args:
        tree: all tests.
        left_out: how many more there are.
        chosen: the id of the test whose output is shown.
        choose: chooses another one.
        actions: run tests.
    """
    view, set_view = use_state(_FIRST)
    page, set_page = use_state(0)

    def toggle(node_id: str) -> None:
        node = tree.get(node_id)
        if node is not None:
            set_view(lambda last: _toggled(last, node_id, is_open=tree.is_open(node, last)))

    def look(changed: TreeView) -> None:
        set_page(0)
        set_view(changed)

    buttons = use_memo(
        lambda: RowActions(toggle, choose, lambda node_id: actions.run([node_id])), (tree, actions)
    )
    if not tree.total:
        return None
    rows = tree.rows(view)
    last_page = max(0, (len(rows) - 1) // MAX_ROWS)
    at = min(page, last_page) * MAX_ROWS
    return html.div(
        {"style": {**PANEL, "gap": 6}},
        _narrowing(tree, view, look),
        virtual_list(
            {"label": "Tests", "rowHeight": ROW_PX, "height": _LIST_PX},
            [row_of(row, chosen, buttons) for row in rows[at : at + MAX_ROWS]],
        )
        if rows
        else hint("No test is like that."),
        _pages(at, len(rows), page, set_page) if last_page else None,
        hint(f"{plural(left_out, 'more test')} can only be run as a whole.") if left_out else None,
    )


def _narrowing(tree: SuiteTree, view: TreeView, look: Callable[[TreeView], None]) -> object:
    def choose(value: str) -> None:
        for shown, _ in CHOICES:
            if shown == value:
                look(replace(view, shown=shown))

    options = [(name, f"{words} ({_count(tree, name):,})") for name, words in CHOICES]
    return html.div(
        {"role": "group", "aria-label": "Narrow the list", "style": ROW},
        choice("Which tests", view.shown, options, choose),
        search_field("Filter", view.text, lambda text: look(replace(view, text=text))),
    )


def _count(tree: SuiteTree, shown: Shown) -> int:
    if shown == "all":
        return tree.total
    return sum(tree.counts[outcome] for outcome in OUTCOMES_OF[shown])


def _pages(at: int, whole: int, page: int, set_page: Callable[[int], None]) -> object:
    end = min(at + MAX_ROWS, whole)
    return html.div(
        {"role": "group", "aria-label": "Parts of the list", "style": ROW},
        button("Earlier", lambda: set_page(page - 1), is_off=at == 0),
        html.span(
            {"role": "status", "style": {**SMALL, **TABULAR}},
            f"Rows {at + 1:,} to {end:,} of {whole:,}",
        ),
        button("Later", lambda: set_page(page + 1), is_off=end == whole),
    )


def _toggled(view: TreeView, node_id: str, *, is_open: bool) -> TreeView:
    return replace(view, toggled={**view.toggled, node_id: not is_open})
