"""What is on the wire, read off a host's own table of methods and the classes of its events."""

import asyncio
import inspect
import operator
import tempfile
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

from jupyter_ac import events
from jupyter_ac.events import Event
from jupyter_ac.git.repository import initialise
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.hosts.workspace import Workspace
from jupyter_ac.notebook_rows import NotebookEdit, NotebookEdited, OpenNotebookRow
from jupyter_ac.rpc.codec import decoded
from jupyter_ac.rpc.json_schema import JsonSchema, parameters_schema
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.settings.admin import JupyterAC

PAGE_REQUESTS: Final = (OpenNotebookRow, NotebookEdit, NotebookEdited)
"""What a host sends and gets when it asks a page in JupyterLab."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter as a client sees it.

    Attributes:
        name: without a leading underscore.
        hint: its type in Python.
        default: as JSON would have it, `inspect.Parameter.empty` when it must be given.
        is_rest: stands for any number of further arguments.
        is_idle: accepted, and of no effect yet.
    """

    name: str
    hint: object
    default: object = inspect.Parameter.empty
    is_rest: bool = False
    is_idle: bool = False

    @property
    def is_required(self) -> bool:
        """Whether a call must give it."""
        return self.default is inspect.Parameter.empty and not self.is_rest


@dataclass(frozen=True, slots=True)
class Entry:
    """A method, or an event, which has no aliases and no result.

    Attributes:
        name: `Namespace.function`, or the bare name of an event.
        summary: the first line of its docstring.
        details: the rest of it.
        parameters: in order.
        result: its type in Python.
        access: what a caller must be allowed.
        aliases: further names on the wire.
        schema: of the parameters by name.
    """

    name: str
    summary: str
    details: str
    parameters: tuple[Parameter, ...]
    result: object = None
    access: Access = Access.READ
    aliases: tuple[str, ...] = ()
    schema: JsonSchema = field(default_factory=dict)


def host_table() -> Mapping[str, Method]:
    """Return the table that a host serves, of a workspace that is opened for a moment."""
    return asyncio.run(_host_table())


async def _host_table() -> Mapping[str, Method]:
    with tempfile.TemporaryDirectory() as folder:
        repository = await initialise(Path(folder))
        planner = ModelPlanner({}, Path(folder), JupyterAC(), lambda: False)
        async with Workspace(repository, HostResources(), planner) as workspace:
            return workspace.table


def methods(table: Mapping[str, Method]) -> list[Entry]:
    """Describe each method once, with its aliases, in the table's order."""
    names: dict[object, list[str]] = {}
    for name, method in table.items():
        names.setdefault(method.handler, []).append(name)
    return [_entry(table[first], tuple(others)) for first, *others in names.values()]


def pushed() -> list[Entry]:
    """Describe each event, in the order in which they are defined."""
    return [
        _event(found)
        for found in vars(events).values()
        if isinstance(found, type) and issubclass(found, Event) and found is not Event
    ]


def _entry(method: Method, aliases: tuple[str, ...]) -> Entry:
    hints = typing.get_type_hints(method.handler)
    parameters = tuple(
        Parameter(
            name=found.name.removeprefix("_"),
            hint=hints.get(found.name, object),
            default=found.default,
            is_rest=found.kind is found.VAR_POSITIONAL,
            is_idle=found.name.startswith("_"),
        )
        for found in method.signature.parameters.values()
    )
    summary, details = _split(method.doc)
    access, result = method.access, result_of(method)
    schema = method.parameters.schema
    return Entry(method.name, summary, details, parameters, result, access, aliases, schema)


def result_of(method: Method) -> object:
    """Return the type of what a method answers, refusals included."""
    result = decoded(typing.get_type_hints(method.handler).get("return", object))
    return result if method.refusals is None else operator.or_(result, method.refusals.shape)


def _event(found: type[Event]) -> Entry:
    hints = typing.get_type_hints(found)
    summary, details = _split(inspect.getdoc(found) or "")
    parameters = tuple(Parameter(each.name, hints[each.name]) for each in fields(found))
    schema = parameters_schema(hints, inspect.signature(found), opened=False)
    return Entry(found.name, summary, details, parameters, schema=schema)


def _split(doc: str) -> tuple[str, str]:
    summary, _, details = doc.partition("\n\n")
    return " ".join(summary.split()), details.strip()
