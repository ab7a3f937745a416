import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.errors import NotFound, RefusedPath
from jupyter_ac.git.paths import (
    folder_beneath,
    is_git_segment,
    locate,
    locate_entry,
    normalise,
    open_beneath,
)
from jupyter_ac.git.repository import Repository, discover
from tests.support.repositories import make_repository

REFUSED = [
    "",
    "/",
    ".",
    "./",
    "/etc/passwd",
    "//server/share",
    "\\windows",
    "\\\\server\\share",
    "C:",
    "C:\\x",
    "c:/x",
    "./c:",
    "...",
    "C:x",
    "..",
    "../x",
    "a/../b",
    "a/..",
    "a\\..\\b",
    "..\\x",
    ".. /x",
    "... ./x",
    "a\0b",
    "\ud800",
    "a/\udfff",
    ".git",
    ".git/config",
    "a/.git/hooks/pre-commit",
    ".GIT/config",
    ".GiT",
    ".git ",
    ".git. .",
    ".git/",
    "a\\.git\\config",
    ".git::$INDEX_ALLOCATION/config",
    "git~1/config",
    "GIT~1",
    "GIT~23",
    ".g\u200cit/config",
    "\ufeff.git",
    "x/" * 3000,
]


def _refuse(*_: object, **__: object) -> int:
    raise PermissionError


def _folder(root: Path) -> Repository:
    """Return a value for a folder that need not be a repository."""
    root = Path(os.path.realpath(root))
    return Repository(root, root / ".git", root / ".git", root.name)


@pytest.mark.parametrize("path", REFUSED)
def test_a_path_that_leads_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(RefusedPath):
        normalise(path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a", "a"),
        ("a/b.py", "a/b.py"),
        ("a\\b.py", "a/b.py"),
        ("./a//b/./c/", "a/b/c"),
        ("-lead", "-lead"),
        (" spaces ", " spaces "),
        ("..a", "..a"),
        ("a..", "a.."),
        (".gitignore", ".gitignore"),
        (".github/x", ".github/x"),
        ("x.git/y", "x.git/y"),
        ("git~x", "git~x"),
        ("new\nline", "new\nline"),
        (":(top)*", ":(top)*"),
        ("l\udce9", "l\udce9"),
        ("\udcc3\udca9", "é"),
    ],
)
def test_a_path_inside_has_one_spelling(path: str, expected: str) -> None:
    assert normalise(path) == expected


def test_the_refusal_names_the_path_and_the_remedy() -> None:
    with pytest.raises(RefusedPath, match=r"'/etc/x' is absolute; name it relative"):
        normalise("/etc/x")


texts = st.text(st.characters(codec=None), max_size=30)
segments = st.sampled_from(
    ["..", ".", "", ".git", ".GIT", "a", "b c", "git~1", ".git.", "C:", "\\", "é", "\udce9", "\0"]
)


@settings(deadline=None)
@given(st.one_of(texts, st.lists(segments, max_size=6).map("/".join)))
def test_what_is_accepted_stays_below_and_out_of_git(path: str) -> None:
    try:
        normal = normalise(path)
    except RefusedPath:
        return
    parts = normal.split("/")
    assert parts
    assert not any(part in {"", ".", ".."} or is_git_segment(part) for part in parts)
    assert "\\" not in normal
    assert os.path.normpath(f"/root/{normal}").startswith("/root/")
    assert normalise(normal) == normal


@settings(deadline=None)
@given(st.binary(min_size=1, max_size=20).filter(lambda name: not set(name) & set(b"\0/\\:~.")))
def test_any_name_on_disk_comes_back_to_the_same_bytes(name: bytes) -> None:
    assert os.fsencode(normalise(name.decode("utf-8", "surrogateescape"))) == name


@settings(deadline=None)
@given(st.text(st.sampled_from("gGiItT.\u200c \ufeff:~1"), max_size=9))
def test_every_spelling_that_folds_to_git_is_seen(segment: str) -> None:
    folded = segment.replace("\u200c", "").replace("\ufeff", "").split(":")[0].rstrip(". ").lower()
    assert is_git_segment(segment) == (
        folded == ".git"
        or folded in {"git~1", "git~11", "git~111"}
        or folded.startswith("git~1111")
    )


