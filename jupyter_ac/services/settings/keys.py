"""RPC methods that set and remove a provider's key. No method returns a key."""

import asyncio
import re
from typing import Final, Literal

from jupyter_ac.errors import AccessDenied, InvalidParams
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.settings.ports import SettingsPorts
from jupyter_ac.services.settings.shapes import KeyKept, SettingsRefusal, SettingsToConfirm
from jupyter_ac.settings.editing import set_value
from jupyter_ac.settings.files import LITELLM, SettingsKind
from jupyter_ac.settings.masks import DOTS
from jupyter_ac.workers.redaction import is_secret_name

_VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9_]{2,63}")
_KEY: Final = re.compile(r"[!-~]{1,4096}")
_KIND: Final = SettingsKind(LITELLM)


class KeyMethods:
    """RPC methods that set and remove providers' keys.

    Args:
        ports: the dependencies.
    """

    def __init__(self, ports: SettingsPorts) -> None:
        self._ports = ports

    @method(Access.EXECUTE, refusal=SettingsRefusal)
    async def set_key(
        self, provider_variable: str, key: str, confirm: bool = False
    ) -> KeyKept | SettingsToConfirm:
        """Keep a provider's key in the system's keyring, or in `llm.json` where there is none.

        An empty key removes the one that is there.
        """
        name, secret = provider_variable.strip(), checked_key(key)
        self._check(name)
        has_keyring = await asyncio.to_thread(self._ports.keyring.available)
        if not confirm:
            return {"status": "confirm", "changes": [_change(name, secret, has_keyring)]}
        where = await self._keep(name, secret, has_keyring)
        await self._ports.model.reload((LITELLM,))
        return {"status": "ok", "where": where, "message": await self._about(name, secret, where)}

    def _check(self, name: str) -> None:
        if not _VARIABLE.fullmatch(name) or not is_secret_name(name):
            raise InvalidParams(
                "That is no variable of a key; it is written like OPENAI_API_KEY, and ends in KEY, "
                "TOKEN or SECRET."
            )
        if self._ports.admin.is_locked(LITELLM, f"{LITELLM}.env", f"{LITELLM}.env.{name}"):
            raise AccessDenied(f"The administrator has locked {name}; it can't be changed here.")

    async def _keep(
        self, name: str, secret: str, has_keyring: bool
    ) -> Literal["keyring", "llm.json"]:
        """Store a key in one place and remove it from the other, where it could take precedence."""
        if not has_keyring:
            await self._put_in_file(name, secret)
            return "llm.json"
        in_file = self._ports.live.llm.env.get(name)
        if in_file:  # report an unwritable file before any change
            await self._ports.editor.propose(_KIND, set_value(_KIND, ("env", name), None))
        await asyncio.to_thread(self._ports.keyring.write, name, secret)
        if in_file:
            await self._put_in_file(name, "")
        return "keyring"

    async def _put_in_file(self, name: str, secret: str) -> None:
        edit, editor = set_value(_KIND, ("env", name), secret or None), self._ports.editor
        draft = await editor.propose(_KIND, edit)
        await editor.save(_KIND, edit, agreed=draft.changes)

    async def _about(self, name: str, secret: str, where: str) -> str:
        """Return a note on effects that the user may not expect."""
        found = (await self._ports.model.keys((name,))).get(name, "")
        if found == "environment" and secret:
            return f"{name} is also set in the environment, which is stronger than the keyring."
        if found and not secret:
            return f"{name} is still set in {'the ' if found != 'llm.json' else ''}{found}."
        return "" if found == where or not secret else f"{name} can't be read back from {where}."


def checked_key(key: str) -> str:
    """Return a key without surrounding blanks; "" stays "".

    Raises:
        InvalidParams: it is none; the message doesn't repeat it.
    """
    secret = key.strip()
    if DOTS in secret or (secret and not _KEY.fullmatch(secret)):
        raise InvalidParams("That is no key: only letters, digits and signs, without blanks.")
    return secret


def _change(name: str, secret: str, has_keyring: bool) -> str:
    place = "the system's keyring" if has_keyring else "llm.json, readable by you only"
    return f"{name} is kept in {place}." if secret else f"{name} is removed from {place}."
