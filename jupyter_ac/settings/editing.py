"""Changing the user's files: checked, within what the administrator allows, with consent."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_ac.errors import AccessDenied, Conflict
from jupyter_ac.settings.addresses import MODEL_KEYS
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.changes import locked_changes, put, sensitive_changes
from jupyter_ac.settings.disk import close_to_others, remove, write, writing
from jupyter_ac.settings.files import FILES, LITELLM, SettingsKind
from jupyter_ac.settings.masks import hide, unhide
from jupyter_ac.settings.scan import Path as Keys
from jupyter_ac.settings.schema import BrokenSettings, SettingsText, require_short
from jupyter_ac.settings.unwritten import OwnPrompt, default_text, is_default

Edit = Callable[[str], str]
"""Makes the new text out of the one that stands on disk."""


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """A change that could be made.

    Attributes:
        text: what would stand in the file, which isn't needed when it is ""; holds keys.
        changes: what must be confirmed first, in sentences.
        is_new: whether it differs from what stands there.
    """

    text: str = field(repr=False)
    changes: Sequence[str]
    is_new: bool


class Editor:
    """Reads and writes the files in the configuration directory.

    Args:
        config_dir: the directory; made when something is written.
        admin: what the administrator allows.
        own_prompt: gives our prompts, which hold where the user has none.
    """

    def __init__(
        self, config_dir: Path, admin: JupyterAC, own_prompt: OwnPrompt = lambda _name: ""
    ) -> None:
        self._config_dir = config_dir
        self._admin = admin
        self._own_prompt = own_prompt

    async def shown(self, kind: SettingsKind) -> str:
        """Return a file's text with its secrets hidden; the default one where nothing is written.

        Raises:
            BrokenSettings: it can't be read.
        """
        return await asyncio.to_thread(self._shown, kind)

    async def unwritten(self) -> list[str]:
        """Return the types whose files aren't there, or are empty."""
        return await asyncio.to_thread(lambda: [name for name in FILES if self._is_unwritten(name)])

    async def draft(self, kind: SettingsKind, edit: Edit) -> ProposedChange:
        """Work a change out without making it.

        Raises:
            BrokenSettings: the new text can't be used; names line and reason.
            AccessDenied: the administrator doesn't let it be.
        """
        return await asyncio.to_thread(self._draft, kind, edit)

    async def save(
        self, kind: SettingsKind, edit: Edit, *, agreed: Sequence[str] = ()
    ) -> ProposedChange:
        """Make a change.

        Args:
            kind: of settings.
            edit: makes the new text.
            agreed: the sentences that were confirmed.

        Raises:
            Conflict: by now it would do something that was not confirmed.
            AcError: as `draft`, or the file can't be written.
        """
        async with writing(self._config_dir):
            return await asyncio.to_thread(self._save, kind, edit, agreed)

    def _shown(self, kind: SettingsKind) -> str:
        stored = kind.read(self._config_dir)
        return hide(kind, stored) if stored.strip() else self._default(kind)

    def _is_unwritten(self, name: str) -> bool:
        try:
            return not SettingsKind(name).read(self._config_dir).strip()
        except BrokenSettings:
            return False

    def _default(self, kind: SettingsKind) -> str:
        return default_text(kind, self._admin.locked_settings, self._own_prompt)

    def _draft(self, kind: SettingsKind, edit: Edit) -> ProposedChange:
        stored = kind.read(self._config_dir)
        text = edit(stored)
        if is_default(kind, text, self._default(kind)):
            text = ""
        after = kind.check(text)
        before = _said(kind, stored)
        locked = locked_changes(kind, self._admin.locked_settings, before, after.said)
        if locked:
            names = ", ".join(locked)
            raise AccessDenied(f"The administrator has locked {names}; it can't be changed here.")
        self._require_allowed(kind, after)
        return ProposedChange(text, sensitive_changes(kind, before, after.said), text != stored)

    def _save(self, kind: SettingsKind, edit: Edit, agreed: Sequence[str]) -> ProposedChange:
        draft = self._draft(kind, edit)
        if not set(draft.changes) <= set(agreed):
            raise Conflict(f"{kind.file} has been changed meanwhile; look at it again.")
        if not draft.text:
            remove(self._config_dir, kind)
        elif draft.is_new:
            write(self._config_dir, kind, draft.text)
        else:
            close_to_others(self._config_dir, kind)
        return draft

    def _require_allowed(self, kind: SettingsKind, source: SettingsText) -> None:
        if kind.type != LITELLM:
            return
        for key in MODEL_KEYS:
            name = source.said.get(key)
            refusal = self._admin.model_allowed(str(name)) if name else None
            if refusal is not None:
                raise AccessDenied(refusal)


def replacing(kind: SettingsKind, content: str) -> Edit:
    """Return the edit that puts a text from a front end in place of what is there."""
    plain = content.removeprefix("\ufeff")

    def edit(stored: str) -> str:
        # Before it is looked through, which takes seconds when it is endless.
        require_short(kind.file, plain.encode(errors="surrogatepass"))
        return unhide(kind, plain, stored)

    return edit


def putting(kind: SettingsKind, keys: Keys, value: object) -> Edit:
    """Return the edit that sets one value, or takes it out when it is None."""

    def edit(stored: str) -> str:
        said = kind.check(stored).said
        known: object = said
        for key in keys:
            known = known.get(str(key)) if isinstance(known, dict) else None
        return stored if known == value else put(said, keys, value)

    return edit


def _said(kind: SettingsKind, stored: str) -> dict[str, object]:
    """Return what a stored text says; a broken one says nothing."""
    try:
        return dict(kind.check(stored).said)
    except BrokenSettings:
        return {}
