from collections.abc import Sequence
from pathlib import Path

from jupyter_ac.git.checkpoints.object_folder import FileVersion, ObjectFolder
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.worktrees.merge_files import MAX_CONFLICTS, MAX_SHOWN, merge_files

LINES = "".join(f"{number}\n" for number in range(9))
BOTH = LINES.replace("1\n", "one\n").replace("7\n", "seven\n").encode()


async def merged(folder: Path, *sides: dict[str, bytes]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Merge base, ours and theirs; returns contents and conflicts."""
    (folder / "objects").mkdir()
    objects, contents = ObjectFolder(folder / "objects", "sha1"), dict[str, bytes]()

    def stored(data: bytes) -> FileVersion:
        name = objects.add("blob", data)
        contents[name] = data
        return FileVersion("100644", name)

    async def read(names: Sequence[str]) -> Sequence[bytes]:
        return [contents[name] for name in names]

    trees = [{RepoPath(path): stored(data) for path, data in side.items()} for side in sides]
    found = await merge_files(trees, read, objects, folder)
    stored(BOTH)
    files: dict[str, bytes] = {
        path: contents.get(version.blob, b"") for path, version in found.entries.items()
    }
    return files, {one.path: one.text for one in found.conflicts}


async def test_lines_of_both_sides_are_in_the_result(tmp_path: Path) -> None:
    files, conflicts = await merged(
        tmp_path,
        {"a": LINES.encode(), "gone": b"x"},
        {"a": LINES.replace("1\n", "one\n").encode(), "gone": b"x", "ours": b"o"},
        {"a": LINES.replace("7\n", "seven\n").encode(), "theirs": b"t"},
    )
    assert files == {"a": BOTH, "ours": b"o", "theirs": b"t"}
    assert conflicts == {}


async def test_conflicts_have_marks_and_bounds_and_binary_files_no_text(tmp_path: Path) -> None:
    names = [f"f{number:02}" for number in range(MAX_CONFLICTS + 5)]
    long = b"".join(b"%d %s\n" % (number, b"x" * 80) for number in range(1000))
    sides = [
        {**dict.fromkeys(names, word), "bin": b"\0" + word, "long": word + long}
        for word in (b"base\n", b"ours\n", b"theirs\n")
    ]
    _, conflicts = await merged(tmp_path, *sides)
    assert len(conflicts) == MAX_CONFLICTS
    assert conflicts["bin"] == ""
    assert "<<<<<<< plan\nours\n" in conflicts["f00"]
    assert all(len(text) <= MAX_SHOWN for text in conflicts.values())
