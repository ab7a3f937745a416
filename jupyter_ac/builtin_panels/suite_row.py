"""The rows of the tree of tests."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from jupyter_ac.builtin_panels.looks import (
    COLORS,
    CUT,
    MUTED,
    TABULAR,
    Tone,
    path_text,
    plural,
)
from jupyter_ac.builtin_panels.suite_tree import FAILED, ShownRow
from jupyter_ac.panels import component, html
from jupyter_ac.panels.elements import ComponentElement, Element
from jupyter_ac.suite_rows import Outcome

MARKS: Final[Mapping[Outcome, tuple[str, Tone, str]]] = {
    "": ("·", "plain", "not run"),
    "waiting": ("…", "plain", "waiting"),
    "running": ("▸", "accent", "running"),
    "passed": ("✓", "good", "passed"),
    "failed": ("✗", "bad", "failed"),
    "error": ("!", "bad", "error"),
    "skipped": ("○", "odd", "skipped"),
    "xfailed": ("○", "odd", "failed as expected"),
    "xpassed": ("✓", "odd", "passed, though expected to fail"),
}
"""A sign, its colour, and the word for each outcome."""

ROW_PX: Final = 26

_INDENT_PX: Final = 14
_SECOND_MS: Final = 1000

Act = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class RowLook:
    """All that a row shows.

    Attributes:
        node_id: pytest's.
        name: of the file, the class or the test.
        depth: groups above it.
        is_open: of a group; None for what has nothing in it.
        outcome: by which it is marked.
        words: the time of a test, the numbers of a group; short.
        label: the same for screen readers.
        is_chosen: its output is shown.
    """

    node_id: str
    name: str
    depth: int
    is_open: bool | None
    outcome: Outcome
    words: str
    label: str
    is_chosen: bool


def row_of(row: ShownRow, chosen: str, actions: "RowActions") -> ComponentElement:
    """Return a row of the tree; it is rendered again only when it has changed."""
    node = row.node
    if node.is_test:
        words = label = duration(node.duration_ms) if node.duration_ms else ""
    else:
        words, label = counted(node.counts)
    look = RowLook(
        node_id=node.id,
        name=node.name,
        depth=row.depth,
        is_open=row.is_open if node.children else None,
        outcome=node.outcome if node.is_test or node.outcome else group_outcome(node.counts),
        words=words,
        label=label,
        is_chosen=node.id == chosen,
    )
    return suite_row(look, actions, key=node.id)


class RowActions:
    """What the buttons of a row do, each with the id of its node.

    Args:
        toggle: opens or closes a group.
        choose: shows what a test has said.
        run: runs it.
    """

    def __init__(self, toggle: Act, choose: Act, run: Act) -> None:
        self.toggle, self.choose, self.run = toggle, choose, run


@component(memo=True)
def suite_row(look: RowLook, actions: RowActions) -> object:
    """Show a file, a class or a test."""
    sign, tone, said = MARKS[look.outcome]
    background = "var(--ac-tint, rgba(80, 130, 220, 0.15))" if look.is_chosen else "none"
    words = {"aria-hidden": True, "style": {"color": MUTED, "fontSize": 11, **TABULAR}}
    signs = {"aria-hidden": True, "style": {**_SIGNS, "color": COLORS[tone]}}
    return html.div(
        {"style": {**_ROW, "paddingLeft": 4 + _INDENT_PX * look.depth, "background": background}},
        html.span(signs, f"{_fold(look)} {sign}"),
        _name_button(look, said, actions),
        html.span(words, look.words),
        html.button(
            {
                "type": "button",
                "title": f"Run {look.name}",
                "aria-label": f"Run {look.name}",
                "onClick": lambda: actions.run(look.node_id),
                "style": {**_PLAIN_BUTTON, "color": MUTED, "padding": "0 4px"},
            },
            "▷",
        ),
    )


def _name_button(look: RowLook, said: str, actions: RowActions) -> Element:
    is_group = look.is_open is not None
    act = actions.toggle if is_group else actions.choose
    props: dict[str, object] = {
        "type": "button",
        "title": look.node_id,
        "aria-label": ", ".join(filter(None, (look.name, said, look.label))),
        "onClick": lambda: act(look.node_id),
        "style": {**_PLAIN_BUTTON, **CUT, "flex": "1 1 0", "textAlign": "left"},
    }
    props["aria-expanded" if is_group else "aria-pressed"] = (
        look.is_open if is_group else look.is_chosen
    )
    name = look.name if look.depth or not is_group else path_text(look.name)
    return html.button(props, name)


def counted(counts: Counter[Outcome]) -> tuple[str, str]:
    """Say how many tests of a group have ended, or failed: in short, and in words."""
    total = counts.total()
    ended = total - counts[""] - counts["waiting"] - counts["running"]
    failed = sum(counts[outcome] for outcome in FAILED)
    if failed:
        return f"{failed:,}/{total:,} ✗", f"{failed:,} of {total:,} failed"
    if ended:
        return f"{ended:,}/{total:,}", f"{ended:,} of {total:,} have ended"
    return f"{total:,}", plural(total, "test")


def group_outcome(counts: Counter[Outcome]) -> Outcome:
    """Return the outcome by which a group is marked: the one that matters most."""
    for outcome in ("running", "failed", "error", "waiting", ""):
        if counts[outcome]:
            return outcome
    return "passed" if counts["passed"] or counts["xpassed"] else "skipped"


def duration(took_ms: int) -> str:
    """Return a time in words: `12 ms`, `3.4 s`."""
    if took_ms < _SECOND_MS:
        return f"{took_ms} ms"
    return f"{took_ms / _SECOND_MS:,.1f} s"


def progress(counts: Counter[Outcome]) -> Element:
    """Return a bar with the shares of the outcomes."""
    total = counts.total() or 1
    shares: list[tuple[Tone, int]] = [
        ("bad", sum(counts[outcome] for outcome in FAILED)),
        ("good", counts["passed"]),
        ("odd", counts["skipped"] + counts["xfailed"] + counts["xpassed"]),
    ]
    parts = [
        html.div(
            {
                "key": tone,
                "style": {"width": f"{100 * count / total:.2f}%", "background": COLORS[tone]},
            }
        )
        for tone, count in shares
    ]
    return html.div({"aria-hidden": True, "style": _BAR}, parts)


def _fold(look: RowLook) -> str:
    if look.is_open is None:
        return ""
    return "▾" if look.is_open else "▸"


_ROW: Final = {
    "display": "flex",
    "alignItems": "center",
    "gap": 4,
    "paddingRight": 4,
    "minWidth": 0,
}
_SIGNS: Final = {"width": 28, "fontWeight": 700, "textAlign": "end"}
_PLAIN_BUTTON: Final = {
    "minHeight": 22,
    "padding": "0 2px",
    "border": "1px solid transparent",
    "background": "none",
}
_BAR: Final = {
    "display": "flex",
    "height": 6,
    "borderRadius": 3,
    "overflow": "hidden",
    "background": "var(--ac-raised, rgba(127, 127, 127, 0.2))",
}
