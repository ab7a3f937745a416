"""Looks and small parts that the built-in panels share.

Colours are those of jupyter_ac's page; the others are for hosts that don't have them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from jupyter_ac.panels import html
from jupyter_ac.panels.elements import Element, Handler

Style: TypeAlias = Mapping[str, object]
Tone: TypeAlias = Literal["plain", "good", "bad", "odd", "accent"]

MUTED: Final = "var(--ac-muted, #5c6670)"
LINE: Final = "var(--ac-line, #d5d9de)"
SURFACE: Final = "var(--ac-surface, rgba(127, 127, 127, 0.08))"
MONO: Final = "var(--ac-mono, monospace)"
COLORS: Final[Mapping[Tone, str]] = {
    "plain": MUTED,
    "good": "var(--ac-success, #1a6e37)",
    "bad": "var(--ac-danger, #b3261e)",
    "odd": "var(--ac-warning, #8a5300)",
    "accent": "var(--ac-accent, #1d63c4)",
}

PANEL: Final[Style] = {"display": "grid", "gap": 8, "minWidth": 0, "gridTemplateColumns": "100%"}
ROW: Final[Style] = {
    "display": "flex",
    "flexWrap": "wrap",
    "alignItems": "center",
    "gap": 6,
    "minWidth": 0,
}
HEADING: Final[Style] = {
    "margin": 0,
    "flex": "1 1 0",
    "minWidth": 0,
    "fontSize": 13,
    "fontWeight": 600,
    "overflowWrap": "anywhere",
}
SMALL: Final[Style] = {"color": MUTED, "fontSize": 12, "margin": 0, "overflowWrap": "anywhere"}
OUTPUT: Final[Style] = {"maxHeight": 260, "whiteSpace": "pre-wrap", "overflowWrap": "anywhere"}
CUT: Final[Style] = {
    "minWidth": 0,
    "overflow": "hidden",
    "textOverflow": "ellipsis",
    "whiteSpace": "nowrap",
}
TABULAR: Final[Style] = {"fontVariantNumeric": "tabular-nums"}


def button(
    words: str,
    on_click: Handler,
    *,
    is_off: bool = False,
    title: str = "",
    is_pressed: bool | None = None,
) -> Element:
    """Return a button.

    Args:
        words: on it.
        on_click: is called when it is pressed.
        is_off: it can't be pressed now.
        title: says more, where the words don't say enough.
        is_pressed: it is a switch that is on or off.
    """
    props: dict[str, object] = {"type": "button", "disabled": is_off, "onClick": on_click}
    if title:
        props["title"] = title
    if is_pressed is not None:
        props["aria-pressed"] = is_pressed
    return html.button(props, words)


def problem(words: str, retry: Handler | None = None, *, retry_words: str = "Try again") -> Element:
    """Return what has gone wrong, with a button that tries again."""
    style = {
        **ROW,
        "padding": "6px 10px",
        "border": f"1px solid {COLORS['bad']}",
        "borderRadius": 6,
    }
    return html.div(
        {"role": "alert", "style": style},
        html.span({"style": {"flex": "1 1 160px", "overflowWrap": "anywhere"}}, words),
        retry and button(retry_words, retry),
    )


def hint(*words: object) -> Element:
    """Return a sentence that says why there is nothing to see."""
    return html.p({"style": SMALL}, *words)


def status(words: str) -> Element:
    """Return a line that screen readers tell when it changes."""
    return html.p({"role": "status", "style": {**SMALL, **TABULAR}}, words)


def section(title: str, *children: object, aside: object = None) -> Element:
    """Return a part of a panel with its heading.

    Args:
        title: the heading.
        children: what is in it.
        aside: stands at the end of the heading's line.
    """
    head = html.div(
        {"style": {**ROW, "flexWrap": "nowrap", "alignItems": "baseline"}},
        html.h3({"style": HEADING}, title),
        aside,
    )
    return html.section({"aria-label": title, "style": {**PANEL, "gap": 4}}, head, *children)


def choice(
    label: str, value: str, options: Sequence[tuple[str, str]], on_change: Callable[[str], object]
) -> Element:
    """Return a selection.

    Args:
        label: for screen readers.
        value: the one that is chosen.
        options: values and their words.
        on_change: gets the value that is chosen then.
    """
    return html.select(
        {"aria-label": label, "value": value, "onChange": on_change},
        [html.option({"value": each, "key": each}, words) for each, words in options],
    )


def search_field(label: str, value: str, on_input: Callable[[str], object]) -> Element:
    """Return a field whose text narrows a list."""
    return html.input(
        {
            "type": "search",
            "aria-label": label,
            "placeholder": label,
            "value": value,
            "onInput": on_input,
            "spellcheck": False,
            "style": {"flex": "1 1 120px", "minWidth": 0},
        }
    )


def bar(share: float, tone: Tone = "accent") -> Element:
    """Return a horizontal bar, from 0 to 1 of its place's width."""
    filled = {"width": f"{100 * min(1.0, max(0.0, share)):.1f}%", "background": COLORS[tone]}
    return html.div(
        {
            "aria-hidden": True,
            "style": {"height": 6, "borderRadius": 3, "background": SURFACE, "overflow": "hidden"},
        },
        html.div({"style": {**filled, "height": "100%"}}),
    )


def path_text(path: str, *, is_gone: bool = False) -> Element:
    """Return a path; of one that doesn't fit, the beginning is cut: its end says most."""
    words = path.encode("utf-8", "replace").decode()
    style = {**CUT, "display": "block", "flex": "1 1 0", "textAlign": "left"}
    if is_gone:
        style["textDecoration"] = "line-through"
    title = f"{words} (gone)" if is_gone else words
    return html.span(
        {"title": title, "dir": "rtl", "style": style}, html.span({"dir": "ltr"}, words)
    )


def plural(count: int, word: str) -> str:
    """Return a number with its word: `1 test`, `2,000 tests`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
