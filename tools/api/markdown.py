"""The page for readers: the guide, with its tables filled in."""

import inspect
import json
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError, ConnectionClosed, RemoteError
from jupyter_ac.hosts import workspace
from jupyter_ac.hosts.sockets import codes
from tools.api.schema_files import FOLDER, event_name
from tools.api.shapes import Shape, is_object
from tools.api.surface import Entry, Parameter
from tools.api.typescript import READ_ONLY, notation

GUIDE: Final = Path(__file__).with_name("guide.md")

REMEDIES: Final[Mapping[str, str]] = {
    "parse_error": "send one JSON value in each text frame",
    "invalid_request": "send `jsonrpc`, `method` and, for an answer, `id`",
    "method_not_found": "the server may be older: compare its version with yours",
    "invalid_params": "the message names the argument and what it must be, `data.path` its place",
    "internal": "the server's log has the rest; report it",
    "access_denied": "ask whoever runs the server",
    "cancelled": "nothing to do",
    "timeout": "try again, or ask for less",
    "invalid_state": "bring the target into one of `data.required_states` first",
    "stale_epoch": "read the state, then call with its epoch",
    "rate_limited": "wait `data.retry_after_ms`, then call again",
    "signature": "sign the message with the host's key and the present time",
    "not_ready": "wait for `startupProgress`, or set what the message names",
    "busy": "stop the other one or wait",
    "not_found": "list again: it may have gone",
    "not_connected": "connect to the page again; `Browser.targets` lists them",
    "browser": "the message has the browser's own words",
    "panel": "change the code of the panel as the message says",
    "exists": "take another name",
    "refused_path": "name a file of the repository, relative to its top folder",
    "binary": "leave the file out",
    "too_large": "the message names the limit",
    "git": "the message has git's own words",
    "conflict": "read again, then repeat",
    "unsupported": "nothing to do here",
    "provider_auth": "set the provider's key, or choose another model",
    "provider_rate_limit": "wait `data.retry_after` seconds when it is there",
    "provider_context": "take files away, begin a new session or choose another model",
    "provider_unavailable": "try again later",
    "provider_bad_request": "check the model's name",
}
_CLOSE_CODES: Final = (
    (workspace.GOING_AWAY, "the server is stopping", "connect again, with growing pauses"),
    (1009, "a frame was too large", "send less at once"),
    (codes.FAILED, "the server failed", "its log says why; do not hurry back"),
    (codes.RESTARTING, "the server is starting or stopping", "connect again"),
    (1013, "you read too slowly, or the server is overloaded", "connect again later"),
    (codes.NOT_ALLOWED, "the server's authorizer says no", "log in as somebody else; stop"),
    (
        codes.REPOSITORY_NOT_ALLOWED,
        "the folder is outside what the server may show, or somebody else's",
        "have it added to `JupyterAC.allowed_roots`; stop",
    ),
    (codes.NO_REPOSITORY, "there is no git repository", "offer to make one; stop"),
    (
        codes.NOT_THE_SAME_FILES,
        "the kernel and the server see different files",
        "use a server beside the kernel; stop",
    ),
)


def document(
    methods: list[Entry], events: Iterable[Entry], shapes: Iterable[Shape], protocol: int
) -> str:
    """Write the whole page."""
    text = GUIDE.read_text(encoding="utf-8")
    parts = {
        "protocol": str(protocol),
        "close_codes": _table(("code", "when", "what to do"), _CLOSE_CODES),
        "errors": _table(("`data.type`", "code", "when", "what to do"), _errors()),
        "methods": _methods(methods),
        "events": "\n\n".join(map(_event, events)),
        "shapes": "\n\n".join(map(_shape, shapes)),
    }
    for name, part in parts.items():
        text = text.replace("{{" + name + "}}", part)
    return text


def error_types() -> dict[str, type[AcError]]:
    """Return the errors that can reach a client, by their word, in the order of the tree."""
    return {cls.type: cls for cls in _leaves(AcError)}


