"""The types of settings files in the configuration directory, and how to parse each."""

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
"""Type of the system prompt by mode; `system_extra` is added to each."""

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
"""Type as on the wire → name of the file."""

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
        """Whether it has values; the others are prompts."""
        return self.type in _READERS

    @property
    def is_secret(self) -> bool:
        """Whether its file holds keys."""
        return self.type == LITELLM

    @property
    def mode(self) -> int:
        """Permissions of a new file."""
        return _SECRET_MODE if self.is_secret else _PLAIN_MODE

    def read(self, config_dir: Path) -> str:
        """Return the text of its file; "" if there is none.

        Raises:
            BrokenSettings: the file can't be read, or isn't text.
        """
        return decode(self.file, read_bytes(config_dir / self.file))

    def check(self, text: str) -> SettingsText:
        """Parse and validate a text.

        Raises:
            BrokenSettings: it is invalid; the message names the line and the key.
        """
        try:
            require_short(self.file, text.encode())
        except UnicodeEncodeError as error:
            line = text.count("\n", 0, error.start) + 1
            raise BrokenSettings(self.file, "half of a character; remove it.", line) from error
        if not self.is_json:
            return SettingsText(self.file, text, {"text": text})
        source = parse(self.file, text)
        _READERS[self.type](source)
        return source


def kind_of(name: str) -> SettingsKind | None:
    """Return the type with this name; None if there is none."""
    return SettingsKind(name) if name in FILES else None
