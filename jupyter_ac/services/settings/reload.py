"""RPC methods that reload the user's files after they were edited by hand."""

from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.settings.ports import SettingsPorts
from jupyter_ac.services.settings.shapes import SettingsRefusal, SettingsReloaded
from jupyter_ac.settings.files import APP, FILES, LITELLM


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
