"""Which model a workspace uses: the choice by environment and settings, within what is allowed."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupyter_ac.chat.desk import Terms
from jupyter_ac.models.choice import (
    MODEL_VARIABLE,
    NO_MODEL_MESSAGE,
    PROVIDER_KEYS,
    ModelChoice,
    choose,
)
from jupyter_ac.models.providers import key_variable, provider_of
from jupyter_ac.services.settings.ports import ModelSummary
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.files import LITELLM
from jupyter_ac.settings.keyring import Keyring
from jupyter_ac.settings.live import LiveSettings
from jupyter_ac.settings.llm import LlmSettings


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """The model of a workspace.

    Attributes:
        choice: None when there is none.
        smaller_model: for side tasks; "" when none is set.
        settings: of `llm.json`, the keys of the keyring among its variables.
        message: why there is no model and what to do; "" when there is one.
    """

    choice: ModelChoice | None
    smaller_model: str = ""
    settings: LlmSettings = field(default_factory=LlmSettings, repr=False)
    message: str = ""

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables for the model's provider; holds keys."""
        return self.settings.env

    @property
    def terms(self) -> Terms:
        """How the model is asked."""
        settings = self.settings
        return Terms(
            environment=settings.env,
            max_output_tokens=settings.max_output_tokens,
            retries=settings.num_retries,
            request_timeout_s=settings.request_timeout_seconds,
            first_chunk_timeout_s=settings.first_chunk_timeout_seconds,
            chunk_timeout_s=settings.chunk_timeout_seconds,
        )

    def summary(self) -> ModelSummary:
        """Describe it to a front end, without secrets."""
        choice = self.choice
        if choice is None:
            return ModelSummary("", "", self.smaller_model, message=self.message)
        return ModelSummary(
            choice.model, choice.source, self.smaller_model, choice.api_base, choice.demo
        )


@dataclass(frozen=True, slots=True)
class ModelPlanner:
    """Makes the plan from what holds in this process; one for all workspaces of a host.

    Attributes:
        environ: the host's environment.
        config_dir: the folder with `llm.json`.
        admin: what the administrator allows.
        embedded_available: whether the demo model is installed.
        flag: the model that the command line names, or None.
        keyring: where keys may be beside the environment and `llm.json`.
        settings: the user's, as they are in force.
        listeners: called when a workspace has made its plan anew.
    """

    environ: Mapping[str, str] = field(repr=False)
    config_dir: Path
    admin: JupyterAC
    embedded_available: Callable[[], bool]
    flag: str | None = None
    keyring: Keyring = field(default_factory=Keyring)
    settings: LiveSettings = field(init=False)
    listeners: set[Callable[[], None]] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        live = LiveSettings(self.config_dir, self.admin.locked_settings)
        object.__setattr__(self, "settings", live)

    def plan(self) -> ModelPlan:
        """Choose now. Reads files and the keyring.

        An `llm.json` that could never be used is a plan without a model, unless one is named
        elsewhere: another provider than the one that was meant would be a surprise.
        """
        self.settings.refresh()
        problem = self.settings.problem(LITELLM)
        named = self.flag or self.environ.get(MODEL_VARIABLE)
        if problem is not None and not self.settings.was_sound(LITELLM) and not named:
            return ModelPlan(None, message=problem.message)
        settings = self._with_keyring(self.settings.llm)
        choice, message = self._choose(settings)
        smaller = self.environ.get("JUPYTER_AC_SMALLER_MODEL") or settings.smaller_model
        if smaller and self.admin.model_allowed(smaller) is not None:
            smaller = ""
        return ModelPlan(choice, smaller, settings, message)

    def where_keys_are(self, names: Iterable[str]) -> Mapping[str, str]:
        """Say of each variable that holds a key where that is. Reads the keyring.

        `llm.json` is stronger than the environment, the environment than the keyring.
        """
        names = list(names)
        own = self.settings.llm.env
        found = dict.fromkeys(self.keyring.read(names), "keyring")
        found |= {name: "environment" for name in names if self.environ.get(name)}
        return found | {name: "llm.json" for name in names if own.get(name)}

    def _with_keyring(self, settings: LlmSettings) -> LlmSettings:
        """Add the keys that are only in the keyring to the variables of `llm.json`."""
        models = (self.flag, self.environ.get(MODEL_VARIABLE), settings.model)
        named = (key_variable(provider_of(model)) for model in models if model)
        wanted = [
            name
            for name in dict.fromkeys((*PROVIDER_KEYS, *filter(None, named)))
            if not self.environ.get(name) and not settings.env.get(name)
        ]
        return replace(settings, env={**settings.env, **self.keyring.read(wanted)})

    def _choose(self, settings: LlmSettings) -> tuple[ModelChoice | None, str]:
        """Take the first choice that is allowed; one that was named is not replaced by another."""
        environ = dict(self.environ)
        embedded = self.embedded_available()
        message = ""
        while choice := choose(self.flag, environ, settings, embedded_available=embedded):
            refusal = self.admin.model_allowed(choice.model)
            if refusal is None:
                return choice, ""
            message = message or refusal
            if choice.source in PROVIDER_KEYS:
                environ.pop(choice.source, None)
                rest = {key: value for key, value in settings.env.items() if key != choice.source}
                settings = replace(settings, env=rest)
            elif choice.source == "embedded":
                embedded = False
            else:
                return None, refusal
        return None, message or NO_MODEL_MESSAGE
