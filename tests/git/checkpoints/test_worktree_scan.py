import os
from pathlib import Path

import pytest

from jupyter_ac.git.checkpoints import worktree_scan
from jupyter_ac.git.checkpoints.listing import list_files
from jupyter_ac.git.checkpoints.notes import LeftOut
from jupyter_ac.git.checkpoints.object_folder import ObjectFolder
from jupyter_ac.git.checkpoints.worktree_scan import CheckpointScan, RunMemory
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder, make_repository


async def scan_of(folder: RepositoryFolder, memory: RunMemory | None = None) -> CheckpointScan:
    repository = await discover(folder.root)
    objects = folder.root.parent / "objects"
    objects.mkdir(exist_ok=True)
    listed = await list_files(repository)
    made = CheckpointScan(repository, listed, memory or RunMemory(), ObjectFolder(objects, "sha1"))
    made.run()
    return made


def reasons(left_out: tuple[LeftOut, ...]) -> dict[str, str]:
    return {one.path: one.reason for one in left_out}


async def test_what_is_left_out_and_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worktree_scan, "MAX_FILE_BYTES", 10)
    folder = make_repository(tmp_path / "r", {"a": "1\n", "pipe": "", "exact": "0" * 10})
    (folder.root / "pipe").unlink()
    os.mkfifo(folder.root / "pipe")
    folder.write("long", "0" * 11)
    folder.write("git~1")
    make_repository(folder.root / "nested", {"x": "1\n"})
    other = make_repository(tmp_path / "other", {"x": "1\n"})
    folder.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.root), "sub")
    found = await scan_of(folder)
    assert set(found.files) == {"a", "exact"}
    left_out = reasons(found.notes().left_out)
    assert left_out.pop(".gitmodules") == "is longer than 5 MiB"
    assert left_out == {
        "git~1": "has a name that is too long, or that means `.git` on some file systems",
        "long": "is longer than 5 MiB",
        "nested/": "is a repository of its own",
        "pipe": "is a pipe, a socket or a device",
        "sub/": "is a repository of its own",
    }


async def test_a_run_stores_a_limited_amount(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worktree_scan, "MAX_RUN_BYTES", 10)
    folder = make_repository(tmp_path / "r", {"tracked": "in the repository already\n"})
    folder.write("x", "123456")
    folder.write("y", "1234567")
    first = await scan_of(folder)
    assert set(first.files) == {"tracked", "x"}
    assert set(reasons(first.notes().left_out)) == {"y"}
    folder.write("x", "123")
    folder.write("z", "1234")
    second = await scan_of(folder, first.memory())
    assert set(second.files) == {"tracked", "x"}
    assert set(reasons(second.notes().left_out)) == {"y", "z"}
    assert second.memory().stored_bytes == 9


async def test_names_of_earlier_checkpoints_stay_included(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("d/x")
    first = await scan_of(folder)
    folder.write(".gitignore", "d/\n")
    folder.write("d/new")
    assert set((await scan_of(folder)).files) == {"a", ".gitignore"}
    assert set((await scan_of(folder, first.memory())).files) == {"a", ".gitignore", "d/x"}


async def test_folders_without_files_and_permissions_are_noted(tmp_path: Path) -> None:
    folder = make_repository(
        tmp_path / "r", {"a": "1\n", "d/x": "1\n", ".gitignore": "*.o\nout/\n"}
    )
    folder.write("b", "1\n").chmod(0o600)
    (folder.root / "empty/inner").mkdir(parents=True)
    folder.write("build/x.o")
    folder.write("out/x")
    notes = (await scan_of(folder)).notes()
    assert notes.folders == {"empty", "empty/inner", "build"}
    assert notes.ignored == {"build/x.o", "out/"}
    assert notes.permissions.others == {"b": 0o600}


async def test_a_folder_behind_a_link_is_not_entered(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/x": "1\n"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x").write_text("secret\n")
    (folder.root / "d/x").unlink()
    (folder.root / "d").rmdir()
    (folder.root / "d").symlink_to(tmp_path / "outside")
    found = await scan_of(folder)
    assert {path: version.mode for path, version in found.files.items()} == {"d": "120000"}


async def test_a_deep_folder(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    deep = "/".join(["d"] * 400)
    folder.write(f"{deep}/x")
    assert set((await scan_of(folder)).files) == {"a", f"{deep}/x"}