async def test_a_backslash_in_a_name_on_disk_is_kept(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a\\b.txt": "literal\n", "d/c.txt": "x\n"})
    repository = await discover(folder.root)
    assert locate(repository, "a\\b.txt").absolute == folder.root / "a\\b.txt"
    assert locate(repository, "a\\b.txt").path == "a\\b.txt"
    assert locate(repository, "d\\c.txt").absolute == folder.root / "d" / "c.txt"


def test_a_file_that_does_not_exist_yet_has_a_place(tmp_path: Path) -> None:
    assert locate(_folder(tmp_path), "new/file.txt").absolute == tmp_path / "new" / "file.txt"


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside", "/", ".git/config", "sub/.git"])
def test_a_link_that_leads_out_or_into_git_is_refused(tmp_path: Path, target: str) -> None:
    root = tmp_path / "r"
    (root / ".git").mkdir(parents=True)
    (root / "sub" / ".git").mkdir(parents=True)
    (root / "link").symlink_to(target)
    for path in ("link", "link/below"):
        with pytest.raises(RefusedPath):
            locate(_folder(root), path)


def test_a_git_directory_of_another_name_is_refused(tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path))
    repository = Repository(root, root / "store", root / "store", root.name)
    with pytest.raises(RefusedPath):
        locate(repository, "store/config")


def test_a_link_that_stays_inside_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "f").write_text("x")
    (tmp_path / "link").symlink_to("real")
    located = locate(_folder(tmp_path), "link/f")
    assert located.absolute == tmp_path / "link" / "f"
    assert located.real == tmp_path / "real" / "f"


def test_links_in_a_circle_are_no_file(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    repository = _folder(tmp_path)
    with pytest.raises(NotFound):
        open_beneath(repository, locate(repository, "one"))


@pytest.mark.parametrize("swapped", ["folder", "folder/file"])
def test_a_link_put_there_after_the_check_leads_nowhere(tmp_path: Path, swapped: str) -> None:
    root, outside = tmp_path / "r", tmp_path / "outside"
    for folder in (root / "folder", outside):
        folder.mkdir(parents=True)
        (folder / "file").write_text("x")
    repository = _folder(root)
    located = locate(repository, "folder/file")
    (root / "folder" / "file").unlink()
    if swapped == "folder":
        (root / "folder").rmdir()
        (root / "folder").symlink_to(outside)
    else:
        (root / "folder" / "file").symlink_to(outside / "file")
    with pytest.raises(NotFound):
        open_beneath(repository, located)


def test_the_folder_of_a_file_is_opened_or_made_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "file").write_text("")
    repository = _folder(tmp_path)
    with folder_beneath(repository, locate(repository, "link/new")) as folder:
        assert os.fstat(folder).st_ino == (tmp_path / "real").stat().st_ino
    deep = locate(repository, "real/a/b/new")
    with pytest.raises(FileNotFoundError), folder_beneath(repository, deep):
        pass
    for _ in range(2):
        with folder_beneath(repository, deep, make=True) as folder:
            assert os.fstat(folder).st_ino == (tmp_path / "real/a/b").stat().st_ino
    through = locate(repository, "file/new")
    with pytest.raises(NotADirectoryError), folder_beneath(repository, through, make=True):
        pass
    (tmp_path / "top").symlink_to(".")
    top = locate(repository, "top")
    with pytest.raises(IsADirectoryError), folder_beneath(repository, top):
        pass


def test_a_pipe_or_a_folder_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "self").symlink_to(".")
    repository = _folder(tmp_path)
    for path in ("pipe", "folder", "self", "folder/x"):
        with pytest.raises(NotFound):
            open_beneath(repository, locate(repository, path))


def test_a_file_that_may_not_be_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "closed").touch(0)
    repository = _folder(tmp_path)
    if os.geteuid() == 0:  # who may read everything
        monkeypatch.setattr(os, "open", _refuse)
    with pytest.raises(NotFound, match="may not be read"):
        open_beneath(repository, locate(repository, "closed"))


def test_an_entry_is_the_link_itself(tmp_path: Path) -> None:
    repository = _folder(tmp_path)
    (tmp_path / "out").symlink_to("/etc")
    located = locate_entry(repository, "out")
    assert located.real == Path(os.path.realpath(tmp_path)) / "out"
    with pytest.raises(RefusedPath, match="leads out"):
        locate_entry(repository, "out/passwd")
    with pytest.raises(RefusedPath):
        locate_entry(repository, ".git/config")
