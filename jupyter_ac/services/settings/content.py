"""RPC methods that read and save whole settings files of the user, and reload them."""

import asyncio
from collections.abc import Iterator
from typing import Final

from jupyter_ac.errors import AccessDenied, NotFound
from jupyter_ac.git.likely_secrets import secret_warnings
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.settings.ports import SettingsPorts
from jupyter_ac.services.settings.shapes import (
    SettingsRefusal,
    SettingsReloaded,
    SettingsSaved,
    SettingsToConfirm,
)
from jupyter_ac.settings.editing import replace_text
from jupyter_ac.settings.files import (
    APP,
    FILES,
    LITELLM,
    SYSTEM,
    SYSTEM_EXTRA,
    SettingsKind,
    kind_of,
)

_LATER: Final = frozenset({"system_doc", "compaction", "review", "commit"})


class ContentMethods:
    """RPC methods that read and save settings files.

    Args:
        ports: the dependencies.
    """

    def __init__(self, ports: SettingsPorts) -> None:
        self._ports = ports

    @method(Access.READ, refusal=SettingsRefusal)
    async def get_config_content(self, type: str) -> str:
        """Return a file's text, keys hidden; where none is written, the text of what holds then.

        What the administrator has locked is no part of that text.
        """
        return await self._ports.editor.masked_text(_known(type))

    @method(Access.WRITE, refusal=SettingsRefusal)
    async def save_config_content(
        self,
        type: str,
        content: str,
        confirm: bool = False,
    ) -> SettingsSaved | SettingsToConfirm:
        """Check a file's text, save it and put it in force; hidden keys stay what they are.

        A text that says what holds without the file takes the file away.

        A change of `api_base` or `env` needs execute access, and `confirm` after the user has
        agreed to what the first answer lists.
        """
        kind = _known(type)
        edit, editor = replace_text(kind, content), self._ports.editor
        draft = await editor.propose(kind, edit)
        changes = list(draft.changes)
        if changes:
            await require_execute("Settings.save_config_content, for this change,")
            if not confirm:
                return {"status": "confirm", "changes": changes}
        saved = await editor.save(kind, edit, agreed=changes)
        await self._ports.model.reload((kind.type,))
        if not saved.text:
            return {"status": "ok", "type": kind.type, "notices": _unneeded(kind)}
        # Scanning a text of the maximum length on the event loop would block it for long.
        notices = [*self._ports.live.notices()]
        if not kind.is_json:
            notices += await asyncio.to_thread(secret_warnings, kind.file, content)
        return {"status": "ok", "type": kind.type, "notices": [*notices, *_when(kind)]}


async def require_execute(what: str) -> None:
    """Refuse a caller who may not run anything.

    Raises:
        AccessDenied: the caller may not; an error of the call.
    """
    if not await current_caller().peer.allows(Access.EXECUTE):
        message = f"{what} needs execute access; ask whoever runs this server for it"
        raise AccessDenied(message).as_fault()


def _known(name: str) -> SettingsKind:
    kind = kind_of(name)
    if kind is None:
        raise NotFound(f"There are no settings {name[:64]!r}; there are {', '.join(FILES)}.")
    return kind


def _unneeded(kind: SettingsKind) -> list[str]:
    return [f"The defaults are in force; they need no {kind.file}."]


def _when(kind: SettingsKind) -> Iterator[str]:
    """Return when a text takes effect, if not immediately."""
    if kind.type in {SYSTEM, SYSTEM_EXTRA}:
        yield "It holds for new conversations; one that has begun keeps its instructions."
    elif kind.type in _LATER:
        yield "It has no effect in this release."


class ReloadMethods:
    """RPC methods that reload the settings.

    Args:
        ports: the dependencies.
    """

    def __init__(self, ports: SettingsPorts) -> None:
        self._ports = ports

    @method(Access.WRITE, refusal=SettingsRefusal)
    async def reload_llm_config(self) -> SettingsReloaded:
        """Read `llm.json` and the keyring anew; a broken file leaves in force what held before."""
        return await self._reload(LITELLM, (LITELLM,))

    @method(Access.WRITE, refusal=SettingsRefusal)
    async def reload_app_config(self) -> SettingsReloaded:
        """Read `app.json`, the snippets and the prompts anew."""
        return await self._reload(APP, tuple(name for name in FILES if name != LITELLM))

    async def _reload(self, name: str, types: tuple[str, ...]) -> SettingsReloaded:
        await self._ports.model.reload(types)
        problem = self._ports.live.problem(name)
        if problem is not None:
            raise problem
        current = self._ports.model.summary()
        return {
            "status": "ok",
            "model": current.model,
            "source": current.source,
            "smaller_model": current.smaller_model,
            "notices": self._ports.live.notices(),
        }
