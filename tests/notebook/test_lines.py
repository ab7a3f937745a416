import pytest

from jupyter_ac.notebook.dialects import dialect_of
from jupyter_ac.notebook.lines import read_code, read_text, write_code, write_text


@pytest.mark.parametrize(
    ("language", "line", "written"),
    [
        ("python", "%time f()", "# %time f()"),
        ("python", "    !ls", "    # !ls"),
        ("python", "# %time f()", "# # %time f()"),
        ("python", "# %% x", "# # %% x"),
        ("python", "%% x", "%% x"),
        ("python", "a % b", "a % b"),
        ("python", "ls = 1", "ls = 1"),
        ("python", "ls -l", "# ls -l"),
        ("rust", ":dep x", "// :dep x"),
        ("csharp", "#!sql", "// #!sql"),
        ("matlab", "%% Section", "%% Section"),
        ("ocaml", "(* %% x", "(* (* %% x *)"),
    ],
)
def test_a_line_of_code(language: str, line: str, written: str) -> None:
    form = dialect_of(language)
    assert list(write_code([line], form)) == [written]
    assert list(read_code([written], form)) == [line]


@pytest.mark.parametrize(
    ("lines", "written"),
    [
        (["!a \\", "  b", "c"], ["# !a \\", "#   b", "c"]),
        (["!a \\", "%% b"], ["# !a \\", "# # %% b"]),
        (['"""', "%d", '"""', "%d"], ['"""', "%d", '"""', "# %d"]),
        (["x = 'a\\'\"\"\"'", "%d"], ["x = 'a\\'\"\"\"'", "# %d"]),
        (["x = '''a\\'''", "%d", "'''"], ["x = '''a\\'''", "%d", "'''"]),
        (['# """', "%d"], ['# """', "# %d"]),
    ],
)
def test_lines_depend_on_those_before(lines: list[str], written: list[str]) -> None:
    form = dialect_of("python")
    assert list(write_code(lines, form)) == written
    assert list(read_code(written, form)) == lines


def test_text_that_looks_like_a_marker_is_none() -> None:
    form = dialect_of("python")
    lines = ["%% x", "# %% x", "", " "]
    written = ["# # %% x", "# # # %% x", "#", "#  "]
    assert list(write_text(lines, form)) == written
    assert list(read_text(written, form)) == lines
