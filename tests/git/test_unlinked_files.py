import os
from contextlib import suppress
from pathlib import Path

import pytest

from jupyter_ac.git import unlinked_files
from jupyter_ac.git.unlinked_files import open_unlinked
from tests.support.swapping import exchange_before_opening


def read(root: Path, path: str) -> bytes:
    with os.fdopen(open_unlinked(str(root), path), "rb") as file:
        return file.read()


@pytest.fixture(params=[True, False], ids=["told", "untold"])
def root(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree, on a system that says where an open file lies, and on one that doesn't."""
    if not request.param:
        monkeypatch.setattr(unlinked_files, "_place", lambda _: "")
    made = Path(os.path.realpath(tmp_path)) / "r"
    (made / "a/b").mkdir(parents=True)
    (made / "a/b/file").write_bytes(b"own")
    (tmp_path / "out/b").mkdir(parents=True)
    (tmp_path / "out/b/file").write_bytes(b"secret")
    return made


def test_files_are_opened_and_nothing_behind_a_link(root: Path) -> None:
    (root / "file").write_bytes(b"top")
    (root / "link").symlink_to("file")
    (root / "out").symlink_to("../out")
    (root / "a/in").symlink_to("b")
    assert (read(root, "file"), read(root, "a/b/file")) == (b"top", b"own")
    for path in ("link", "out/b/file", "a/in/file", "a/b/gone", "file/x"):
        with pytest.raises(OSError, match=path.rpartition("/")[2]):
            read(root, path)


def test_a_folder_that_is_exchanged_with_a_link_leads_nowhere(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange_before_opening(monkeypatch, root / "a", root.parent / "out")
    with pytest.raises(OSError, match="a/b/file"):
        read(root, "a/b/file")


def test_a_file_that_is_replaced_meanwhile_is_read_as_it_was(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = os.open

    def replacing(path: str, flags: int, **how: int) -> int:
        descriptor = plain(path, flags, **how)
        if str(path).endswith("a/b/file"):
            (root / "a/b/new").write_bytes(b"new")
            (root / "a/b/new").rename(root / "a/b/file")
        return descriptor

    monkeypatch.setattr(os, "open", replacing)
    assert read(root, "a/b/file") in {b"own", b"new"}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files as Linux can")
def test_no_descriptor_stays_open(root: Path) -> None:
    opened = Path("/proc/self/fd")
    before = len(list(opened.iterdir()))
    for path in ("a/b/file", "a/b/gone", "a/gone/file", "out/b/file"):
        with suppress(OSError):
            read(root, path)
    assert len(list(opened.iterdir())) == before
