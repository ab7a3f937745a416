"""Archives of repositories, also hostile ones: files come out below the folder or not at all."""

import io
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import Unsupported
from jupyter_ac.web import repository_archive
from jupyter_ac.web.repository_archive import readme_of, unpack


def archive(*rows: tuple[str, bytes] | tarfile.TarInfo) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as tar:
        for row in rows:
            if isinstance(row, tarfile.TarInfo):
                tar.addfile(row)
                continue
            info = tarfile.TarInfo(row[0])
            info.size = len(row[1])
            tar.addfile(info, io.BytesIO(row[1]))
    return file.getvalue()


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def files_below(folder: Path) -> list[str]:
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


def test_files_without_the_outermost_folder(tmp_path: Path) -> None:
    data = archive(("b-main/README.md", b"# B"), ("b-main/src/x.py", b"x = 1\n"))
    assert unpack(data, tmp_path) == 2
    assert files_below(tmp_path) == ["README.md", "src/x.py"]
    assert readme_of(tmp_path) == "# B"


@pytest.mark.parametrize(
    "name",
    [
        *("/etc/passwd", "a/../../evil", "../evil", "a/..", "a/./b", "a//b", "file"),
        *("a/.git/config", "a/.GIT/hooks/pre-commit", "a/c:\\evil", "a/x\\y"),
    ],
)
def test_names_that_lead_elsewhere(tmp_path: Path, name: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    assert unpack(archive((name, b"evil"), ("a/good", b"1")), inside) == 1
    assert files_below(tmp_path) == ["inside/good"]


def test_links_and_devices(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    data = archive(
        link("a/out", "/etc"),
        ("a/out/evil", b"1"),
        link("a/hard", "../secret", tarfile.LNKTYPE),
        link("a/pipe", "", tarfile.FIFOTYPE),
        link("a/device", "", tarfile.CHRTYPE),
    )
    unpack(data, inside)
    assert files_below(inside) == ["out/evil"]


def test_a_name_twice_and_a_folder_in_the_way(tmp_path: Path) -> None:
    assert unpack(archive(("a/x", b"1"), ("a/x", b"2"), ("a/x/y", b"3")), tmp_path) == 1
    assert (tmp_path / "x").read_bytes() == b"1"


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository_archive, "MAX_FILES", 2)
    monkeypatch.setattr(repository_archive, "MAX_FILE_BYTES", 10)
    monkeypatch.setattr(repository_archive, "MAX_UNPACKED_BYTES", 1000)
    large = ("a/large", b"x" * 11)
    assert unpack(archive(large, ("a/1", b""), ("a/2", b""), ("a/3", b"")), tmp_path) == 2
    assert files_below(tmp_path) == ["1", "2"]
    with pytest.raises(Unsupported, match="more than"):
        unpack(archive(("a/huge", b"x" * 1001)), tmp_path)


# An archive holds the time at which it was made: the names of the tests must not.
@pytest.mark.parametrize(
    "data",
    [b"", b"nonsense", archive(("a/x", b"x" * 10_000))[:60]],
    ids=["empty", "nonsense", "cut"],
)
def test_no_archives(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(Unsupported, match="archive can't be read"):
        unpack(data, tmp_path)


@pytest.mark.parametrize("name", ["readme", "README.rst", "Readme.TXT"])
def test_readme_files(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("read me")
    assert readme_of(tmp_path) == "read me"


def test_markdown_is_the_first_readme(tmp_path: Path) -> None:
    (tmp_path / "README").write_text("plain")
    (tmp_path / "README.md").write_text("markdown")
    assert readme_of(tmp_path) == "markdown"


def test_no_readme(tmp_path: Path) -> None:
    (tmp_path / "readme.md").mkdir()
    (tmp_path / "other.md").write_text("x")
    assert readme_of(tmp_path) == ""


@given(st.lists(st.text(alphabet="a./\\:~", min_size=1, max_size=12), max_size=6))
def test_any_names(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    above = tmp_path_factory.mktemp("above")
    inside = above / "inside"
    inside.mkdir()
    unpack(archive(*((name, b"x") for name in names), ("a/a", b"y")), inside)
    assert [each.name for each in above.iterdir()] == ["inside"]
