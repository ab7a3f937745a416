"""The context that planners and executors share (seed 004): files, dependencies, free state.

A value with a version, which grows by one with each change. Pure; `shared_context_store` keeps it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from jupyter_ac.errors import InvalidParams, TooLarge

Action: TypeAlias = Literal["add", "remove", "modify"]
ContextType: TypeAlias = Literal["file", "dependency", "state"]
Part: TypeAlias = Mapping[str, object]

MAX_ENTRIES: Final = 1000
"""Of each type."""

MAX_CHARACTERS: Final = 1_000_000
"""Of the whole context as JSON."""

_MAX_NAME: Final = 1000


@dataclass(frozen=True, slots=True)
class SharedContext:
    """The context of one person in one worktree.

    Attributes:
        version: how many changes there were.
        files: content hash (SHA-256, hex) by path, as of when the file was added or modified.
        dependencies: version, or "", by name.
        state: any JSON by key.
    """

    version: int = 0
    files: Part = field(default_factory=dict)
    dependencies: Part = field(default_factory=dict)
    state: Part = field(default_factory=dict)

    def part(self, context_type: ContextType) -> Part:
        """Return the entries of one type."""
        parts: Mapping[ContextType, Part] = {
            "file": self.files,
            "dependency": self.dependencies,
            "state": self.state,
        }
        return parts[context_type]

    def content(self) -> str:
        """Return all but the version, as JSON."""
        parts = {name: self.part(name) for name in _PARTS}
        return json.dumps(parts, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


_PARTS: Final[tuple[ContextType, ...]] = ("file", "dependency", "state")


def read_context(version: int, content: str) -> SharedContext:
    """Return the context that `SharedContext.content` has written.

    Raises:
        ValueError: the text isn't one.
    """
    found = json.loads(content)
    parts = [found.get(name) if isinstance(found, dict) else None for name in _PARTS]
    sound = [part for part in parts if isinstance(part, dict)]
    if len(sound) < len(parts):
        raise ValueError("not a shared context")
    return SharedContext(version, *sound)


@dataclass(frozen=True, slots=True)
class ContextUpdate:
    """A change of a context.

    Attributes:
        action: what is done with the entries.
        context_type: of the entries.
        entries: values by names; of `remove` the names matter alone.
        upsert: `add` replaces what is there, and `modify` adds what is missing.
    """

    action: Action
    context_type: ContextType
    entries: Part
    upsert: bool = False


def entries_of(context_type: ContextType, data: Mapping[str, object]) -> Part:
    """Return the entries that the `data` of a call stands for.

    `{path, hash?}` is a file, `{name, version?}` a dependency; each member of other data is a key
    of the state.

    Raises:
        InvalidParams: a member is missing or has the wrong type.
    """
    if context_type == "file":
        return {_text(data, "path"): _optional_text(data, "hash")}
    if context_type == "dependency":
        return {_text(data, "name"): _optional_text(data, "version")}
    if not data:
        raise InvalidParams("data needs at least one key of the state.", {"path": "$.data"})
    return dict(data)


def updated(context: SharedContext, update: ContextUpdate) -> SharedContext:
    """Return the context after a change; the same object when nothing differs.

    Raises:
        InvalidParams: `add` of what is there, `modify` or `remove` of what isn't.
        TooLarge: there would be too much in it.
    """
    before = context.part(update.context_type)
    for name in update.entries:
        _require(update, name, is_there=name in before)
    if update.action == "remove":
        after = {name: value for name, value in before.items() if name not in update.entries}
    else:
        after = {**before, **update.entries}
    if _is_equal(after, before):
        return context
    changed = _with_part(context, update.context_type, after)
    _require_room(changed, after)
    return changed


def _with_part(context: SharedContext, context_type: ContextType, part: Part) -> SharedContext:
    version = context.version + 1
    if context_type == "file":
        return replace(context, version=version, files=part)
    if context_type == "dependency":
        return replace(context, version=version, dependencies=part)
    return replace(context, version=version, state=part)


def _is_equal(one: Part, other: Part) -> bool:
    """Compare as JSON: in Python, true equals 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _require(update: ContextUpdate, name: str, *, is_there: bool) -> None:
    if not name or len(name) > _MAX_NAME:
        raise InvalidParams(f"data: a name has 1 to {_MAX_NAME} characters.", {"path": "$.data"})
    if update.upsert and update.action != "remove":
        return
    if update.action == "add" and is_there:
        raise InvalidParams(
            f"The {update.context_type} {name[:100]!r} is there already; modify it, or set upsert.",
            {"path": "$.data"},
        )
    if update.action != "add" and not is_there:
        raise InvalidParams(
            f"There is no {update.context_type} {name[:100]!r} in the context; add it first.",
            {"path": "$.data"},
        )


def _require_room(context: SharedContext, part: Part) -> None:
    if len(part) > MAX_ENTRIES:
        raise TooLarge(f"The context has at most {MAX_ENTRIES} entries of a type; remove some.")
    if len(context.content()) > MAX_CHARACTERS:
        raise TooLarge(
            f"The context has at most {MAX_CHARACTERS:,} characters as JSON; remove entries."
        )


def _text(data: Mapping[str, object], name: str) -> str:
    found = data.get(name)
    if not isinstance(found, str) or not found:
        raise InvalidParams(f"data.{name} must be a text.", {"path": f"$.data.{name}"})
    return found


def _optional_text(data: Mapping[str, object], name: str) -> str:
    found = data.get(name)
    if found is not None and not isinstance(found, str):
        raise InvalidParams(f"data.{name} must be a text.", {"path": f"$.data.{name}"})
    return found or ""
