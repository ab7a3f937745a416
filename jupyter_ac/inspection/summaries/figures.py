"""matplotlib's figures and axes: size, titles, kinds of what is drawn."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, cast

from jupyter_ac.inspection.raw_access import (
    attribute,
    bare_name,
    instance_members,
    is_dict,
    items_of,
    loaded_class,
)
from jupyter_ac.inspection.summaries.numpy_arrays import is_array
from jupyter_ac.inspection.summaries.summary import Brief, Details, Summarizer
from jupyter_ac.inspection.value_text import value_text

_AXES: Final = 20
_CHILDREN: Final = 10_000


def figure_summarizers() -> Iterator[tuple[type | None, Summarizer]]:
    """Yield the classes that are loaded, with their summarizers."""
    yield loaded_class("matplotlib.figure", "Figure"), Summarizer(_figure_brief, _figure_details)
    yield loaded_class("matplotlib.axes", "Axes"), Summarizer(_axes_brief, _axes_details)


def _axes_of(figure: object) -> list[object]:
    """Return the axes that a figure holds, in the order in which they were added."""
    stack = attribute(attribute(figure, "_axstack"), "_axes")
    return [axes for axes, _ in items_of(stack)] if is_dict(stack) else []


def _title(axes: object) -> str:
    text = attribute(attribute(axes, "title"), "_text")
    return text[:100] if type(text) is str else ""


def _figure_brief(value: object) -> Brief:
    axes = _axes_of(value)
    titles = [title for title in map(_title, axes[:_AXES]) if title]
    return Brief(f"{len(axes)} axes" + (f": {', '.join(titles)}" if titles else ""))


def _figure_details(value: object) -> Details:
    axes = _axes_of(value)[:_AXES]
    facts = [(f"axes {at}", _drawn(each)) for at, each in enumerate(axes, 1)]
    corners = attribute(attribute(value, "bbox_inches"), "_points")
    if is_array(corners) and corners.shape == (2, 2):
        _, (width, height) = cast("list[list[float]]", corners.tolist())
        facts.insert(0, ("size", f"{width:g} x {height:g} inches"))
    return Details(tuple(facts))


def _axes_brief(value: object) -> Brief:
    return Brief(_drawn(value))


def _axes_details(_value: object) -> Details:
    return Details()


def _drawn(axes: object) -> str:
    if instance_members(axes) is None:
        return ""
    children = attribute(axes, "_children")
    kinds = [] if type(children) is not list else children[:_CHILDREN]
    counts = Counter(bare_name(type(child)) for child in kinds)
    names = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    title = _title(axes)
    return f"{value_text(title)}: {names}" if title else names