def _leaves(cls: type[AcError]) -> Iterator[type[AcError]]:
    """Give a class and those below it; what only this side sees is left out."""
    if cls not in {ConnectionClosed, RemoteError}:
        yield cls
        for below in cls.__subclasses__():
            if below.__module__ == AcError.__module__:
                yield from _leaves(below)


def _errors() -> Iterator[tuple[object, ...]]:
    for word, cls in error_types().items():
        when = _first_line(cls) if word != "internal" else "something went wrong inside"
        code = -32603 if word == "internal" else cls.code
        yield f"`{word}`", code, _clause(when), REMEDIES[word]


def _methods(entries: list[Entry]) -> str:
    sections = []
    for namespace, found in groupby(entries, key=lambda entry: entry.name.partition(".")[0]):
        group = list(found)
        aliases = sorted({name.partition(".")[0] for entry in group for name in entry.aliases})
        also = f"\n\nAlso as {' and '.join(f'`{name}`' for name in aliases)}." if aliases else ""
        sections.append(f"### {namespace}{also}")
        sections += [_entry(entry) for entry in group]
    return "\n\n".join(sections)


def _entry(entry: Entry) -> str:
    shown = ", ".join(_in_signature(found) for found in entry.parameters)
    parts = [f"#### `{entry.name}({shown})`", entry.summary]
    if entry.details:
        parts.append(entry.details)
    schema = _schema_link(entry.name)
    parts.append(f"Access: {entry.access.value}. Result: {_linked(entry.result)}. {schema}")
    if entry.parameters:
        rows = [_row(found) for found in entry.parameters]
        parts.append(_table(("parameter", "type", "default"), rows))
    return "\n\n".join(parts)


def _event(entry: Entry) -> str:
    shown = ", ".join(found.name for found in entry.parameters)
    rows = [(f"`{found.name}`", _linked(found.hint)) for found in entry.parameters]
    table = _table(("argument", "type"), rows)
    schema = _schema_link(event_name(entry.name))
    return f"### `{entry.name}({shown})`\n\n{entry.summary} {schema}\n\n{table}"


def _schema_link(name: str) -> str:
    return f"[JSON schema](../{FOLDER.as_posix()}/{name}.json)."


def _in_signature(found: Parameter) -> str:
    if found.is_rest:
        return f"...{found.name}"
    return found.name if found.is_required else f"{found.name}?"


def _row(found: Parameter) -> tuple[object, ...]:
    if found.is_rest:
        default = "any number"
    elif found.is_required:
        default = ""
    else:
        default = f"`{json.dumps(found.default)}`"
    if found.is_idle:
        default = f"{default}; accepted, of no effect yet"
    return f"`{found.name}`", _linked(found.hint, READ_ONLY), default


def _shape(shape: Shape) -> str:
    rows = [
        (
            f"`{member.name}{'?' if member.is_optional else ''}`",
            _linked(member.hint),
            member.meaning,
        )
        for member in shape.members
    ]
    return f"### {shape.name}\n\n{shape.doc}\n\n{_table(('member', 'type', 'meaning'), rows)}"


def _linked(hint: object, array: str = "{}[]") -> str:
    """Write a type as code, with a link to the shape in it."""
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        return " or ".join(_linked(member, array) for member in typing.get_args(hint))
    name = next((found for found in _named(hint)), "")
    code = f"`{notation(hint, array)}`".replace("|", "\\|")
    return f"[{code}](#{name.lower()})" if name else code


def _named(hint: object) -> Iterator[str]:
    if is_object(hint):
        yield hint.__name__
    for member in typing.get_args(hint):
        yield from _named(member)


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    lines = [" | ".join(head), "|".join("---" for _ in head)]
    lines += [" | ".join(str(cell) for cell in row) for row in rows]
    return "\n".join(f"| {line} |" if "---" not in line else f"|{line}|" for line in lines)


def _first_line(cls: type) -> str:
    return (inspect.getdoc(cls) or "").partition("\n")[0]


def _clause(sentence: str) -> str:
    """Turn a sentence into a cell of a table: no capital, no full stop."""
    return sentence[:1].lower() + sentence[1:].rstrip(".")
