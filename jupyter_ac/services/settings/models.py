"""RPC methods that list the available models and select one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from jupyter_ac.errors import InvalidParams
from jupyter_ac.models.choice import EMBEDDED_MODEL
from jupyter_ac.models.providers import key_variable, preferred_providers
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.settings.ports import ModelSummary, SettingsPorts
from jupyter_ac.services.settings.shapes import (
    ModelChosen,
    ModelList,
    ModelRow,
    ProviderRow,
    SettingsRefusal,
    Where,
)
from jupyter_ac.settings.addresses import address_in_model
from jupyter_ac.settings.editing import set_value
from jupyter_ac.settings.files import LITELLM, SettingsKind
from jupyter_ac.workers.redaction import plain_address
from jupyter_ac.workers.wire import EMBEDDED_CONTEXT, ListedModel

_NAME: Final = re.compile(r"[^\s\x00-\x1f\x7f]{1,200}")
_OWN: Final = "llm.json"

DEMO: Final = "demo"
"""What stands for the provider of the embedded model."""


class ModelMethods:
    """RPC methods that list models and select one.

    Args:
        ports: the dependencies.
    """

    def __init__(self, ports: SettingsPorts) -> None:
        self._ports = ports

    @method(Access.READ)
    async def list_models(self) -> ModelList:
        """Return the models for talk that may be chosen, those that can be used at once first."""
        ports = self._ports
        await ports.model.renew()
        listed = [
            model
            for model in (*await ports.catalogue(), *_demo(ports))
            if ports.admin.model_allowed(model["name"]) is None
        ]
        providers = await self._providers({model["provider"] for model in listed})
        ranks = {row["name"]: rank for rank, row in enumerate(providers)}
        keys = {row["name"]: row["has_key"] for row in providers}
        current = ports.model.summary()
        return {
            "current": {"model": current.model, "source": current.source, "demo": current.demo},
            "models": [
                _row(model, keys) for model in sorted(listed, key=lambda m: ranks[m["provider"]])
            ],
            "providers": providers,
        }

    @method(Access.WRITE, refusal=SettingsRefusal)
    async def choose_model(self, model: str) -> ModelChosen:
        """Keep the choice of a model in `llm.json`; "" leaves it to the keys that are set."""
        name = checked_model_name(model)
        kind = SettingsKind(LITELLM)
        await self._ports.editor.save(kind, set_value(kind, ("model",), name or None))
        await self._ports.model.reload((LITELLM,))
        current = self._ports.model.summary()
        return {
            "status": "ok",
            "model": current.model,
            "source": current.source,
            "message": " ".join(_about(name, current, self._ports.live.llm.api_base)),
        }

    async def _providers(self, names: set[str]) -> list[ProviderRow]:
        variables = {name: key_variable(name) for name in names}
        found = await self._ports.model.keys(filter(None, variables.values()))
        places = cast("Mapping[str, Where]", found)
        preferred = preferred_providers()
        rows: list[ProviderRow] = [
            {
                "name": name,
                "key_variable": variable,
                "has_key": variable in places or name == DEMO,
                "where": places.get(variable, ""),
            }
            for name, variable in variables.items()
        ]
        rank = {name: at for at, name in enumerate(preferred)}
        return sorted(
            rows,
            key=lambda row: (not row["has_key"], rank.get(row["name"], len(rank)), row["name"]),
        )


def checked_model_name(model: str) -> str:
    """Return a model's name without surrounding blanks; "" stays "".

    Raises:
        InvalidParams: it is none, or says where questions go.
    """
    name = model.strip()
    if name and not _NAME.fullmatch(name):
        raise InvalidParams("That is no model's name: no blanks, at most 200 signs.")
    if address_in_model(name):
        raise InvalidParams(
            "That model's name says where questions go; enter it in llm.json, in the "
            "settings, where that is asked about."
        )
    return name


def _demo(ports: SettingsPorts) -> Sequence[ListedModel]:
    if not ports.has_demo():
        return ()
    return (
        {
            "name": EMBEDDED_MODEL,
            "provider": DEMO,
            "max_input_tokens": EMBEDDED_CONTEXT,
            "input_cost": None,
            "output_cost": None,
        },
    )


def _row(model: ListedModel, keys: Mapping[str, bool]) -> ModelRow:
    return {
        "name": model["name"],
        "provider": model["provider"],
        "has_key": keys[model["provider"]],
        "max_input_tokens": model["max_input_tokens"],
        "input_cost": model["input_cost"],
        "output_cost": model["output_cost"],
    }


def _about(name: str, current: ModelSummary, own_base: str | None) -> Iterator[str]:
    """Return a note on effects of a choice that the user may not expect."""
    if name and current.source != _OWN:
        stronger = {"flag": "--model on the command line"}.get(current.source, current.source)
        if current.model:
            yield (
                f"llm.json names {name} now, but {stronger} is stronger: "
                f"{current.model} goes on answering."
            )
    if current.message:
        yield current.message
    if current.api_base is not None and current.source == _OWN:
        where = "api_base in llm.json" if current.api_base == own_base else "JUPYTER_AC_API_BASE"
        yield f"Its questions go to {plain_address(current.api_base)}, because of {where}."
