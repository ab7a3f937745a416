"""The environment of a panel."""

import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.panels import Environment, component, html, use_environment
from jupyter_ac.panels.environment import merged
from tests.panels.shown import shown


def test_members_are_merged_and_null_sets_back() -> None:
    dark = merged(Environment(), {"colorScheme": "dark", "accentColor": "#f00", "unknown": 1})
    assert dark == Environment(color_scheme="dark", accent_color="#f00")
    calm = merged(dark, {"reduceMotion": True, "highContrast": True, "active": False})
    assert calm == Environment("dark", "#f00", True, True, False)
    nulls = dict.fromkeys(["colorScheme", "accentColor", "reduceMotion", "active"])
    assert merged(calm, nulls) == Environment(high_contrast=True)


@pytest.mark.parametrize(
    "partial",
    [
        {"colorScheme": "blue"},
        {"colorScheme": ["dark"]},
        {"accentColor": 1},
        {"accentColor": "x" * 101},
        {"active": 1},
        {"reduceMotion": "yes"},
    ],
)
def test_wrong_values_are_refused_by_name(partial: dict[str, object]) -> None:
    with pytest.raises(InvalidParams, match=next(iter(partial))):
        merged(Environment(), partial)


async def test_the_first_one_is_there_at_the_first_render_and_changes_run_who_reads_it() -> None:
    runs = []

    @component
    def reads() -> object:
        return html.p(use_environment().color_scheme)

    @component
    def app() -> object:
        runs.append("app")
        return html.div(reads())

    async with shown(app, env={"colorScheme": "dark"}) as one:
        assert one.host.text() == "dark"
        assert one.host.names() == ["updateTree"]
        one.view.set_environment({"colorScheme": "light"})
        await one.settle()
        assert one.host.text() == "light"
        assert runs == ["app"]
