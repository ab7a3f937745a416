"""The dependencies of the parts of `Settings`."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from jupyter_ac.models.endpoints import Models
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.editing import Editor, set_value
from jupyter_ac.settings.files import APP, SettingsKind
from jupyter_ac.settings.keyring import Keyring
from jupyter_ac.settings.live import LiveSettings
from jupyter_ac.settings.snippet_store import SnippetStore
from jupyter_ac.workers.wire import ListedModel

Catalogue: TypeAlias = Callable[[], Awaitable[Sequence[ListedModel]]]
"""Returns the available models."""


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """The model in use, without its secrets.

    Attributes:
        model: its name; "" when none is chosen.
        source: where the choice comes from, in words.
        smaller_model: the model for side tasks; "" when none is chosen.
        api_base: the provider's address, when it isn't the usual one.
        demo: whether it is too small to be useful.
        message: why there is none; "" when there is one.
    """

    model: str
    source: str
    smaller_model: str = ""
    api_base: str | None = None
    demo: bool = False
    message: str = ""


class ModelInForce(Protocol):
    """The workspace's model; `jupyter_ac.hosts.live_model.LiveModel` is one."""

    def summary(self) -> ModelSummary:
        """Describe the model."""

    async def keys(self, names: Iterable[str]) -> Mapping[str, str]:
        """Return for each key variable the place where its key is stored."""

    async def renew(self) -> None:
        """Reload files that were changed on disk."""

    async def reload(self, types: Iterable[str]) -> None:
        """Reload files of these types and the keyring."""


@dataclass(frozen=True, slots=True)
class SettingsPorts:
    """The dependencies of the parts of `Settings`.

    Attributes:
        editor: reads and writes the files.
        live: the settings in force.
        admin: what the administrator allows.
        keyring: a possible store of keys.
        model: the workspace's model.
        catalogue: returns the available models.
        endpoints: sends trial requests.
        variables: returns those for the model's provider; holds keys.
        has_demo: returns whether the embedded model is installed.
        snippets: of both modes.
        repo_root: the repository's top folder.
        config_dir: the folder of the user's settings.
    """

    editor: Editor
    live: LiveSettings
    admin: JupyterAC
    keyring: Keyring
    model: ModelInForce
    catalogue: Catalogue
    endpoints: Models
    variables: Callable[[], Mapping[str, str]]
    has_demo: Callable[[], bool]
    snippets: SnippetStore
    repo_root: Path
    config_dir: Path

    async def keep_edits_review(self, on: bool) -> None:
        """Save whether edits wait for the user's decision, and apply the setting.

        Raises:
            AcError: `app.json` can't be written, or the administrator has locked it.
        """
        await self._keep(("edits", "review"), on=on)

    async def hide_example(self) -> None:
        """Save that the recorded example isn't offered; raises as `keep_edits_review`."""
        await self._keep(("example", "offered"), on=False)

    async def _keep(self, place: tuple[str, str], *, on: bool) -> None:
        await self.editor.save(SettingsKind(APP), set_value(SettingsKind(APP), place, on))
        await self.model.reload((APP,))
