"""Maps the frames of a page's stack to files of the repository.

A script that is in the repository is found by its URL: the longest end of its path that names one
file. A built script has a source map, whose sources are found in the same way; that one is more
exact, so that it stands before the other.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict
from urllib.parse import unquote, urlsplit

from jupyter_ac.browser.source_maps import BrokenSourceMap, Original, Position, SourceMap
from jupyter_ac.browser.stack_frames import StackFrame

MAX_MAPS: Final = 10
"""Source maps that are read for one call."""
LONG_MAP: Final = 200_000
"""Longer ones are read in a thread, so that the loop goes on."""
_SCHEMES: Final = frozenset({"http", "https", "file", "webpack", "webpack-internal", "", "vite"})

FileLister = Callable[[], Sequence[str]]
MapFetcher = Callable[[str], Awaitable[str | None]]


class FrameRow(TypedDict):
    """A frame of a stack.

    Attributes:
        function: its name; "" at the top of a script.
        url: of the script that ran.
        path: of the file in the repository; "" if it isn't there.
        line: in that file, or in the script without one; the first is 1.
        column: likewise.
    """

    function: str
    url: str
    path: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class _Place:
    """A file of the repository and a place in it."""

    path: str
    line: int
    column: int


class RepositoryFiles:
    """Finds files by the ends of their paths.

    Args:
        paths: of all files, relative to the repository, with `/`.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._by_name: dict[str, list[list[str]]] = {}
        for path in paths:
            parts = path.split("/")
            self._by_name.setdefault(parts[-1], []).append(parts)

    def find(self, path: str) -> str:
        """Return the one file with which a path shares the longest end; "" if it isn't one."""
        wanted = [part for part in path.split("/") if part not in ("", ".", "..")]
        if not wanted:
            return ""
        best: list[list[str]] = []
        longest = 0
        for parts in self._by_name.get(wanted[-1], ()):
            shared = _shared_end(parts, wanted)
            if shared > longest:
                best, longest = [], shared
            if shared == longest:
                best.append(parts)
        if len(best) > 1:
            best = [parts for parts in best if parts == wanted]
        return "/".join(best[0]) if len(best) == 1 else ""


class StackMapper:
    """Maps frames.

    Args:
        list_files: gives the files of the repository; the same sequence as long as they are the
            same.
        fetch_map: gives the text of the source map of a script's URL, or None; None: there are
            none.
    """

    def __init__(self, list_files: FileLister, fetch_map: MapFetcher | None = None) -> None:
        self._list_files = list_files
        self._fetch_map = fetch_map
        self._listed: Sequence[str] | None = None
        self._files = RepositoryFiles([])

    def file_of(self, url: str) -> str:
        """Return the file of the repository that a URL's path names; "" if it is none."""
        self._renew_files()
        return self._files.find(path_of(url)) if url else ""

    async def map(self, frames: Sequence[StackFrame]) -> list[FrameRow]:
        """Map frames, of one stack or of several; each script's source map is read once."""
        self._renew_files()
        originals: dict[StackFrame, _Place] = {}
        for url in list(dict.fromkeys(frame.url for frame in frames))[:MAX_MAPS]:
            of_script = list({frame: None for frame in frames if frame.url == url})
            originals |= await self._by_source_map(url, of_script)
        return [self._row(frame, originals.get(frame)) for frame in frames]

    def _renew_files(self) -> None:
        listed = self._list_files()
        if listed is not self._listed:
            self._listed, self._files = listed, RepositoryFiles(listed)

    def _row(self, frame: StackFrame, place: _Place | None) -> FrameRow:
        if place is None:
            place = _Place(self._files.find(path_of(frame.url)), frame.line, frame.column)
        return FrameRow(
            function=frame.function,
            url=frame.url,
            path=place.path,
            line=place.line,
            column=place.column,
        )

    async def _by_source_map(
        self, url: str, frames: Sequence[StackFrame]
    ) -> dict[StackFrame, _Place]:
        if self._fetch_map is None or not path_of(url):
            return {}
        text = await self._fetch_map(url)
        if text is None:
            return {}
        positions = [(frame.line - 1, frame.column - 1) for frame in frames]
        if len(text) > LONG_MAP:
            found = await asyncio.to_thread(_located, text, positions)
        else:
            found = _located(text, positions)
        places: dict[StackFrame, _Place] = {}
        for frame, original in zip(frames, found, strict=True):
            path = "" if original is None else self._files.find(path_of(original.source))
            if original is not None and path:
                places[frame] = _Place(path, original.line + 1, original.column + 1)
        return places


def path_of(url: str) -> str:
    """Return the path of a script's URL or of a source; "" for what can't be a file."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.scheme not in _SCHEMES:
        return ""
    is_web = parts.scheme in ("http", "https")
    return unquote(parts.path if is_web else f"{parts.netloc}/{parts.path}")


def _located(text: str, positions: Sequence[Position]) -> list[Original | None]:
    try:
        return SourceMap(text).locate(positions)
    except BrokenSourceMap:
        return [None] * len(positions)


def _shared_end(parts: Sequence[str], wanted: Sequence[str]) -> int:
    count = 0
    for one, other in zip(reversed(parts), reversed(wanted), strict=False):
        if one != other:
            break
        count += 1
    return count
