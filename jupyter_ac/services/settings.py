"""The `Settings` namespace: what a front end may know of the configuration."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypedDict
from urllib.parse import urlsplit

from jupyter_ac.rpc.methods import Access, Namespace, method

NAME: Final = "Settings"


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """The model in use, without its secrets.

    Attributes:
        model: its name; "" when none is chosen.
        source: where the choice comes from, in words.
        smaller_model: the model for side tasks; "" when none is chosen.
        api_base: the provider's address, when it isn't the usual one.
    """

    model: str
    source: str
    smaller_model: str = ""
    api_base: str | None = None


class ConfigInfo(TypedDict):
    """What a front end may know of the configuration.

    Attributes:
        model: "" when none is chosen.
        smaller_model: the model for side tasks; "" when none is chosen.
        source: where the choice of the model comes from, in words.
        api_base: the provider's address without secrets, when it isn't the usual one.
        config_dir: the folder of the user's settings, absolute.
        repo_root: the repository's top folder, absolute.
    """

    model: str
    smaller_model: str
    source: str
    api_base: str | None
    config_dir: str
    repo_root: str


class InfoPart:
    """`Settings.get_config_info`."""

    def __init__(
        self, current_model: Callable[[], ModelSummary], config_dir: Path, repo_root: Path
    ) -> None:
        self._current_model = current_model
        self._config_dir = config_dir
        self._repo_root = repo_root

    @method(Access.READ)
    def get_config_info(self) -> ConfigInfo:
        """Return the model in use, where its choice comes from, and where the settings are."""
        current = self._current_model()
        return {
            "model": current.model,
            "smaller_model": current.smaller_model,
            "source": current.source,
            "api_base": None if current.api_base is None else without_secrets(current.api_base),
            "config_dir": str(self._config_dir),
            "repo_root": str(self._repo_root),
        }


def settings_namespace(
    current_model: Callable[[], ModelSummary], config_dir: Path, repo_root: Path
) -> Namespace:
    """Return the methods that a front end has on the settings.

    Args:
        current_model: asked at each call; must be quick.
        config_dir: the folder of the user's settings, shown to the user.
        repo_root: the repository's top folder, shown to the user.
    """
    return Namespace(NAME, InfoPart(current_model, config_dir, repo_root))


def without_secrets(address: str) -> str:
    """Return a URL without user, password, query and fragment, any of which may hold a key."""
    try:
        parts = urlsplit(address)
        port = "" if parts.port is None else f":{parts.port}"
        host = parts.hostname or ""
    except ValueError:
        return ""
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{port}{parts.path}" if host else ""
