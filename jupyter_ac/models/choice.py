"""Selects the model, and records why.

Pure functions: the caller passes the flag, the environment and the settings. The order of
precedence is flag, environment, `llm.json`, first provider whose key is set, embedded model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from jupyter_ac.workers.wire import EMBEDDED_NAME

PROVIDER_KEYS: Final[Mapping[str, str]] = {
    "ANTHROPIC_API_KEY": "anthropic/claude-sonnet-4-6",
    "OPENAI_API_KEY": "openai/gpt-5.4",
    "GEMINI_API_KEY": "gemini/gemini-pro-latest",
    "MISTRAL_API_KEY": "mistral/mistral-medium-latest",
    "DEEPSEEK_API_KEY": "deepseek/deepseek-v4-pro",
    "GROQ_API_KEY": "groq/openai/gpt-oss-120b",
    "XAI_API_KEY": "xai/grok-4.5",
    "OPENROUTER_API_KEY": "openrouter/anthropic/claude-sonnet-4.6",
    "TOGETHERAI_API_KEY": "together_ai/zai-org/GLM-5.3",
    "FIREWORKS_AI_API_KEY": "fireworks_ai/accounts/fireworks/models/glm-5p3",
    "CEREBRAS_API_KEY": "cerebras/gpt-oss-120b",
    "MOONSHOT_API_KEY": "moonshot/kimi-k2.6",
    "ZAI_API_KEY": "zai/glm-5.1",
    "COHERE_API_KEY": "cohere_chat/command-a-03-2025",
}
"""Environment variable of a provider's key → the default model if only the key is set.

The order is the order of preference if several keys are set.
"""

EMBEDDED_MODEL: Final = f"openai/{EMBEDDED_NAME}"
"""litellm's name for the embedded demo model behind its local server."""

RECORDED: Final = "recorded answer"
"""Stands in place of a model's name where an answer was written by the authors of this package.

litellm has no such model: nothing can be sent under this name.
"""

MODEL_VARIABLE: Final = "JUPYTER_AC_MODEL"
SMALLER_VARIABLE: Final = "JUPYTER_AC_SMALLER_MODEL"
_API_BASE: Final = "JUPYTER_AC_API_BASE"

NO_MODEL_MESSAGE: Final = (
    "No language model is set up: enter a provider's key in the settings, or set one, such as "
    "ANTHROPIC_API_KEY or OPENAI_API_KEY, or JUPYTER_AC_MODEL before Jupyter starts, or install "
    "the demo model with `jupyter ac install-demo-model`."
)


class ModelSettings(Protocol):
    """The required part of `llm.json`."""

    @property
    def model(self) -> str | None:
        """The selected model, or None."""

    @property
    def api_base(self) -> str | None:
        """The address for it, or None."""

    @property
    def env(self) -> Mapping[str, str]:
        """Environment variables to add, including keys."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The selected model.

    Attributes:
        model: litellm's name.
        source: the reason: `flag`, `JUPYTER_AC_MODEL`, `llm.json`, the name of a key's variable, or
            `embedded`.
        api_base: another address than the provider's; for the embedded model filled in when its
            server runs.
        demo: whether it is too small for real work, which the UI shows.
        profile: prompt profile, `standard` or `embedded`.
    """

    model: str
    source: str
    api_base: str | None = None
    demo: bool = False
    profile: str = "standard"


def choose(
    flag: str | None,
    environ: Mapping[str, str],
    llm_settings: ModelSettings | None,
    *,
    embedded_available: bool,
) -> ModelChoice | None:
    """Select the model; None if there is none (see `NO_MODEL_MESSAGE`).

    Args:
        flag: from the command line, or None.
        environ: the host's environment.
        llm_settings: from `llm.json`, or None if there is none.
        embedded_available: whether the demo model is installed.
    """
    api_base = environ.get(_API_BASE) or None
    own_base = llm_settings.api_base if llm_settings is not None else None
    for model, source, base in (
        (flag, "flag", api_base),
        (environ.get(MODEL_VARIABLE), MODEL_VARIABLE, api_base),
        (llm_settings.model if llm_settings is not None else "", "llm.json", api_base or own_base),
    ):
        if model and model == EMBEDDED_MODEL and embedded_available and not base:
            return ModelChoice(EMBEDDED_MODEL, source, demo=True, profile="embedded")
        if model:
            return ModelChoice(model, source, base)
    own = llm_settings.env if llm_settings is not None else {}
    for name, model in PROVIDER_KEYS.items():
        if environ.get(name) or own.get(name):
            return ModelChoice(model, name, api_base)
    if embedded_available:
        return ModelChoice(EMBEDDED_MODEL, "embedded", demo=True, profile="embedded")
    return None
