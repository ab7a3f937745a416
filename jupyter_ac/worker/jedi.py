"""Navigation in Python by jedi, for names outside the index: locals, the standard library.

No code of the repository is executed. jedi reads sources; it may import only modules of the
standard library, since their sources are in C. It reads only the repository and the installed
packages: sources can refer to other folders, by `sys.path.append`, by relative imports above the
repository, by symbolic links. Code that reads sources for imports follows them; here such files
don't exist.
"""

import asyncio
import logging
import os
import resource
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol, TypedDict, TypeVar

import jedi
from jedi.api.environment import InterpreterEnvironment

from jupyter_ac.errors import NotReady
from jupyter_ac.index.indexing.file_reader import Reader
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition, units
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.jobs import Jobs

_READING: Final = frozenset({"open", "os.listdir", "os.scandir"})
"""Events of the interpreter before it opens a file, or lists a folder."""


class PathGuard:
    """Decides which paths may be read.

    Args:
        folders: all paths below them are allowed.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(dict.fromkeys(os.path.realpath(each) for each in folders))

    def allows(self, path: str) -> bool:
        """Return whether a path, with links resolved, is below one of the folders."""
        real = os.path.realpath(path)
        return any(real == each or real.startswith(f"{each}{os.sep}") for each in self._folders)

    def check(self, event: str, subject: tuple[object, ...]) -> None:
        """Check an audit event of the interpreter.

        Raises:
            FileNotFoundError: the path isn't allowed, and must seem not to exist.
        """
        if event not in _READING:
            return
        path = subject[0] if subject else None
        if isinstance(path, int):
            return  # a descriptor, whose path was looked at when it was opened
        if not self.allows(os.fsdecode(path) if isinstance(path, (str, bytes)) else os.curdir):
            raise FileNotFoundError(path)


def close_in(folders: Iterable[Path]) -> None:
    """Restrict this process to reading below some folders, for the rest of its life."""
    sys.addaudithook(PathGuard(folders).check)


_logger = logging.getLogger(__name__)

_MAX_BYTES: Final = 1 << 20
_MEMORY: Final = 3 << 30
_MOST: Final = 200
_LONGEST: Final = 500
_PATH: Final = "path"
"""jedi's type of the names of files and folders that it offers inside strings."""

_WARM: Final = "import os\nos.path.join\n''.join\n"

_BROKEN: Final = (
    jedi.InternalError,
    *(AssertionError, AttributeError, LookupError, MemoryError, OSError, RuntimeError),
    *(SyntaxError, TypeError, ValueError),
)
"""Exceptions that jedi and its parser raise on unusual sources."""

_Answer = TypeVar("_Answer")


class SpotWire(TypedDict):
    """A name in a file of the repository: 1-based line, 0-based columns in UTF-16 code units."""

    path: str
    line: int
    column: int
    end_column: int


class HelpWire(TypedDict):
    """What is known of a name.

    Attributes:
        signature: as Python, with what it is.
        doc: the first line of its docstring; "" when there is none.
    """

    signature: str
    doc: str


class GoalWire(TypedDict):
    """Where a name is defined; no spots when that is outside of the working tree."""

    spots: list[SpotWire]


class CompletionItemWire(TypedDict):
    """A name that could be written."""

    label: str
    kind: str


class _Name(Protocol):
    """The part of jedi's `Name` that is used here."""

    name: str
    type: str
    full_name: str | None
    description: str
    line: int | None
    column: int | None
    module_path: Path | None

    def docstring(self, *, raw: bool) -> str: ...

    def get_signatures(self) -> Sequence["_Signature"]: ...


class _Signature(Protocol):
    def to_string(self) -> str: ...


class PythonFiles:
    """Answers questions about the Python files of one working tree, one at a time."""

    def __init__(self) -> None:
        self._root: Path | None = None
        self._turn = asyncio.Lock()

    @method(Access.EXECUTE)
    async def open(self, root: str, cache_dir: str) -> None:
        """Name the working tree, and load what the first question would wait for."""
        top = Path(root)
        _be_safe(top, Path(cache_dir))
        await asyncio.to_thread(_warm_up, top)
        self._root = top

    @method(Access.READ)
    async def help(self, path: str, line: int, column: int) -> HelpWire | None:
        """Say what is known of the name at a place; columns are 0-based, in UTF-16 code units."""
        return await self._ask(path, TextPosition(line, column), _Text.help)

    @method(Access.READ)
    async def goto(self, path: str, line: int, column: int) -> GoalWire | None:
        """Find where the name at a place is defined; None when jedi doesn't know."""
        return await self._ask(path, TextPosition(line, column), _Text.goto)

    @method(Access.READ)
    async def references(self, path: str, line: int, column: int) -> list[SpotWire]:
        """Find where the name at a place is used in the same file."""
        return await self._ask(path, TextPosition(line, column), _Text.references) or []

    @method(Access.READ)
    async def complete(self, path: str, line: int, column: int) -> list[CompletionItemWire]:
        """Find what could be written at a place."""
        return await self._ask(path, TextPosition(line, column), _Text.complete) or []

    async def _ask(
        self,
        path: str,
        place: TextPosition,
        question: Callable[["_Text", TextPosition], _Answer | None],
    ) -> _Answer | None:
        root = self._root
        if root is None:
            raise NotReady("No working tree is open yet.")
        async with self._turn:
            return await asyncio.to_thread(_answer, root, path, place, question)


