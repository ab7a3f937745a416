"""The user's files in the configuration directory: which there are, and what may stand in each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.settings.app import read_app
from jupyter_ac.settings.llm import read_llm
from jupyter_ac.settings.schema import (
    BrokenSettings,
    SettingsText,
    decode,
    parse,
    read_bytes,
    require_short,
)
from jupyter_ac.settings.snippets import Mode, read_snippets

LITELLM: Final = "litellm"
APP: Final = "app"
SNIPPETS: Final = "snippets"
SYSTEM: Final = "system"
SYSTEM_PROMPTS: Final[Mapping[Mode, str]] = {
    "code": SYSTEM,
    "review": "review",
    "doc": "system_doc",
}
"""The type of the system prompt, by what is being done; `system_extra` is added to each."""

SYSTEM_EXTRA: Final = "system_extra"
COMPACTION: Final = "compaction"
COMMIT: Final = "commit"

FILES: Final[Mapping[str, str]] = {
    LITELLM: "llm.json",
    APP: "app.json",
    SNIPPETS: "snippets.json",
    SYSTEM: "system.md",
    SYSTEM_EXTRA: "system_extra.md",
    "system_doc": "system_doc.md",
    COMPACTION: "compaction.md",
    "review": "review.md",
    COMMIT: "commit.md",
}
"""Type, as it is called on the wire → name of the file."""

_SECRET_MODE: Final = 0o600
_PLAIN_MODE: Final = 0o644

_READERS: Final[Mapping[str, Callable[[SettingsText], object]]] = {
    LITELLM: read_llm,
    APP: read_app,
    SNIPPETS: read_snippets,
}


@dataclass(frozen=True, slots=True)
class SettingsKind:
    """One type of settings.

    Attributes:
        type: its name on the wire.
    """

    type: str

    @property
    def file(self) -> str:
        """The name of its file."""
        return FILES[self.type]

    @property
    def is_json(self) -> bool:
        """Whether it holds values; the others hold a prompt."""
        return self.type in _READERS

    @property
    def is_secret(self) -> bool:
        """Whether its file holds keys."""
        return self.type == LITELLM

    @property
    def mode(self) -> int:
        """The permissions that a new file gets."""
        return _SECRET_MODE if self.is_secret else _PLAIN_MODE

    def read(self, config_dir: Path) -> str:
        """Return the text in its file; "" when there is none.

        Raises:
            BrokenSettings: the file can't be read, or isn't text.
        """
        return decode(self.file, read_bytes(config_dir / self.file))

    def check(self, text: str) -> SettingsText:
        """Return what a text says.

        Raises:
            BrokenSettings: it can't be used; the message names the line and the key.
        """
        try:
            require_short(self.file, text.encode())
        except UnicodeEncodeError as error:
            line = text.count("\n", 0, error.start) + 1
            raise BrokenSettings(self.file, "a character that no file can hold.", line) from error
        if not self.is_json:
            return SettingsText(self.file, text, {"text": text})
        source = parse(self.file, text)
        _READERS[self.type](source)
        return source


def kind_of(name: str) -> SettingsKind | None:
    """Return the type of this name, or None when there is none."""
    return SettingsKind(name) if name in FILES else None
