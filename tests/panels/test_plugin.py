from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidParams
from jupyter_ac.panels import Component, Plugin, component, html


@component
def run_tests(start: int = 0) -> object:
    return html.p(str(start))


def test_name_and_title_come_from_the_component() -> None:
    plugin = Plugin(run_tests)
    assert (plugin.name, plugin.title) == ("run-tests", "Run tests")


def test_name_and_title_can_be_given() -> None:
    plugin = Plugin(run_tests, name="tests", title="Tests of this repository")
    assert (plugin.name, plugin.title) == ("tests", "Tests of this repository")


@pytest.mark.parametrize("name", ["Tests", "a b", "-a", "a--b", "ä", "a" * 65, "a/b"])
def test_names_are_words_with_hyphens(name: str) -> None:
    with pytest.raises(InvalidParams, match="name of a panel"):
        Plugin(run_tests, name=name)


def test_an_app_must_be_a_component() -> None:
    with pytest.raises(InvalidParams, match="@component"):
        Plugin(cast("Component", len))


def test_calls_are_full_names() -> None:
    assert Plugin(run_tests, calls=["Repo.get_file_tree"]).calls == {"Repo.get_file_tree"}
    with pytest.raises(InvalidParams, match="no full name"):
        Plugin(run_tests, calls=["get_file_tree"])


def test_views_of_a_plugin_share_one_runtime() -> None:
    plugin = Plugin(run_tests)
    assert plugin.runtime is plugin.runtime
    assert Plugin(run_tests).runtime is not plugin.runtime


@given(st.text(alphabet="aB9_ é-", max_size=40))
def test_every_name_of_a_function_gives_a_name(name: str) -> None:
    def shown() -> None: ...

    shown.__qualname__ = name
    plugin = Plugin(Component(shown))
    assert Plugin(Component(shown), name=plugin.name).name == plugin.name
