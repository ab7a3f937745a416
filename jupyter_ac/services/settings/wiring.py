"""All parts of `Settings` together."""

from typing import Final

from jupyter_ac.rpc.methods import Namespace
from jupyter_ac.services.settings.content import ContentPart
from jupyter_ac.services.settings.info import InfoPart
from jupyter_ac.services.settings.keys import KeysPart
from jupyter_ac.services.settings.models import ModelsPart
from jupyter_ac.services.settings.ports import SettingsPorts
from jupyter_ac.services.settings.reload import ReloadPart
from jupyter_ac.services.settings.snippets import SnippetsPart

NAME: Final = "Settings"


def settings_namespace(ports: SettingsPorts) -> Namespace:
    """Return the methods that a front end has on the settings."""
    return Namespace(
        NAME,
        InfoPart(ports),
        ContentPart(ports),
        ReloadPart(ports),
        ModelsPart(ports),
        KeysPart(ports),
        SnippetsPart(ports.shelf),
    )
