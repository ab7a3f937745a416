"""Which model a workspace uses: the choice by environment and settings, within what is allowed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupyter_ac.errors import AcError
from jupyter_ac.models.choice import NO_MODEL_MESSAGE, PROVIDER_KEYS, ModelChoice, choose
from jupyter_ac.services.settings import ModelSummary
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.llm import LlmSettings, load_llm


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """The model of a workspace.

    Attributes:
        choice: None when there is none.
        smaller_model: for side tasks; "" when none is set.
        environment: variables for the model's provider; holds keys.
        message: why there is no model and what to do; "" when there is one.
    """

    choice: ModelChoice | None
    smaller_model: str = ""
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    message: str = ""

    def summary(self) -> ModelSummary:
        """Describe it to a front end, without secrets."""
        if self.choice is None:
            return ModelSummary("", "", self.smaller_model)
        choice = self.choice
        return ModelSummary(choice.model, choice.source, self.smaller_model, choice.api_base)


@dataclass(frozen=True, slots=True)
class ModelPlanner:
    """Makes the plan from what holds in this process.

    Attributes:
        environ: the host's environment.
        config_dir: the folder with `llm.json`.
        admin: what the administrator allows.
        embedded_available: whether the demo model is installed.
    """

    environ: Mapping[str, str]
    config_dir: Path
    admin: JupyterAC
    embedded_available: Callable[[], bool]

    def plan(self) -> ModelPlan:
        """Choose now; a broken `llm.json` is a plan without a model. Reads a file."""
        try:
            settings = load_llm(self.config_dir)
        except AcError as error:
            return ModelPlan(None, message=str(error))
        choice, message = self._choose(settings)
        smaller = self.environ.get("JUPYTER_AC_SMALLER_MODEL") or settings.smaller_model
        return ModelPlan(choice, smaller, settings.env, message)

    def _choose(self, settings: LlmSettings) -> tuple[ModelChoice | None, str]:
        """Take the first choice that is allowed; one that was named is not replaced by another."""
        environ = dict(self.environ)
        embedded = self.embedded_available()
        message = ""
        while (choice := choose(None, environ, settings, embedded_available=embedded)) is not None:
            refusal = self.admin.model_allowed(choice.model)
            if refusal is None:
                return choice, ""
            message = message or refusal
            if choice.source in PROVIDER_KEYS:
                environ.pop(choice.source, None)
                rest = {key: value for key, value in settings.env.items() if key != choice.source}
                settings = replace(settings, env=rest)
            elif choice.demo:
                embedded = False
            else:
                return None, refusal
        return None, message or NO_MODEL_MESSAGE
