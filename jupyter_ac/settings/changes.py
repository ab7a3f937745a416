"""Classifies changes of settings: those that need consent, and those the administrator forbids."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from jupyter_ac.settings.addresses import (
    MODEL_KEYS,
    address_in_model,
    address_paths,
    shown_address,
)
from jupyter_ac.settings.files import APP, LITELLM, SettingsKind
from jupyter_ac.settings.masks import shows_variable
from jupyter_ac.settings.scan import Path
from jupyter_ac.workers.redaction import plain_address

Values = Mapping[str, object]

_ALIASES: Final = {"smaller_model": "smallerModel"}


def sensitive_changes(kind: SettingsKind, before: Values, after: Values) -> list[str]:
    """Describe changes that redirect keys or questions, or may run something, a sentence each.

    Args:
        kind: type of settings.
        before: values on disk; empty if the file is invalid.
        after: the new values.
    """
    if kind.type == APP:
        return _about_panels(before, after)
    if kind.type != LITELLM:
        return []
    return [
        *_about_address(before, after),
        *_about_models(before, after),
        *_about_variables(before, after),
    ]


def _about_panels(before: Values, after: Values) -> list[str]:
    """Describe new commands of panels; they run when a page shows the panel."""
    known = _panel_commands(before)
    return [
        f"The panel {name!r} runs {shlex.join(map(str, command))}."
        for name, command in _panel_commands(after).items()
        if known.get(name) != command
    ]


def _panel_commands(values: Values) -> dict[str, list[object]]:
    match values:
        case {"panels": {"commands": dict(commands)}}:
            rows = {str(name): row for name, row in commands.items() if isinstance(row, dict)}
        case _:
            return {}
    found = {name: row.get("command") for name, row in rows.items()}
    return {name: command for name, command in found.items() if isinstance(command, list)}


def locked_changes(
    kind: SettingsKind, locked: Sequence[str], before: Values, after: Values
) -> list[str]:
    """Return the changed settings that the administrator has locked.

    Args:
        kind: type of settings.
        locked: `type` or `type.key`, nested keys after further dots.
        before: values on disk.
        after: the new values.
    """
    if kind.type in locked and before != after:
        return [kind.type]
    return [
        f"{kind.type}.{'.'.join(map(str, path))}"
        for path in _all_locked(kind, locked, before, after)
        if _at(before, path) != _at(after, path)
    ]


def locked_paths(kind: SettingsKind, locked: Sequence[str]) -> list[Path]:
    """Return the locked paths in a file; the empty path means the whole file."""
    head = f"{kind.type}."
    paths: list[Path] = [()] if kind.type in locked else []
    for name in locked:
        if name.startswith(head):
            first, *rest = name[len(head) :].split(".")
            paths += [(key, *rest) for key in (first, _ALIASES.get(first)) if key]
    return paths


def _all_locked(kind: SettingsKind, locked: Sequence[str], *all_values: Values) -> list[Path]:
    """Return the locked paths; with `api_base` locked also all that contain an address."""
    paths = locked_paths(kind, locked)
    if ("api_base",) in paths:
        paths += [path for values in all_values for path in address_paths(values)]
    return list(dict.fromkeys(paths))


def unlocked(kind: SettingsKind, locked: Sequence[str], values: Values) -> Values:
    """Return the values that are not locked; all of them if the whole file is locked."""
    free = dict(values)
    for path in locked_paths(kind, locked):
        if path:
            free = _pruned(free, path)
    return free


def without_locked(
    kind: SettingsKind, locked: Sequence[str], values: Values
) -> tuple[Values, list[str]]:
    """Return the values that are not locked, and the names of those left out."""
    free = dict(values)
    left: list[str] = []
    for path in _all_locked(kind, locked, values):
        if _at(values, path) in (None, {}):
            continue
        left.append(".".join([kind.type, *map(str, path)]))
        free = _pruned(free, path)
    return free, left


def with_value(values: Values, path: Path, value: object) -> str:
    """Return the JSON text with one value changed; None removes it."""
    changed = _pruned(values, path) if value is None else _with(values, path, value)
    return json.dumps(changed, indent=2, ensure_ascii=False) + "\n"


def _about_address(before: Values, after: Values) -> Iterator[str]:
    old, new = before.get("api_base"), after.get("api_base")
    if old == new or not (old or new):
        return
    if new:
        yield f"api_base: questions and the key go to {plain_address(str(new)) or 'this address'}."
    else:
        yield "api_base: questions and the key go to the provider's own address."


def _about_models(before: Values, after: Values) -> Iterator[str]:
    """Yield sentences about models whose name contains an address, or no longer does."""
    for key in MODEL_KEYS:
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        if address := address_in_model(str(new or "")):
            place = shown_address(address) or "the address in its name"
            yield f"{key}: questions and the key go to {place}."
        elif address_in_model(str(old or "")):
            yield f"{key}: questions and the key no longer go to the address in its name."


def _about_variables(before: Values, after: Values) -> Iterator[str]:
    old, new = _variables(before), _variables(after)
    for name in dict.fromkeys((*old, *new)):
        shown = name[:64]
        if name not in new:
            yield f"env: {shown} is removed."
        elif name not in old or old[name] != new[name]:
            done = "changed" if name in old else "added"
            value = plain_address(new[name]) if shows_variable(name, new[name]) else ""
            yield f"env: {shown} is {done}{f': {value}' if value else ''}."


def _variables(values: Values) -> Mapping[str, str]:
    env = values.get("env")
    return {name: str(value) for name, value in env.items()} if isinstance(env, Mapping) else {}


def _at(values: object, path: Path) -> object:
    for key in path:
        values = values.get(key) if isinstance(values, Mapping) else None
    return values


def _pruned(values: Values, path: Path) -> dict[str, object]:
    if not path:
        return {}
    key, rest = str(path[0]), path[1:]
    copied = dict(values)
    inner = copied.get(key)
    if rest and isinstance(inner, Mapping):
        copied[key] = _pruned(inner, rest)
    else:
        copied.pop(key, None)
    return copied


def _with(values: Values, path: Path, value: object) -> dict[str, object]:
    key, rest = str(path[0]), path[1:]
    inner = values.get(key)
    below: object = value
    if rest:
        below = _with(inner if isinstance(inner, Mapping) else {}, rest, value)
    return {**values, key: below}
