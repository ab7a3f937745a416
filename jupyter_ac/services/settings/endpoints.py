"""RPC methods that try a model, and list the models of a server of the user's own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from jupyter_ac.errors import AccessDenied, Busy, InvalidParams, TimedOut
from jupyter_ac.models.choice import EMBEDDED_MODEL
from jupyter_ac.models.endpoints import (
    ENDPOINT_KINDS,
    TRIAL_S,
    EndpointKind,
    ask_once,
    checked_address,
)
from jupyter_ac.models.providers import key_variable, provider_of
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.settings.keys import checked_key
from jupyter_ac.services.settings.models import checked_model_name
from jupyter_ac.services.settings.ports import SettingsPorts
from jupyter_ac.services.settings.shapes import (
    EndpointKindRow,
    FoundModels,
    ModelTried,
    SettingsRefusal,
    SettingsToConfirm,
)
from jupyter_ac.settings.files import LITELLM
from jupyter_ac.workers.redaction import plain_address
from jupyter_ac.workers.wire import ServedModelsRequest

_GRACE_S: Final = 10.0
"""For the process that sends requests to start."""


class EndpointMethods:
    """RPC methods about model servers.

    Args:
        ports: the dependencies.
    """

    def __init__(self, ports: SettingsPorts) -> None:
        self._ports = ports
        self._asking = asyncio.Lock()

    @method(Access.READ)
    async def list_endpoint_kinds(self) -> list[EndpointKindRow]:
        """Return the kinds of model servers that people run themselves."""
        return [_row(name, kind) for name, kind in ENDPOINT_KINDS.items()]

    @method(Access.EXECUTE, refusal=SettingsRefusal)
    async def find_models(
        self, kind: str, api_base: str, key: str = "", confirm: bool = False
    ) -> FoundModels | SettingsToConfirm:
        """Ask a model server for the names of its models.

        It sends a request, so that it needs `confirm` after the user has agreed to what the first
        answer says. A key that is set is not sent, only the one that is given.
        """
        found = ENDPOINT_KINDS.get(kind)
        if found is None:
            names = ", ".join(ENDPOINT_KINDS)
            raise InvalidParams(f"There is no such kind of server; there are {names}.")
        address, secret = checked_address(api_base), checked_key(key)
        self._require_permitted(address, key_variable(found.provider), secret)
        if not confirm:
            sent = f"One request for the list of models goes to {plain_address(address)}"
            return {"status": "confirm", "changes": [f"{sent}, {_with_key(has_key=bool(secret))}."]}
        async with self._one_at_a_time():
            served = await self._ports.endpoints.served(
                ServedModelsRequest(found.provider, address, secret)
            )
        return {
            "status": "ok",
            "api_base": served.api_base,
            "models": [f"{found.provider}/{name}" for name in served.names],
        }

    @method(Access.EXECUTE, refusal=SettingsRefusal)
    async def try_model(
        self, model: str, api_base: str = "", key: str = "", confirm: bool = False
    ) -> ModelTried | SettingsToConfirm:
        """Send one short question to a model, and say how long the answer took; keeps nothing.

        Without a key, the one that is set is used, but not at another address than the one in
        force. It needs `confirm` after the user has agreed to what the first answer says.
        """
        name, secret = checked_model_name(model), checked_key(key)
        if not name or name == EMBEDDED_MODEL:
            raise InvalidParams("Name a model of a provider, or of a server of your own.")
        refusal = self._ports.admin.model_allowed(name)
        if refusal is not None:
            raise AccessDenied(refusal)
        variable = key_variable(provider_of(name))
        current = self._ports.model.summary()
        address = checked_address(api_base) if api_base.strip() else ""
        if address and address != (current.api_base or "").rstrip("/"):
            self._require_permitted(address, variable, secret)
            own_key = {variable: secret} if variable else {}
        else:
            self._require_permitted("", variable, secret)
            own_key = {variable: secret} if secret else {}
            if name == current.model:
                address = address or current.api_base or ""
        env = {**self._ports.variables(), **own_key}
        if not confirm:
            where = plain_address(address) if address else f"the provider of {name}"
            has_key = bool(secret) or (bool(variable) and not own_key)
            sent = f"One short question goes to {where}, {_with_key(has_key=has_key)}"
            return {"status": "confirm", "changes": [f"{sent}; it may cost a little."]}
        async with self._one_at_a_time():
            tried = await ask_once(self._ports.endpoints, name, address or None, env)
        return {"status": "ok", "milliseconds": tried.milliseconds, "text": tried.text}

    def _require_permitted(self, address: str, variable: str, secret: str) -> None:
        """Check the administrator's locks.

        Args:
            address: that isn't in force; "" for none.
            variable: of the key.
            secret: a key that isn't set; "" for none.

        Raises:
            AccessDenied: the administrator keeps the address or the key.
            InvalidParams: this kind of server takes no key.
        """
        admin = self._ports.admin
        if address and admin.is_locked(LITELLM, f"{LITELLM}.api_base"):
            raise AccessDenied("The administrator has locked the address of models.")
        if secret and not variable:
            raise InvalidParams("This kind of server takes no key; leave it empty.")
        if secret and admin.is_locked(LITELLM, f"{LITELLM}.env", f"{LITELLM}.env.{variable}"):
            raise AccessDenied(f"The administrator has locked {variable}; leave the key out.")

    @asynccontextmanager
    async def _one_at_a_time(self) -> AsyncIterator[None]:
        """Hold the only trial of this workspace, within its time.

        Raises:
            Busy: there is one already.
            TimedOut: it takes too long.
        """
        if self._asking.locked():
            raise Busy("Another trial is running; wait for its end.")
        async with self._asking:
            try:
                async with asyncio.timeout(TRIAL_S + _GRACE_S):
                    yield
            except TimeoutError as error:
                raise TimedOut(
                    f"There was no answer within {TRIAL_S + _GRACE_S:g} s. Try again: a model that "
                    "is being loaded answers later."
                ) from error


def _row(name: str, kind: EndpointKind) -> EndpointKindRow:
    return {
        "kind": name,
        "title": kind.title,
        "provider": kind.provider,
        "api_base": kind.address,
        "key_variable": key_variable(kind.provider),
    }


def _with_key(*, has_key: bool) -> str:
    return "with the key" if has_key else "without a key"
