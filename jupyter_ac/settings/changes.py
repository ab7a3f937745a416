"""What a change of the settings means: what must be asked first, what is not the user's to do."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from jupyter_ac.settings.addresses import (
    MODEL_KEYS,
    address_in_model,
    address_paths,
    shown_address,
)
from jupyter_ac.settings.files import LITELLM, SettingsKind
from jupyter_ac.settings.masks import shows_variable
from jupyter_ac.settings.scan import Path
from jupyter_ac.workers.masking import plain_address

Said = Mapping[str, object]

_ALIASES: Final = {"smaller_model": "smallerModel"}


def sensitive_changes(kind: SettingsKind, before: Said, after: Said) -> list[str]:
    """Say in a sentence each what sends keys or questions elsewhere, or may run something.

    Args:
        kind: of settings.
        before: what stands on disk; empty when that is broken.
        after: what is to stand there.
    """
    if kind.type != LITELLM:
        return []
    return [
        *_about_address(before, after),
        *_about_models(before, after),
        *_about_variables(before, after),
    ]


def locked_changes(
    kind: SettingsKind, locked: Sequence[str], before: Said, after: Said
) -> list[str]:
    """Name the settings that change although the administrator has locked them.

    Args:
        kind: of settings.
        locked: `type` or `type.key`, deeper keys behind further dots.
        before: what stands on disk.
        after: what is to stand there.
    """
    if kind.type in locked and before != after:
        return [kind.type]
    return [
        f"{kind.type}.{'.'.join(map(str, path))}"
        for path in _all_locked(kind, locked, before, after)
        if _at(before, path) != _at(after, path)
    ]


def locked_paths(kind: SettingsKind, locked: Sequence[str]) -> list[Path]:
    """Return the places in a file that are locked; the empty path is the whole file."""
    head = f"{kind.type}."
    paths: list[Path] = [()] if kind.type in locked else []
    for name in locked:
        if name.startswith(head):
            first, *rest = name[len(head) :].split(".")
            paths += [(key, *rest) for key in (first, _ALIASES.get(first)) if key]
    return paths


def _all_locked(kind: SettingsKind, locked: Sequence[str], *saids: Said) -> list[Path]:
    """Return the places that are locked, those included that name an address while that is."""
    paths = locked_paths(kind, locked)
    if ("api_base",) in paths:
        paths += [path for said in saids for path in address_paths(said)]
    return list(dict.fromkeys(paths))


def unlocked(kind: SettingsKind, locked: Sequence[str], said: Said) -> Said:
    """Return what a file says beside what is locked; all of it where the whole file is."""
    kept = dict(said)
    for path in locked_paths(kind, locked):
        if path:
            kept = _pruned(kept, path)
    return kept


def without_locked(kind: SettingsKind, locked: Sequence[str], said: Said) -> tuple[Said, list[str]]:
    """Return what a file says beside what is locked, and the names of what was left out."""
    kept = dict(said)
    left: list[str] = []
    for path in _all_locked(kind, locked, said):
        if _at(said, path) in (None, {}):
            continue
        left.append(".".join([kind.type, *map(str, path)]))
        kept = _pruned(kept, path)
    return kept, left


def put(said: Said, path: Path, value: object) -> str:
    """Return the text of a file in which one value is another one; None takes it out."""
    changed = _pruned(said, path) if value is None else _with(said, path, value)
    return json.dumps(changed, indent=2, ensure_ascii=False) + "\n"


def _about_address(before: Said, after: Said) -> Iterator[str]:
    old, new = before.get("api_base"), after.get("api_base")
    if old == new or not (old or new):
        return
    if new:
        yield f"api_base: questions and the key go to {plain_address(str(new)) or 'this address'}."
    else:
        yield "api_base: questions and the key go to the provider's own address."


def _about_models(before: Said, after: Said) -> Iterator[str]:
    """A model that names an address, or no longer does so."""
    for key in MODEL_KEYS:
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        if address := address_in_model(str(new or "")):
            place = shown_address(address) or "the address in its name"
            yield f"{key}: questions and the key go to {place}."
        elif address_in_model(str(old or "")):
            yield f"{key}: questions and the key no longer go to the address in its name."


def _about_variables(before: Said, after: Said) -> Iterator[str]:
    old, new = _variables(before), _variables(after)
    for name in dict.fromkeys((*old, *new)):
        shown = name[:64]
        if name not in new:
            yield f"env: {shown} is removed."
        elif name not in old or old[name] != new[name]:
            done = "changed" if name in old else "added"
            value = plain_address(new[name]) if shows_variable(name, new[name]) else ""
            yield f"env: {shown} is {done}{f': {value}' if value else ''}."


def _variables(said: Said) -> Mapping[str, str]:
    env = said.get("env")
    return {name: str(value) for name, value in env.items()} if isinstance(env, Mapping) else {}


def _at(said: object, path: Path) -> object:
    for key in path:
        said = said.get(key) if isinstance(said, Mapping) else None
    return said


def _pruned(said: Said, path: Path) -> dict[str, object]:
    if not path:
        return {}
    key, rest = str(path[0]), path[1:]
    kept = dict(said)
    inner = kept.get(key)
    if rest and isinstance(inner, Mapping):
        kept[key] = _pruned(inner, rest)
    else:
        kept.pop(key, None)
    return kept


def _with(said: Said, path: Path, value: object) -> dict[str, object]:
    key, rest = str(path[0]), path[1:]
    inner = said.get(key)
    below: object = value
    if rest:
        below = _with(inner if isinstance(inner, Mapping) else {}, rest, value)
    return {**said, key: below}
