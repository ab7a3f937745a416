"""Rows of events about plans and the context that planners share."""

from typing import Literal, TypedDict


class SharedContextChange(TypedDict):
    """A change of the context that planners and executors share.

    Attributes:
        version: of the context now; a page that doesn't have the one before asks for all.
        action: add, remove or modify.
        context_type: file, dependency or state.
        names: of the changed entries, sorted.
    """

    version: int
    action: Literal["add", "remove", "modify"]
    context_type: Literal["file", "dependency", "state"]
    names: list[str]
