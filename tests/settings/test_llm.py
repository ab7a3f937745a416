import json

import pytest

from jupyter_ac.settings.llm import LlmSettings, read_llm
from jupyter_ac.settings.schema import BrokenSettings, parse

SECRET = "sk-0123456789abcdef"


def read(text: object) -> LlmSettings:
    spelled = text if isinstance(text, str) else json.dumps(text, indent=2)
    return read_llm(parse("llm.json", spelled))


def test_without_a_file_nothing_is_set() -> None:
    assert read("") == LlmSettings()
    assert read({}).env == {}


def test_the_file_is_read() -> None:
    settings = read(
        {
            "model": "anthropic/claude-x",
            "smallerModel": "anthropic/claude-y",
            "api_base": "https://example.org/v1",
            "env": {"ANTHROPIC_API_KEY": SECRET},
            "max_output_tokens": 4096,
            "request_timeout_seconds": 10,
            "num_retries": 7,
            "something_newer": True,
        }
    )
    assert (settings.model, settings.smaller_model) == ("anthropic/claude-x", "anthropic/claude-y")
    assert settings.api_base == "https://example.org/v1"
    assert settings.env == {"ANTHROPIC_API_KEY": SECRET}
    assert (settings.max_output_tokens, settings.requests.num_retries) == (4096, 7)
    assert settings.requests.request_timeout_seconds == 10.0


def test_values_of_the_environment_are_never_shown() -> None:
    settings = read({"env": {"KEY": SECRET}})
    assert SECRET not in repr(settings)
    assert SECRET not in f"{settings}"


@pytest.mark.parametrize(
    "env",
    [
        {"KEY": {"nested": SECRET}},
        {"A=B": SECRET},
        {"": SECRET},
        {"KEY": f"{SECRET}\0"},
        {"KEY": f"{SECRET}\ud800"},
        SECRET,
    ],
)
def test_an_error_names_the_place_and_never_the_value(env: object) -> None:
    with pytest.raises(BrokenSettings, match=r"llm\.json, line [23]: env") as caught:
        read({"env": env})
    assert SECRET not in caught.value.message


def test_a_broken_file_names_the_line() -> None:
    with pytest.raises(
        BrokenSettings, match=r"llm\.json, line 3: Expecting ',' delimiter"
    ) as caught:
        read('{\n  "env": {"KEY": "' + SECRET + '"\n  "model": 1}')
    assert SECRET not in caught.value.message


@pytest.mark.parametrize(
    "raw",
    [
        {"max_output_tokens": 0},
        {"num_retries": -1},
        {"num_retries": 101},
        {"model": None},
        {"request_timeout_seconds": 0},
        {"chunk_timeout_seconds": 1e999},
    ],
)
def test_values_out_of_bounds_are_refused(raw: dict[str, object]) -> None:
    with pytest.raises(BrokenSettings):
        read(raw)


@pytest.mark.parametrize(
    "address", ["localhost:8000", "file:///etc/passwd", "http://", "http://[x"]
)
def test_an_address_must_be_one(address: str) -> None:
    with pytest.raises(BrokenSettings, match=r"line 2: api_base must be an address"):
        read({"api_base": address})
    assert read({"api_base": ""}).api_base == ""
