"""Creates states of the index from sources in the test itself."""

from collections.abc import Mapping

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.record_codec import seal
from jupyter_ac.index.graph.state import LoadedIndex
from jupyter_ac.index.parsing import language_of, parse
from jupyter_ac.index.records import FileRecord


def put(state: LoadedIndex, path: str, text: str) -> None:
    """Parse a file and put it."""
    language = language_of(path)
    sealed = seal(parse(language, text.encode())) if language else b""
    state.put(RepoPath(path), str(hash(text)), sealed)


def state_of(files: Mapping[str, str]) -> LoadedIndex:
    """Return a settled state of these files."""
    state = LoadedIndex()
    for path, text in files.items():
        put(state, path, text)
    state.update()
    return state


def record_of(state: LoadedIndex, path: str) -> FileRecord:
    """Return the record of a file that has one."""
    record = state.record(RepoPath(path))
    assert record is not None
    return record


def imported(state: LoadedIndex, path: str) -> list[str | None]:
    """Return where all imports of a file lead."""
    lines = record_of(state, path).imports
    return [state.imported(RepoPath(path), at) for at in range(len(lines))]


def meant(state: LoadedIndex, path: str, name: str) -> str:
    """Return what the first use of a name in a file means, as `path:Class.method`, or ""."""
    uses = record_of(state, path).uses
    at = next(at for at, use in enumerate(uses) if use.name == name)
    found = state.meaning(RepoPath(path), at)
    if found is None:
        return ""
    symbols, symbol, parts = record_of(state, found.path).symbols, found.symbol, list[str]()
    while symbol >= 0:
        parts.append(symbols[symbol].name)
        symbol = symbols[symbol].parent
    return f"{found.path}:{'.'.join(reversed(parts))}"
