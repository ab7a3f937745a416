"""Selects a workspace's model from environment and settings, within the administrator's limits."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupyter_ac.chat.model_gateway import ModelOptions
from jupyter_ac.models.choice import (
    EMBEDDED_MODEL,
    MODEL_VARIABLE,
    NO_MODEL_MESSAGE,
    PROVIDER_KEYS,
    SMALLER_VARIABLE,
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
from jupyter_ac.workers.wire import ListedModel


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """The model of a workspace.

    Attributes:
        choice: None when there is none.
        smaller_model: for side tasks; "" when none is set.
        settings: of `llm.json`, the keys of the keyring among its variables.
        message: why there is no model and what to do; "" when there is one.
        lacks_list: unfinished, for `make_plan` to finish: the administrator refuses the usual
            model of a provider whose key is set, and the list of models may hold another one.
    """

    choice: ModelChoice | None
    smaller_model: str = ""
    settings: LlmSettings = field(default_factory=LlmSettings, repr=False)
    message: str = ""
    lacks_list: bool = False

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables for the model's provider; holds keys."""
        return self.settings.env

    @property
    def terms(self) -> ModelOptions:
        """The options of requests to the model."""
        settings = self.settings
        return ModelOptions(
            environment=settings.env,
            max_output_tokens=settings.max_output_tokens,
            smaller_model=self.smaller_model,
            requests=settings.requests,
        )

    def summary(self) -> ModelSummary:
        """Describe it to a front end, without secrets."""
        choice = self.choice
        if choice is None:
            return ModelSummary("", "", self.smaller_model, message=self.message)
        return ModelSummary(
            choice.model, choice.source, self.smaller_model, choice.api_base, choice.demo
        )


class ModelPlanner:
    """Computes the plan from this process's settings; one for all workspaces of a host.

    Args:
        environ: the host's environment.
        config_dir: the folder with `llm.json`.
        admin: what the administrator allows.
        embedded_available: whether the demo model is installed.
        flag: the model that the command line names, or None.
        keyring: a store of keys beside the environment and `llm.json`; None for the system's.

    Attributes:
        settings: the user's current settings.
        listeners: called when a workspace has computed a new plan.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        config_dir: Path,
        admin: JupyterAC,
        embedded_available: Callable[[], bool],
        flag: str | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        self.environ = environ
        self.config_dir = config_dir
        self.admin = admin
        self.embedded_available = embedded_available
        self.flag = flag
        self.keyring = keyring or Keyring()
        self.settings = LiveSettings(config_dir, admin.locked_settings)
        self.listeners: set[Callable[[], None]] = set()

    def plan(self, listed: Sequence[ListedModel] | None = None) -> ModelPlan:
        """Choose now. Reads files and the keyring.

        An `llm.json` that could never be used is a plan without a model, unless one is named
        elsewhere: another provider than the one that was meant would be a surprise.

        Args:
            listed: the models that there are, for a plan that `lacks_list`; see `make_plan`.
        """
        self.settings.refresh()
        problem = self.settings.problem(LITELLM)
        named = self.flag or self.environ.get(MODEL_VARIABLE)
        if problem is not None and not self.settings.was_sound(LITELLM) and not named:
            return ModelPlan(None, message=problem.message)
        smaller = self.environ.get(SMALLER_VARIABLE) or self.settings.llm.smaller_model
        settings = self._with_keyring(self.settings.llm, smaller)
        choice, message, is_short = self._choose(settings, listed)
        if smaller and self.admin.model_allowed(smaller) is not None:
            smaller = ""
        return ModelPlan(choice, smaller, settings, message, is_short and listed is None)

    def where_keys_are(self, names: Iterable[str]) -> Mapping[str, str]:
        """Return for each key variable the place where its key is stored. Reads the keyring.

        `llm.json` is stronger than the environment, the environment than the keyring.
        """
        names = list(names)
        own = self.settings.llm.env
        found = dict.fromkeys(self._kept_keys(names), "keyring")
        found |= {name: "environment" for name in names if self.environ.get(name)}
        return found | {name: "llm.json" for name in names if own.get(name)}

    def _with_keyring(self, settings: LlmSettings, smaller: str) -> LlmSettings:
        """Add the keys that are only in the keyring to the variables of `llm.json`."""
        inline = self.settings.app.inline_completion.model
        models = (self.flag, self.environ.get(MODEL_VARIABLE), settings.model, smaller, inline)
        named = (key_variable(provider_of(model)) for model in models if model)
        wanted = [
            name
            for name in dict.fromkeys((*PROVIDER_KEYS, *filter(None, named)))
            if not self.environ.get(name) and not settings.env.get(name)
        ]
        return replace(settings, env={**settings.env, **self._kept_keys(wanted)})

    def _kept_keys(self, names: Iterable[str]) -> Mapping[str, str]:
        """Read keys from the keyring; none where keys are the administrator's."""
        wanted = [
            name
            for name in names
            if not self.admin.is_locked(LITELLM, f"{LITELLM}.env", f"{LITELLM}.env.{name}")
        ]
        return self.keyring.read(wanted) if wanted else {}

    def _choose(
        self, settings: LlmSettings, listed: Sequence[ListedModel] | None
    ) -> tuple[ModelChoice | None, str, bool]:
        """Take the first choice that is allowed; one that was named is not replaced by another.

        Returns:
            The choice, why there is none, and whether the list could give a better one.
        """
        environ = dict(self.environ)
        embedded = self.embedded_available()
        message, is_short = "", False
        while choice := choose(self.flag, environ, settings, embedded_available=embedded):
            refusal = self.admin.model_allowed(choice.model)
            if refusal is None:
                return choice, "", is_short
            if choice.source in PROVIDER_KEYS:
                message = message or refusal
                allowed = next(self._allowed_by_key(choice.source, listed or ()), None)
                if allowed is not None:
                    return replace(choice, model=allowed), "", is_short
                is_short = True
                environ.pop(choice.source, None)
                rest = {key: value for key, value in settings.env.items() if key != choice.source}
                settings = replace(settings, env=rest)
            elif choice.source == "embedded":
                embedded = False
            else:
                return None, refusal, False
        return None, message or self._no_key(), is_short

    def _no_key(self) -> str:
        allowed = self.admin.allowed_models
        if not allowed:
            return NO_MODEL_MESSAGE
        return (
            f"No key is set for a model that the administrator allows ({', '.join(allowed)}); "
            "enter one in the settings, or set it before Jupyter starts."
        )

    def _allowed_by_key(self, variable: str, listed: Sequence[ListedModel]) -> Iterator[str]:
        """Give the models of one key: those that the administrator spells out, then listed ones."""
        roomy = sorted(listed, key=lambda model: -model["max_input_tokens"])
        for name in (*self.admin.allowed_models, *(model["name"] for model in roomy)):
            # The demo model bears a name of that provider's, and is none of its models.
            is_name = name != EMBEDDED_MODEL and not any(sign in name for sign in "*?[")
            has_key = is_name and key_variable(provider_of(name)) == variable
            if has_key and self.admin.model_allowed(name) is None:
                yield name
