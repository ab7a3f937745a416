from pathlib import Path

import pytest

from jupyter_ac.rpc.methods import Access, MethodTable
from jupyter_ac.services.settings import (
    InfoPart,
    ModelSummary,
    settings_namespace,
    without_secrets,
)
from tests.support.conformance import problems, result_of


def test_the_model_and_the_places_are_told() -> None:
    summary = ModelSummary(
        "openai/gpt-x", "llm.json", "openai/gpt-y", "https://u:sk-1@example.org/v1"
    )
    part = InfoPart(lambda: summary, Path("/config"), Path("/repo"))
    assert part.get_config_info() == {
        "model": "openai/gpt-x",
        "smaller_model": "openai/gpt-y",
        "source": "llm.json",
        "api_base": "https://example.org/v1",
        "config_dir": "/config",
        "repo_root": "/repo",
    }


def test_the_answer_has_its_shape() -> None:
    known = (ModelSummary("", ""), ModelSummary("m", "flag", "s", "https://example.org"))
    summaries = iter(known)
    part = InfoPart(lambda: next(summaries), Path("/c"), Path("/r"))
    for _ in known:
        assert problems(part.get_config_info(), result_of(part.get_config_info)) == []


def test_the_model_is_asked_for_at_each_call() -> None:
    names = iter(("one", "two"))
    part = InfoPart(lambda: ModelSummary(next(names), "flag"), Path("/c"), Path("/r"))
    assert [part.get_config_info()["model"] for _ in range(2)] == ["one", "two"]
    names = iter(("three",))
    assert part.get_config_info()["api_base"] is None


def test_the_namespace_is_for_readers() -> None:
    namespace = settings_namespace(lambda: ModelSummary("", ""), Path("/c"), Path("/r"))
    table = MethodTable(namespace)
    assert {name: method.access for name, method in table.items()} == {
        "Settings.get_config_info": Access.READ
    }


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://localhost:8080/v1", "http://localhost:8080/v1"),
        ("https://user:pass@example.org/a?key=sk-1#frag", "https://example.org/a"),
        ("http://[::1]:80/x", "http://[::1]:80/x"),
        ("http://[broken", ""),
        ("http://host:99999999/", ""),
        ("sk-not-an-address", ""),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_what_may_be_a_key(address: str, shown: str) -> None:
    assert without_secrets(address) == shown
