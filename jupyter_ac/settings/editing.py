"""Edits the user's settings files: validated, within the administrator's limits, with consent."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from jupyter_ac.errors import AccessDenied, Conflict
from jupyter_ac.settings.addresses import MODEL_KEYS
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.app import AppSettings
from jupyter_ac.settings.changes import locked_changes, sensitive_changes, unlocked, with_value
from jupyter_ac.settings.disk import remove, restrict_permissions, write, write_lock
from jupyter_ac.settings.files import APP, FILES, LITELLM, SNIPPETS, SettingsKind
from jupyter_ac.settings.llm import LlmSettings, written_llm
from jupyter_ac.settings.masks import hide, unhide
from jupyter_ac.settings.scan import Path as Keys
from jupyter_ac.settings.schema import BrokenSettings, SettingsText, require_short
from jupyter_ac.settings.snippets import bundled_text

BundledPrompt: TypeAlias = Callable[[str], str]
"""Returns the bundled text of a prompt type; "" if there is none."""


def default_text(kind: SettingsKind, locked: Sequence[str], bundled_prompt: BundledPrompt) -> str:
    """Return the text of a file that changes nothing.

    Args:
        kind: type of settings.
        locked: settings that the administrator has locked, as `type` or `type.key`; locked single
            values are left out, since a file can't set them.
        bundled_prompt: returns the bundled prompts.
    """
    if not kind.is_json:
        text = bundled_prompt(kind.type)
        return f"{text}\n" if text else ""
    values = unlocked(kind, locked, _VALUES[kind.type]())
    return json.dumps(values, indent=2, ensure_ascii=False) + "\n"


def is_default(kind: SettingsKind, text: str, default: str) -> bool:
    """Return whether a text is empty or equivalent to the default text."""
    if not text.strip():
        return True
    if not kind.is_json:
        return text.strip().replace("\r\n", "\n") == default.strip()
    try:
        return kind.check(text).values == kind.check(default).values
    except BrokenSettings:
        return False


def _snippets() -> Mapping[str, object]:
    return SettingsKind(SNIPPETS).check(bundled_text()).values


_VALUES: Final[Mapping[str, Callable[[], Mapping[str, object]]]] = {
    LITELLM: lambda: written_llm(LlmSettings()),
    APP: lambda: asdict(AppSettings()),
    SNIPPETS: _snippets,
}


Edit = Callable[[str], str]
"""Creates the new text from the text on disk."""


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """A validated change that has not been written.

    Attributes:
        text: new content of the file; "" means that the file isn't needed; contains keys.
        changes: sentences that the user must confirm first.
        is_new: whether it differs from the present content.
    """

    text: str = field(repr=False)
    changes: Sequence[str]
    is_new: bool


class Editor:
    """Reads and writes the files in the configuration directory.

    Args:
        config_dir: the directory; created when something is written.
        admin: the administrator's limits.
        bundled_prompt: returns the bundled prompts, used if the user has none.
    """

    def __init__(
        self, config_dir: Path, admin: JupyterAC, bundled_prompt: BundledPrompt = lambda _name: ""
    ) -> None:
        self._config_dir = config_dir
        self._admin = admin
        self._bundled_prompt = bundled_prompt

    async def masked_text(self, kind: SettingsKind) -> str:
        """Return a file's text with masked secrets; the default text if there is no file.

        Raises:
            BrokenSettings: it can't be read.
        """
        return await asyncio.to_thread(self._masked_text, kind)

    async def unwritten(self) -> list[str]:
        """Return the types whose files are missing or empty."""
        return await asyncio.to_thread(lambda: [name for name in FILES if self._is_unwritten(name)])

    async def propose(self, kind: SettingsKind, edit: Edit) -> ProposedChange:
        """Validate a change without writing it.

        Raises:
            BrokenSettings: the new text is invalid; the message names line and reason.
            AccessDenied: the administrator forbids it.
        """
        return await asyncio.to_thread(self._propose, kind, edit)

    async def save(
        self, kind: SettingsKind, edit: Edit, *, agreed: Sequence[str] = ()
    ) -> ProposedChange:
        """Write a change.

        Args:
            kind: type of settings.
            edit: creates the new text.
            agreed: the confirmed sentences.

        Raises:
            Conflict: it would now have effects that were not confirmed.
            AcError: as `propose`, or the file can't be written.
        """
        async with write_lock(self._config_dir):
            return await asyncio.to_thread(self._save, kind, edit, agreed)

    def _masked_text(self, kind: SettingsKind) -> str:
        stored = kind.read(self._config_dir)
        return hide(kind, stored) if stored.strip() else self._default(kind)

    def _is_unwritten(self, name: str) -> bool:
        try:
            return not SettingsKind(name).read(self._config_dir).strip()
        except BrokenSettings:
            return False

    def _default(self, kind: SettingsKind) -> str:
        return default_text(kind, self._admin.locked_settings, self._bundled_prompt)

    def _propose(self, kind: SettingsKind, edit: Edit) -> ProposedChange:
        stored = kind.read(self._config_dir)
        text = edit(stored)
        if is_default(kind, text, self._default(kind)):
            text = ""
        after = kind.check(text)
        before = _values(kind, stored)
        locked = locked_changes(kind, self._admin.locked_settings, before, after.values)
        if locked:
            names = ", ".join(locked)
            raise AccessDenied(f"The administrator has locked {names}; you can't change it.")
        self._require_allowed(kind, after)
        return ProposedChange(text, sensitive_changes(kind, before, after.values), text != stored)

    def _save(self, kind: SettingsKind, edit: Edit, agreed: Sequence[str]) -> ProposedChange:
        proposed = self._propose(kind, edit)
        if not set(proposed.changes) <= set(agreed):
            raise Conflict(f"{kind.file} has been changed meanwhile; check it again.")
        if not proposed.text:
            remove(self._config_dir, kind)
        elif proposed.is_new:
            write(self._config_dir, kind, proposed.text)
        else:
            restrict_permissions(self._config_dir, kind)
        return proposed

    def _require_allowed(self, kind: SettingsKind, source: SettingsText) -> None:
        if kind.type != LITELLM:
            return
        for key in MODEL_KEYS:
            name = source.values.get(key)
            refusal = self._admin.model_allowed(str(name)) if name else None
            if refusal is not None:
                raise AccessDenied(refusal)


def replace_text(kind: SettingsKind, content: str) -> Edit:
    """Return an edit that replaces the whole text with one from a front end."""
    plain = content.removeprefix("\ufeff")

    def edit(stored: str) -> str:
        # Checked before `unhide`, which takes seconds for an endless text.
        require_short(kind.file, plain.encode(errors="surrogatepass"))
        return unhide(kind, plain, stored)

    return edit


def set_value(kind: SettingsKind, keys: Keys, value: object) -> Edit:
    """Return an edit that sets one value, or removes it if it is None."""

    def edit(stored: str) -> str:
        values = kind.check(stored).values
        known: object = values
        for key in keys:
            known = known.get(str(key)) if isinstance(known, dict) else None
        return stored if known == value else with_value(values, keys, value)

    return edit


def _values(kind: SettingsKind, stored: str) -> dict[str, object]:
    """Parse a stored text; an invalid one has no values."""
    try:
        return dict(kind.check(stored).values)
    except BrokenSettings:
        return {}
