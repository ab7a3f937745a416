import json
from pathlib import Path

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.settings.llm import LlmSettings, load_llm

SECRET = "sk-0123456789abcdef"


def _write(folder: Path, value: object) -> None:
    (folder / "llm.json").write_text(json.dumps(value))


def test_without_a_file_nothing_is_set(tmp_path: Path) -> None:
    assert load_llm(tmp_path) == LlmSettings()
    assert load_llm(tmp_path / "nowhere").env == {}


def test_the_file_is_read(tmp_path: Path) -> None:
    _write(
        tmp_path,
        {
            "model": "anthropic/claude-x",
            "smallerModel": "anthropic/claude-y",
            "api_base": "https://example.org/v1",
            "env": {"ANTHROPIC_API_KEY": SECRET},
            "max_output_tokens": 4096,
            "request_timeout_seconds": 10,
            "something_newer": True,
        },
    )
    settings = load_llm(tmp_path)
    assert (settings.model, settings.smaller_model) == ("anthropic/claude-x", "anthropic/claude-y")
    assert settings.api_base == "https://example.org/v1"
    assert settings.env == {"ANTHROPIC_API_KEY": SECRET}
    assert settings.max_output_tokens == 4096
    assert settings.request_timeout_seconds == 10.0


def test_values_of_the_environment_are_never_shown(tmp_path: Path) -> None:
    _write(tmp_path, {"env": {"KEY": SECRET}})
    settings = load_llm(tmp_path)
    assert SECRET not in repr(settings)
    assert SECRET not in f"{settings}"


@pytest.mark.parametrize(
    "env",
    [{"KEY": {"nested": SECRET}}, {"A=B": SECRET}, {"": SECRET}, {"KEY": f"{SECRET}\0"}, SECRET],
)
def test_an_error_names_the_place_and_never_the_value(tmp_path: Path, env: object) -> None:
    _write(tmp_path, {"env": env})
    with pytest.raises(NotReady, match=r"llm\.json: env") as caught:
        load_llm(tmp_path)
    assert SECRET not in caught.value.message


def test_a_broken_file_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "llm.json").write_text('{\n  "env": {"KEY": "' + SECRET + '"\n  "model": 1}')
    with pytest.raises(NotReady, match=r"llm\.json, line 3: Expecting ',' delimiter") as caught:
        load_llm(tmp_path)
    assert SECRET not in caught.value.message


@pytest.mark.parametrize("raw", [{"max_output_tokens": 0}, {"num_retries": -1}, {"model": None}])
def test_values_out_of_bounds_are_refused(tmp_path: Path, raw: dict[str, object]) -> None:
    _write(tmp_path, raw)
    with pytest.raises(NotReady):
        load_llm(tmp_path)