class _Text:
    """One file as an input of jedi.

    Args:
        root: top of the working tree.
        path: of the file.
        text: of the file.
    """

    def __init__(self, root: Path, path: str, text: str) -> None:
        self._root = root
        self._source = SourceText(text)
        self._script = jedi.Script(
            text,
            path=root / path,
            environment=InterpreterEnvironment(),
            project=jedi.Project(root, sys_path=[*_source_paths(root)], smart_sys_path=False),
        )

    def has(self, place: TextPosition) -> bool:
        """Return whether the text has this position."""
        return self._source.has(place)

    def help(self, place: TextPosition) -> HelpWire | None:
        at = self._jedis(place)
        names: Sequence[_Name] = self._script.infer(*at) or self._script.help(*at)
        if not names or names[0].type == "keyword":
            return None
        doc = names[0].docstring(raw=True).strip().partition("\n")[0]
        return {"signature": _signature(names[0])[:_LONGEST], "doc": doc[:_LONGEST]}

    def goto(self, place: TextPosition) -> GoalWire | None:
        names: Sequence[_Name] = self._script.goto(
            *self._jedis(place), follow_imports=True, follow_builtin_imports=True
        )
        return {"spots": [*_spots(self._root, names)]} if names else None

    def references(self, place: TextPosition) -> list[SpotWire]:
        names: Sequence[_Name] = self._script.get_references(*self._jedis(place), scope="file")
        return [*_spots(self._root, names)]

    def complete(self, place: TextPosition) -> list[CompletionItemWire]:
        offered: Sequence[_Name] = self._script.complete(*self._jedis(place))
        # Which files a folder of the machine has is no matter of names.
        names = [name for name in offered if name.type != _PATH]
        return [{"label": name.name, "kind": _kind(name)} for name in names[:_MOST]]

    def _jedis(self, place: TextPosition) -> tuple[int, int]:
        """Convert a position to jedi's line and column numbers."""
        return place.line, self._source.characters_before(place)


def _answer(
    root: Path,
    path: str,
    place: TextPosition,
    question: Callable[[_Text, TextPosition], _Answer | None],
) -> _Answer | None:
    """Query a position; None if it doesn't exist, or its file is unreadable or breaks jedi."""
    if ".." in path.split("/") or path.startswith("/"):
        return None
    try:
        data = Reader(str(root)).read(path, _MAX_BYTES + 1)
    except OSError:
        return None
    if len(data) > _MAX_BYTES:
        return None
    try:
        text = _Text(root, path, data.decode("utf-8-sig", "replace"))
        return question(text, place) if text.has(place) else None
    except _BROKEN as error:
        _logger.debug("jedi has no answer about %r: %r", path, error)
        return None


def _warm_up(root: Path) -> None:
    text = _Text(root, "warming_up.py", _WARM)
    try:
        for line in (2, 3):
            text.help(TextPosition(line, len(_WARM.splitlines()[line - 1])))
    except _BROKEN as error:
        _logger.debug("jedi isn't warm: %r", error)


def _be_safe(root: Path, cache_dir: Path) -> None:
    """Allow imports only of the standard library, and no unpickling of repository files."""
    sys.path[:] = _standard_paths()
    sys.path_importer_cache.clear()
    sys.dont_write_bytecode = True
    keep = cache_dir / "jedi"
    is_inside = keep.resolve().is_relative_to(root.resolve())
    kept = Path(tempfile.mkdtemp(prefix="jedi-")) if is_inside else keep
    jedi.settings.cache_directory = str(kept)
    close_in((*map(Path, _source_paths(root)), Path(jedi.__file__).parent.parent, kept))
    # A source on which jedi uses too much memory must end only this process.
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _standard_paths() -> list[str]:
    library = Path(sysconfig.get_path("stdlib"))
    places = dict.fromkeys((library, Path(sysconfig.get_path("platstdlib"))))
    return [str(each) for place in places for each in (place, place / "lib-dynload")]


def _source_paths(root: Path) -> Iterator[str]:
    """Return the folders in which sources may be read for imports."""
    yield str(root)
    if (root / "src").is_dir():
        yield str(root / "src")
    yield from _standard_paths()
    yield from dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))


def _signature(name: _Name) -> str:
    kind = _kind(name)
    # A value's are those of what made it.
    signatures = name.get_signatures() if kind != "variable" else ()
    if signatures:
        word = {"function": "def ", "class": "class "}.get(kind, "")
        return word + signatures[0].to_string()
    if kind == "module":
        return f"module {name.full_name or name.name}"
    return f"{kind} {name.full_name or name.name}"


def _kind(name: _Name) -> str:
    return {"statement": "variable", "instance": "variable", "param": "variable"}.get(
        name.type, name.type
    )


def _spots(root: Path, names: Sequence[_Name]) -> Iterator[SpotWire]:
    """Return the names that are in files of the working tree."""
    for name in names[:_MOST]:
        path = name.module_path
        if path is None or not path.is_relative_to(root):
            continue
        inside = path.relative_to(root).as_posix()
        if name.line is None or name.column is None:
            yield {"path": inside, "line": 1, "column": 0, "end_column": 0}
            continue
        try:
            data = Reader(str(root)).read(inside, _MAX_BYTES)
        except OSError:
            continue
        line = SourceText(data.decode("utf-8", "replace")).line(name.line)
        column = units(line[: name.column])
        # A whole file has its name, too, and it doesn't stand at its beginning.
        is_there = line.startswith(name.name, name.column)
        end = column + units(name.name) if is_there else column
        yield {"path": inside, "line": name.line, "column": column, "end_column": end}


def part(_jobs: Jobs) -> PythonFiles:
    """Create the part that a worker of this kind serves."""
    return PythonFiles()
