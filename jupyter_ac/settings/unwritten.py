"""What holds while a file of settings isn't written, as the text that the file would have."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Final, TypeAlias

from jupyter_ac.settings.app import AppSettings
from jupyter_ac.settings.changes import unlocked
from jupyter_ac.settings.files import APP, LITELLM, SNIPPETS, SettingsKind
from jupyter_ac.settings.llm import LlmSettings, written_llm
from jupyter_ac.settings.schema import BrokenSettings
from jupyter_ac.settings.snippets import bundled_text

OwnPrompt: TypeAlias = Callable[[str], str]
"""Gives our text of a type that holds a prompt; "" where we have none."""


def default_text(kind: SettingsKind, locked: Sequence[str], own_prompt: OwnPrompt) -> str:
    """Return the text of a file that changes nothing.

    Args:
        kind: of settings.
        locked: what the administrator has locked, as `type` or `type.key`; single values that are
            locked are left out, since a file can't set them.
        own_prompt: gives our prompts.
    """
    if not kind.is_json:
        text = own_prompt(kind.type)
        return f"{text}\n" if text else ""
    said = unlocked(kind, locked, _VALUES[kind.type]())
    return json.dumps(said, indent=2, ensure_ascii=False) + "\n"


def is_default(kind: SettingsKind, text: str, default: str) -> bool:
    """Whether a text says no more than the default one, or nothing."""
    if not text.strip():
        return True
    if not kind.is_json:
        return text.strip().replace("\r\n", "\n") == default.strip()
    try:
        return kind.check(text).said == kind.check(default).said
    except BrokenSettings:
        return False


def _snippets() -> Mapping[str, object]:
    return SettingsKind(SNIPPETS).check(bundled_text()).said


_VALUES: Final[Mapping[str, Callable[[], Mapping[str, object]]]] = {
    LITELLM: lambda: written_llm(LlmSettings()),
    APP: lambda: asdict(AppSettings()),
    SNIPPETS: _snippets,
}
