"""RPC methods: the model in use, and what the settings files are and hold."""

import asyncio

from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.services.settings.ports import SettingsPorts
from jupyter_ac.services.settings.shapes import ConfigInfo, SettingsSchemas
from jupyter_ac.settings.files import FILES
from jupyter_ac.settings.form_schema import form_schemas
from jupyter_ac.workers.redaction import plain_address


class InfoMethods:
    """RPC methods that describe the configuration.

    Args:
        ports: the dependencies.
    """

    def __init__(self, ports: SettingsPorts) -> None:
        self._ports = ports

    @method(Access.READ)
    async def get_schemas(self) -> SettingsSchemas:
        """Return what can be set in a form: names, descriptions, defaults and limits."""
        return {"schemas": form_schemas()}

    @method(Access.READ)
    async def get_config_info(self) -> ConfigInfo:
        """Return the model in use, where its choice comes from, and where the settings are."""
        ports = self._ports
        has_keyring = await asyncio.to_thread(ports.keyring.available)
        await ports.model.renew()
        current = ports.model.summary()
        return {
            "model": current.model,
            "smaller_model": current.smaller_model,
            "source": current.source,
            "api_base": None if current.api_base is None else plain_address(current.api_base),
            "config_dir": str(ports.config_dir),
            "repo_root": str(ports.repo_root),
            "types": list(FILES),
            "unwritten": await ports.editor.unwritten(),
            "locked": list(ports.admin.locked_settings),
            "keyring": has_keyring,
            "notices": [*ports.live.notices(), *ports.snippets.notices()],
        }
