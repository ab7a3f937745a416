"""The user's model settings: `llm.json` in the configuration directory."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Final
from urllib.parse import urlsplit

from jupyter_ac.settings.schema import SettingsText, build, described
from jupyter_ac.workers.wire import RequestOptions

_TOKENS: Final = {"least": 1, "most": 10_000_000}


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """The settings in `llm.json`; "" and None mean not set.

    Attributes:
        env: never shown.
        requests: in `llm.json`, its members are at the top level.
    """

    model: str = field(
        default="",
        metadata=described(
            "Model", "By litellm's name, with the provider in front: `openai/gpt-5.4`."
        ),
    )
    smaller_model: str = field(
        default="",
        metadata=described(
            "Smaller model",
            "For commit messages and summaries; empty: the same model.",
            alias="smallerModel",
        ),
    )
    api_base: str | None = field(
        default=None,
        metadata=described(
            "Address", "Another address for the model than the provider's, such as your own server."
        ),
    )
    env: Mapping[str, str] = field(
        default_factory=dict,
        repr=False,
        metadata=described(
            "Environment variables",
            "For the process that calls the models, including keys. Keys are hidden.",
            is_secret=True,
        ),
    )
    max_output_tokens: int | None = field(
        default=None,
        metadata=described("Longest answer", "In tokens; empty: the model's own limit.", **_TOKENS),
    )
    requests: RequestOptions = field(default_factory=RequestOptions, metadata={"inline": True})


def read_llm(source: SettingsText) -> LlmSettings:
    """Read `llm.json`.

    Raises:
        BrokenSettings: it is invalid; the message names the line and the key, never a value.
    """
    settings = build(LlmSettings, source)
    if settings.api_base and not _is_address(settings.api_base):
        raise source.error_at(("api_base",), "must be an address, such as https://example.org/v1.")
    for name, value in settings.env.items():
        if not name or "=" in name or not _is_plain(name + value):
            raise source.error_at(("env", name), "is not a valid environment variable.")
    return settings


def written_llm(settings: LlmSettings) -> dict[str, object]:
    """Return the object that says in `llm.json` what these settings are."""
    said = asdict(settings)
    requests = said.pop("requests")
    return {**said, **requests}


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _is_plain(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
