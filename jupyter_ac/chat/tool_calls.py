"""Tool calls of a model, and their results: what the chat engine knows of tools."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from jupyter_ac.ids import RepoPath
from jupyter_ac.workers.wire import ToolCall

__all__ = ["ToolCall", "ToolResult"]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a call.

    Attributes:
        text: what the model is sent: secrets masked, of limited length.
        is_error: the call was refused or has failed.
        images: names in the store of images.
        read: files that the model has now seen whole, with the hash of their block
            (`Block.source` of `file_block`): they count as in context as long as it is the same.
        ends_run: the model has said that it is done.
    """

    text: str
    is_error: bool = False
    images: tuple[str, ...] = ()
    read: Mapping[RepoPath, str] = field(default_factory=dict)
    ends_run: bool = False
