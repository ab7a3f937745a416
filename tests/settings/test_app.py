import json

import pytest

from jupyter_ac.settings.app import AgentSettings, AppSettings, read_app
from jupyter_ac.settings.schema import BrokenSettings, parse


def read(raw: object) -> AppSettings:
    return read_app(parse("app.json", json.dumps(raw)))


def test_without_a_file_the_defaults_hold() -> None:
    settings = read({})
    assert settings == AppSettings()
    assert (settings.edits.review, settings.edits.retries) == (False, 1)
    assert settings.edits.max_file_bytes == 5_242_880
    assert settings.history_compaction.compaction_trigger_tokens == 24_000
    assert settings.url_cache.ttl_hours == 24
    assert settings.urls.fetch == "ask"
    assert settings.files.show_jupyter_files is False
    assert settings.prompt.profile == "auto"
    assert settings.kernel.run_cells is False
    assert settings.agent == AgentSettings(25, 400_000, 1.0, 15, read_instructions=True)


def test_a_section_can_be_changed_in_part() -> None:
    raw = {
        "edits": {"review": True},
        "doc_index": {"keywords_ngram_range": [1, 3]},
        "prompt": {"profile": "embedded"},
        "agents": {"enabled": True},
        "agent": {"max_usd": 2, "read_instructions": False},
        "files": {"show_jupyter_files": True},
        "kernel": {"run_cells": True},
    }
    settings = read(raw)
    assert (settings.edits.review, settings.edits.retries) == (True, 1)
    assert settings.doc_index.keywords_ngram_range == (1, 3)
    assert settings.prompt.profile == "embedded"
    assert settings.files.show_jupyter_files is True
    assert settings.kernel.run_cells is True
    assert (settings.agent.max_usd, settings.agent.max_steps) == (2.0, 25)
    assert settings.agent.read_instructions is False


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"edits": {"retries": -1}}, "app.json, line 1: edits.retries must be at least 0."),
        ({"edits": {"retries": 3}}, "app.json, line 1: edits.retries must be at most 2."),
        ({"prompt": {"profile": "big"}}, "app.json, line 1: prompt.profile must be one of auto"),
        (
            {"files": {"show_jupyter_files": "yes"}},
            "app.json, line 1: files.show_jupyter_files must be true or false.",
        ),
        (
            {"kernel": {"run_cells": "yes"}},
            "app.json, line 1: kernel.run_cells must be true or false.",
        ),
        ({"urls": {"fetch": "yes"}}, "app.json, line 1: urls.fetch must be one of ask, auto"),
        ({"agent": {"max_steps": 0}}, "app.json, line 1: agent.max_steps must be at least 1."),
        ({"agent": {"max_tokens": 5}}, "app.json, line 1: agent.max_tokens must be at least 1000."),
        ({"agent": {"max_usd": 0}}, "app.json, line 1: agent.max_usd must be at least 0.01."),
        ({"agent": {"max_usd": 1e9}}, "app.json, line 1: agent.max_usd must be at most 10000."),
        ({"agent": {"max_minutes": 1.5}}, "app.json, line 1: agent.max_minutes must be a whole"),
        ({"agent": {"max_minutes": 9999}}, "app.json, line 1: agent.max_minutes must be at most"),
        ({"agent": {"read_instructions": 1}}, "app.json, line 1: agent.read_instructions must be"),
        ({"url_cache": []}, "app.json, line 1: url_cache must be an object"),
    ],
)
def test_a_wrong_value_is_named(raw: dict[str, object], message: str) -> None:
    with pytest.raises(BrokenSettings) as caught:
        read(raw)
    assert caught.value.message.startswith(message)
