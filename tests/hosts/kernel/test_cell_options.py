"""The first line of an `%%ac` cell, and the files that it names."""

import pytest
from IPython.core.error import UsageError

from jupyter_ac.hosts.kernel.cell_options import (
    CellOptions,
    in_repository,
    read_options,
    suggestion,
)
from tests.support.repositories import RepositoryFolder


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("", CellOptions()),
        ("--model openai/x -o answer", CellOptions("openai/x", (), "answer")),
        ("-f a.py -f 'b c.py' --model=m", CellOptions("m", ("a.py", "b c.py"))),
        ("--cell -o x", CellOptions("", (), "x", is_cell=True)),
        ("--agent", CellOptions(mode="agent")),
        ("--plan -f a.py", CellOptions("", ("a.py",), mode="plan")),
    ],
)
def test_the_first_line_is_read(line: str, options: CellOptions) -> None:
    assert read_options(line) == options


@pytest.mark.parametrize(
    "line",
    [
        "-x",
        "folder",
        "-o",
        "-o a.b",
        "-o class",
        "-f",
        "'open",
        "--mod x",
        "--model",
        "--agent --plan",
    ],
)
def test_a_first_line_that_makes_no_sense_is_said(line: str) -> None:
    with pytest.raises(UsageError, match="%%ac: "):
        read_options(line)


def test_files_are_looked_for_in_the_kernel_s_folder_then_in_the_repository(
    garden: RepositoryFolder,
) -> None:
    root, folder = garden.root, garden.root / "docs"
    assert in_repository("b.md", folder, root) == "docs/b.md"
    assert in_repository("a.py", folder, root) == "a.py"
    assert in_repository("../a.py", folder, root) == "a.py"
    assert in_repository(str(root / "a.py"), folder, root) == "a.py"
    (root.parent / "c.py").write_text("")
    for outside in ("../../c.py", str(root.parent / "c.py")):
        with pytest.raises(UsageError, match="outside the repository"):
            in_repository(outside, folder, root)
    with pytest.raises(UsageError, match="'docs' is a folder"):
        in_repository("docs", root, root)
    for missing in ("x.py", "~no-such-user/x"):
        with pytest.raises(UsageError, match="no file"):
            in_repository(missing, folder, root)


def test_names_that_are_nearly_right_are_suggested(garden: RepositoryFolder) -> None:
    assert suggestion("frmae", ["frame", "df"]) == "; did you mean frame"
    assert suggestion("x", ["frame"]) == ""
    with pytest.raises(UsageError, match=r"'docs/bb\.md' .*; did you mean b\.md\.$"):
        in_repository("docs/bb.md", garden.root, garden.root)
