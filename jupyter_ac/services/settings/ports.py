"""The dependencies of the parts of `Settings`."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.editing import Editor, set_value
from jupyter_ac.settings.files import APP, SettingsKind
from jupyter_ac.settings.keyring import Keyring
from jupyter_ac.settings.live import LiveSettings
from jupyter_ac.settings.snippet_store import SnippetStore
from jupyter_ac.workers.wire import ListedModel

Catalogue: TypeAlias = Callable[[], Awaitable[Sequence[ListedModel]]]
"""Gives the models that there are."""


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
        """Describe it."""

    async def keys(self, names: Iterable[str]) -> Mapping[str, str]:
        """Say of each variable that holds a key where that is."""

    async def renew(self) -> None:
        """See whether a file has been changed on disk."""

    async def reload(self, types: Iterable[str]) -> None:
        """Read files of these types and the keyring anew."""


@dataclass(frozen=True, slots=True)
class SettingsPorts:
    """The bundle of it.

    Attributes:
        editor: reads and writes the files.
        live: the settings in force.
        admin: what the administrator allows.
        keyring: where keys may be kept.
        model: which model answers.
        catalogue: gives the models that there are.
        has_demo: tells whether the embedded model is installed.
        shelf: the snippets.
        repo_root: the repository's top folder.
        config_dir: the folder of the user's settings.
    """

    editor: Editor
    live: LiveSettings
    admin: JupyterAC
    keyring: Keyring
    model: ModelInForce
    catalogue: Catalogue
    has_demo: Callable[[], bool]
    shelf: SnippetStore
    repo_root: Path
    config_dir: Path

    async def keep_edits_review(self, on: bool) -> None:
        """Save whether edits wait for the user's word, and put it in force.

        Raises:
            AcError: `app.json` can't be written, or the administrator has locked it.
        """
        await self.editor.save(
            SettingsKind(APP), set_value(SettingsKind(APP), ("edits", "review"), on)
        )
        await self.model.reload((APP,))
