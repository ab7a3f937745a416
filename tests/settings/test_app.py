import json
from pathlib import Path

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.settings.app import AppSettings, load_app


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    settings = load_app(tmp_path)
    assert settings == AppSettings()
    assert (settings.edits.review, settings.edits.retries) == (False, 1)
    assert settings.edits.max_file_bytes == 5_242_880
    assert settings.history_compaction.compaction_trigger_tokens == 24_000
    assert settings.url_cache.ttl_hours == 24
    assert settings.prompt.profile == "auto"


def test_a_section_can_be_changed_in_part(tmp_path: Path) -> None:
    raw = {
        "edits": {"review": True},
        "doc_index": {"keywords_ngram_range": [1, 3]},
        "prompt": {"profile": "embedded"},
        "agents": {"enabled": True},
    }
    (tmp_path / "app.json").write_text(json.dumps(raw))
    settings = load_app(tmp_path)
    assert (settings.edits.review, settings.edits.retries) == (True, 1)
    assert settings.doc_index.keywords_ngram_range == (1, 3)
    assert settings.prompt.profile == "embedded"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"edits": {"retries": -1}}, "app.json: edits: retries must be at least 0."),
        ({"prompt": {"profile": "big"}}, "app.json: prompt: profile must be one of auto, standard"),
        ({"url_cache": []}, "app.json: url_cache must be an object"),
    ],
)
def test_a_wrong_value_is_named(tmp_path: Path, raw: dict[str, object], message: str) -> None:
    (tmp_path / "app.json").write_text(json.dumps(raw))
    with pytest.raises(NotReady) as caught:
        load_app(tmp_path)
    assert caught.value.message.startswith(message)
