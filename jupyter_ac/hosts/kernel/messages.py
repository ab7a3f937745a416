"""The custom messages between the widget's page and the kernel, as plain values.

The page speaks first: what is sent to a widget whose code has not loaded yet is lost.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.errors import InvalidParams
from jupyter_ac.hosts.assets import Build, Chunk
from jupyter_ac.hosts.nearby_repositories import Surroundings, surroundings_shape

STATUSES: Final = ("starting", "ready", "streaming", "offline", "error")
"""The words of the `status` trait."""

MAX_SELECTED: Final = 20_000


@dataclass(frozen=True, slots=True)
class PageState:
    """The state that the page reports.

    Attributes:
        selected_files: paths relative to the repository, in the order of selection.
        busy: whether an answer is running.
        status: one of `STATUSES`.
    """

    selected_files: list[str]
    busy: bool
    status: str


def read_state(content: object) -> PageState:
    """Check a `state` message.

    Raises:
        InvalidParams: a member is missing, of the wrong type, or too long.
    """
    match content:
        case {"selected_files": list(files), "busy": bool(busy), "status": str(status)}:
            paths = [path for path in files if isinstance(path, str)]
        case _:
            raise InvalidParams("a state message needs selected_files, busy and status")
    if status not in STATUSES:
        raise InvalidParams(f"status must be one of {', '.join(STATUSES)}")
    if len(paths) != len(files) or len(files) > MAX_SELECTED:
        raise InvalidParams(f"selected_files must be at most {MAX_SELECTED} paths")
    return PageState(paths, busy, status)


def error_message(message: str) -> dict[str, object]:
    """One sentence for the user, either way."""
    return {"type": "error", "message": message}


def repository_message(name: str) -> dict[str, object]:
    """The folder has become a repository of this name."""
    return {"type": "repository", "name": name}


def surroundings_message(around: Surroundings) -> dict[str, object]:
    """Repositories near the folder, which is in no repository."""
    return {"type": "surroundings", **surroundings_shape(around)}


def opened_message(folder: Path) -> dict[str, object]:
    """The panel has switched to another folder."""
    return {"type": "open", "folder": str(folder)}


def ui_message(build: Build, source: str) -> dict[str, object]:
    """The whole UI, for a page whose server has no such build."""
    return {"type": "ui", "hash": build.hash, "source": source}


def chunk_message(chunk: Chunk, build: Build, source: str) -> dict[str, object]:
    """A part of the UI, for a page that can't fetch it either."""
    return {"type": chunk, "hash": build.hash, "source": source}
