"""Real changes, written as edit blocks, parsed and applied, give what people made of the files."""

import shutil
from pathlib import Path

import pytest

from tests.meta.sources import ROOT
from tests.support.debian_patches import DebianSources
from tests.support.real_edits import Change, ReplayResult, edits, history, inexpressible, replay
from tests.support.repositories import make_repository

# Packages of bookworm with many patches to text of many kinds, some of it with CRLF.
PACKAGES = (
    "unzip",
    "busybox",
    "bzip2",
    "expect",
    "freeimage",
    "ghostscript",
    "irrlicht",
    "libxml2",
    "lzma",
    "openssh",
    "openssl",
    "python3.11",
    "systemd",
    "tinyxml2",
    "vim",
)
# Enough of this project's own history for every run; `make soak` takes all of it.
NEWEST_COMMITS = 6

FUNCTION = "def f{0}(x):\n    if x:\n        return {0}\n\n    return None\n\n\n"


def of_one(before: bytes | None, after: bytes | None, new_path: str = "") -> ReplayResult:
    return replay(iter([Change("a.py", before, after, new_path)]))


def test_a_made_up_history_comes_out_byte_for_byte(tmp_path: Path) -> None:
    """What a clone without a history has too: each kind of file, each kind of change."""
    text = "".join(FUNCTION.format(number) for number in range(12))
    folder = make_repository(tmp_path / "repo", {"a.py": text, "empty": "", "gone.txt": "x\n"})
    folder.write("crlf.txt", text.replace("\n", "\r\n"))
    folder.write("open.txt", text + "the last line")
    folder.write("bom.txt", "\ufeff" + text)
    folder.write("mixed.txt", text.replace("if x:\n", "if x:\r\n"))
    folder.write("weird name # [1].txt", "\x0c\u2028\u0085\n" * 3)
    folder.commit("all kinds")
    changed = text.replace("return 3\n\n", "return 33\n").replace("def f7(x):", "def f7(x, y=1):")
    changed = changed.replace("    return None\n\n\ndef f5", "\n\n    return 0\n\n\n\ndef f5")
    changed = changed.replace(FUNCTION.format(9), "") + FUNCTION.format(99)
    folder.write("a.py", changed)
    folder.write("empty", "no longer\n")
    folder.write("crlf.txt", changed.replace("\n", "\r\n"))
    folder.write("open.txt", "first\n" + changed + "the last line")
    folder.write("bom.txt", "\ufeff" + "first\n" + changed)
    folder.write("mixed.txt", text.replace("if x:\n", "if not x:\r\n").replace("7", "8"))
    folder.git("rm", "-q", "gone.txt")
    folder.git("mv", "weird name # [1].txt", "other name.txt")
    folder.commit("changes")
    folder.write("open.txt", changed + "another last line")
    folder.write("a.py", changed + "without a newline")
    folder.commit("more")
    folder.write("a.py", changed + "with a newline\n")
    folder.commit("a newline at the end")
    tally = replay(history(folder.root))
    assert tally.misses == []
    assert tally.exact == 15, tally
    assert tally.rewritten == 1, tally
    # CRLF, a mark, an open end can't be made by a block, nor taken from a file by one.
    assert tally.left_out.total() == 4, tally


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\nc\n", b"c\nb\na\n"),
        (b"a\n", b""),
        (b"", b"a\n"),
        (b"a\n" * 50, b"a\n" * 60),
        (b"a\n" * 50, b"a\n" * 25 + b"b\n" + b"a\n" * 25),
        (b"a\nb\n" * 30, b"a\nb\n" * 10 + b"b\n" + b"a\nb\n" * 20),
        (b"x\r\ny\nz", b"x\r\ny\nw\nz"),
        (b"x\ny\nz", b"y\nzz"),
        (b"\n\n\n", b"\n"),
        (b"a\nb", b"a\n"),
    ],
)
def test_changes_among_equal_lines_come_out_byte_for_byte(before: bytes, after: bytes) -> None:
    assert of_one(before, after).misses == []


def test_a_renamed_and_changed_file_comes_out_byte_for_byte() -> None:
    tally = of_one(b"a\nb\n", b"a\nc\n", "new/b.py")
    assert (tally.exact, tally.blocks, tally.misses) == (1, 2, [])


def test_markers_in_a_file_are_written_in_the_other_family() -> None:
    block = b"\xf0\x9f\x9f\xa7\xf0\x9f\x9f\xa7\xf0\x9f\x9f\xa7 EDIT\n"
    assert of_one(b"a\n" + block, b"b\n" + block).misses == []
    assert of_one(None, block).misses == []


def test_what_lines_cannot_say_is_told() -> None:
    assert inexpressible(Change("a", b"a", b"a\n")) == "last newline changed"
    assert inexpressible(Change("a", b"a\r\n", b"a\n")) == "line ends changed"
    assert inexpressible(Change("a", None, b"a")) == "made without LF at the end of each line"
    assert of_one(b"a\n", b"a").left_out.total() == 1
    assert of_one(b"\0", b"a").left_out["binary or not UTF-8"] == 1


def test_blocks_hold_no_more_lines_than_make_them_unique() -> None:
    text = "".join(FUNCTION.format(number) for number in range(12)).encode()
    (block,) = edits(Change("a.py", text, text.replace(b"return 7", b"return 8")))
    assert block.old == ("        return 7",)


def test_this_projects_newest_commits_come_out_byte_for_byte() -> None:
    """A copy without a history, or with one commit, has less to show and nothing to miss."""
    if (ROOT / ".git").exists():
        assert replay(history(ROOT, limit=NEWEST_COMMITS)).misses == []


@pytest.mark.soak
def test_all_of_this_projects_history_comes_out_byte_for_byte() -> None:
    assert replay(history(ROOT)).misses == []


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> DebianSources:
    sources = DebianSources(tmp_path_factory.mktemp("debian"))
    sources.update()
    return sources


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("dpkg-source") is None, reason="Debian's tools fetch its sources")
@pytest.mark.parametrize("package", PACKAGES)
def test_debians_patches_come_out_byte_for_byte(package: str, debian: DebianSources) -> None:
    tally = replay(debian.changes(package))
    assert tally.exact > 0
    assert tally.misses == []
