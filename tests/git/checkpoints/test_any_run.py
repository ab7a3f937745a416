"""Whatever a run and the user do to files: what only the run changed is undone, the rest stays."""

import asyncio
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.checkpoint_runs import CheckpointRun, Tree, begin_run, tree_of
from tests.support.examples import examples
from tests.support.repositories import RepositoryFolder, make_repository

PATHS = ("a", "b", "d", "d/x", "d/e/y", "D/x", "new", "new/z", "caf\udce9", "ignored.log")
ACTIONS = ("write", "write", "delete", "program", "link", "folder", "rename", "stage", "unstage")
IN_THE_WAY = "can't be restored: something else is in its place"

actions = st.tuples(
    st.sampled_from(ACTIONS), st.sampled_from(PATHS), st.sampled_from(PATHS), st.integers(0, 3)
)
some = st.lists(actions, max_size=4)
Action = tuple[str, str, str, int]
Steps = list[tuple[list[Action], list[Action]]]
runs: st.SearchStrategy[Steps] = st.lists(
    st.tuples(some, st.one_of(st.just([]), some)), min_size=1, max_size=3
)


@settings(max_examples=examples(150), suppress_health_check=list(HealthCheck))
@given(runs)
def test_a_run_is_undone_and_the_user_loses_nothing(steps: Steps) -> None:
    asyncio.run(_any_run(steps))


async def _any_run(steps: Steps) -> None:
    with TemporaryDirectory() as place:
        folder = _make(Path(place))
        run = await begin_run(folder)
        trees: list[tuple[Tree, Tree]] = []
        index = folder.git("ls-files", "--stage")
        for of_run, of_user in steps:
            before = tree_of(folder.root)
            await run.step(partial(_act, folder, of_run))
            trees.append((before, tree_of(folder.root)))
            _act(folder, of_user)
        await _check(run, trees)
        if not any(of_user for _, of_user in steps):
            assert _shown(tree_of(folder.root)) == _shown(trees[0][0])
            assert folder.git("ls-files", "--stage") == index
        assert folder.git("fsck", "--no-dangling") == ""


async def _check(run: CheckpointRun, trees: Sequence[tuple[Tree, Tree]]) -> None:
    found = _files(tree_of(run.folder.root))
    restored = await run.undo()
    now = _files(tree_of(run.folder.root))
    kept = {one.path.encode("utf-8", "surrogateescape"): one.reason for one in restored.kept}
    named = {path.encode("utf-8", "surrogateescape") for path in restored.restored}
    known = [(_files(before), _files(after)) for before, after in trees]
    for path in {*found, *now, *(path for pair in known for tree in pair for path in tree)}:
        wanted = _wanted(path, known, found)
        if wanted is None or _is_ignored(path) or kept.get(path) == IN_THE_WAY:
            assert now.get(path) == found.get(path), path
        else:
            assert now.get(path) == wanted[0], path
        assert (path in named) == (now.get(path) != found.get(path)), path


def _wanted(
    path: bytes, known: Sequence[tuple[Tree, Tree]], found: Tree
) -> tuple[tuple[int, bytes] | None] | None:
    """Return what a path is to become; None if it is to stay."""
    changed = [
        number
        for number, (before, after) in enumerate(known)
        if before.get(path) != after.get(path)
    ]
    if not changed:
        return None
    first, last = changed[0], changed[-1]
    for number in range(first, last):
        if known[number][1].get(path) != known[number + 1][0].get(path):
            return None
    left = known[last][1].get(path)
    return (known[first][0].get(path),) if found.get(path) == left else None


def _is_ignored(path: bytes) -> bool:
    return path.partition(b"/")[0].endswith(b".log")


def _shown(tree: Tree) -> Tree:
    return {path: entry for path, entry in tree.items() if not _is_ignored(path)}


def _files(tree: Tree) -> Tree:
    return {path: entry for path, entry in tree.items() if entry[0] & 0o170000 != 0o040000}


def _make(place: Path) -> RepositoryFolder:
    files: dict[str, str | bytes] = {"a": "a\n", "b": b"\r\n\0", "d/x": "x\n", "d/e/y": "y\n"}
    folder = make_repository(place / "r", {**files, ".gitignore": "*.log\n"})
    folder.write("new/z", "untracked\n")
    folder.write("ignored.log", "ignored\n")
    return folder


def _act(folder: RepositoryFolder, wanted: Sequence[Action]) -> None:
    for action, path, other, number in wanted:
        place = folder.root / path
        if action == "stage":
            folder.git("add", "-A", "--", path, ok=(0, 1, 128))
        elif action == "unstage":
            folder.git("rm", "-r", "-q", "--cached", "--", path, ok=(0, 1, 128))
        elif action == "program":
            if place.is_file() and not place.is_symlink():
                place.chmod(place.stat().st_mode ^ 0o111)
        elif action == "rename":
            _rename(place, folder.root / other)
        else:
            _remove(place)
            _put(folder, action, path, number)


def _put(folder: RepositoryFolder, action: str, path: str, number: int) -> None:
    if action == "delete":
        return
    place = folder.root / path
    for above in reversed(place.relative_to(folder.root).parents[:-1]):
        if (folder.root / above).is_symlink() or (folder.root / above).is_file():
            (folder.root / above).unlink()
    place.parent.mkdir(parents=True, exist_ok=True)
    if action == "folder":
        place.mkdir()
    elif action == "link":
        place.symlink_to(("a", "..", "/etc/passwd", "d")[number])
    else:
        place.write_bytes(b"%d\r\n" % number)


def _rename(place: Path, other: Path) -> None:
    is_inside = other.is_relative_to(place) or place.is_relative_to(other)
    if is_inside or not (place.exists() or place.is_symlink()) or not other.parent.is_dir():
        return
    if other.parent.is_symlink() or place.parent.is_symlink():
        return
    _remove(other)
    place.rename(other)


def _remove(place: Path) -> None:
    if any(above.is_symlink() or above.is_file() for above in place.parents):
        return
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
