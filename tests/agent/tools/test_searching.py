from pathlib import Path

import pytest

from jupyter_ac.agent.tools.result_text import MAX_CHARS, ResultMasker
from jupyter_ac.agent.tools.searching import (
    MAX_FILES,
    MAX_MATCHES,
    MAX_ROWS,
    ListFilesTool,
    SearchTool,
)
from jupyter_ac.errors import AcError, InvalidParams, NotFound, RefusedPath
from tests.agent.tools.calls import KEY, Caller, folder_of, opened
from tests.agent.tools.test_checked_files import NOTEBOOK
from tests.support.exclusions import none_excluded
from tests.support.repositories import RepositoryFolder


async def listing(repo: RepositoryFolder, /, **arguments: object) -> list[str]:
    tool = ListFilesTool(await opened(repo), ResultMasker({}), none_excluded)
    text = await Caller().text(tool, **arguments)
    return text.splitlines()


async def found(repo: RepositoryFolder, /, **arguments: object) -> str:
    return await Caller().text(
        SearchTool(await opened(repo), ResultMasker({}), none_excluded), **arguments
    )


async def test_files_that_git_doesnt_ignore_are_listed(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {".gitignore": "*.log\n", "src/a.py": "", "b.md": ""})
    folder.write("new.py", "")
    folder.write("x.log", "")
    assert await listing(folder) == ["4 files", ".gitignore", "b.md", "new.py", "src/a.py"]


async def test_a_folder_and_a_pattern(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"src/a.py": "", "src/b/c.py": "", "src/d.md": "", "e.py": ""})
    assert await listing(folder, folder="src") == ["3 files", "src/a.py", "src/b/c.py", "src/d.md"]
    assert await listing(folder, folder="src/", pattern="*.py") == [
        "2 files",
        "src/a.py",
        "src/b/c.py",
    ]
    assert await listing(folder, folder="src", pattern="/*.py") == ["1 file", "src/a.py"]
    assert await listing(folder, pattern="src/**/c.py") == ["1 file", "src/b/c.py"]
    assert await listing(folder, pattern="*.rs") == ["No files match."]
    assert len(await listing(folder, folder=".")) == 5


async def test_a_hidden_folder_keeps_its_dot(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {".github/ci.yml": "", "github/x": ""})
    assert await listing(folder, folder=".github") == ["1 file", ".github/ci.yml"]


async def test_large_folders_are_one_row(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"data/d{n // 100}/{n}.txt": "" for n in range(600)}
    folder = folder_of(tmp_path, {**files, "a.py": ""})
    rows = await listing(folder)
    assert rows[:2] == ["601 files", "a.py"]
    assert rows[2:] == [f"data/d{n}/ (100 files)" for n in range(6)]
    assert len(await listing(folder, folder="data/d1")) == 101


async def test_many_files_of_one_folder_are_cut(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"{n:04}.txt": "" for n in range(MAX_ROWS + 5)}
    rows = await listing(folder_of(tmp_path, files))
    assert len(rows) == MAX_ROWS + 2
    assert rows[-1].startswith(f"[cut: {MAX_ROWS} of {MAX_ROWS + 5} rows")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("..", RefusedPath),
        (".git", RefusedPath),
        ("out", RefusedPath),
        ("gone", NotFound),
        ("a.py", NotFound),
    ],
)
async def test_folders_that_cant_be_listed_or_searched(
    tmp_path: Path, path: str, kind: type[AcError]
) -> None:
    folder = folder_of(tmp_path)
    (folder.root / "out").symlink_to("/etc")
    with pytest.raises(kind):
        await listing(folder, folder=path)
    with pytest.raises(kind):
        await found(folder, text="x", folder=path)


async def test_names_that_arent_utf8_are_written_as_escapes(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    folder.write("caf\udce9.txt", "word\n")
    assert "caf\\udce9.txt" in await listing(folder)
    assert "caf\\udce9.txt\n  1: word" in await found(folder, text="word")


async def test_lines_are_found_by_file(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"a.py": "x = 1\nfern\n", "src/b.py": "Fern\n", "c.md": "moss\n"})
    assert await found(folder, text="fern") == "1 line in 1 file\na.py\n  2: fern"
    text = await found(folder, text="fern", ignore_case=True)
    assert text == "2 lines in 2 files\na.py\n  2: fern\nsrc/b.py\n  1: Fern"
    text = await found(folder, text="fer[mn]", is_regex=True, ignore_case=True, folder="src")
    assert text == "1 line in 1 file\nsrc/b.py\n  1: Fern"
    assert await found(folder, text="nowhere") == "0 lines in 0 files"


async def test_what_git_ignores_isnt_searched(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {".gitignore": "*.log\n"})
    folder.write("x.log", "fern")
    assert await found(folder, text="fern") == "0 lines in 0 files"


async def test_files_that_seem_to_hold_secrets_are_only_counted(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {".env": "FERN=1\n", "c.py": f"fern = 1\nk = '{KEY}'\n"})
    text = await found(folder, text="fern", ignore_case=True)
    assert text.splitlines() == [
        "2 lines in 2 files",
        "[not shown, may hold secrets: 2 files; read_file asks]",
    ]


async def test_secrets_in_other_files_are_masked(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"a.py": "db_password = 'hunter2-is-secret'\n"})
    text = await found(folder, text="password")
    assert "hunter2" not in text
    assert "[tool secret 1]" in text


async def test_of_notebooks_only_the_number_is_told(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"n.ipynb": NOTEBOOK})
    text = await found(folder, text="PRINTED")
    assert text.splitlines()[1].startswith("n.ipynb: 1 line of its JSON")
    assert "output_type" not in text


async def test_long_lines_many_matches_and_many_files_are_bounded(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"{n:03}.py": "fern = 1\n" * 3 for n in range(MAX_FILES + 7)}
    long = "y" * 5000 + "fern" + "z" * 5000 + "\n"
    folder = folder_of(tmp_path, {**files, "000.py": "fern\n" * (MAX_MATCHES + 9), "001.js": long})
    text = await found(folder, text="fern")
    assert "  [9 more lines]" in text
    assert f"[cut: {MAX_FILES} of {MAX_FILES + 8} files" in text
    excerpt = next(line for line in text.splitlines() if "yyyy" in line)
    assert "fern" in excerpt
    assert len(excerpt) < 400
    assert len(text) < MAX_CHARS + 300


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "a\0", "x" * 5000])
async def test_what_cant_be_searched_for(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidParams):
        await found(folder_of(tmp_path), text=text)


@pytest.mark.parametrize("text", ["(", "((a{1,255}){1,255}){1,255}"])
async def test_expressions_that_are_wrong_or_blow_up(tmp_path: Path, text: str) -> None:
    with pytest.raises(AcError):
        await found(folder_of(tmp_path, {"a.py": "a" * 300 + "\n"}), text=text, is_regex=True)


async def test_titles(tmp_path: Path) -> None:
    repository = await opened(folder_of(tmp_path))
    search, list_files = (
        kind(repository, ResultMasker({}), none_excluded) for kind in (SearchTool, ListFilesTool)
    )
    assert search.title({"text": "a\nb", "folder": "src"}) == "a b in src"
    assert list_files.title({}) == "."
    assert list_files.title({"folder": "src", "pattern": "*.py"}) == "src *.py"
