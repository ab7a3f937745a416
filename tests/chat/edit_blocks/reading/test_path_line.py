"""Which lines name a file."""

import pytest

from jupyter_ac.chat.edit_blocks.reading.path_line import path_of


def _none_exists(_: str) -> bool:
    return False


def _never_asked(name: str) -> bool:
    pytest.fail(f"asked about {name!r}")


@pytest.mark.parametrize(
    "line",
    [
        "src/a.py",
        "src\\a.py",
        "a.py",
        "a..b.py",
        ".gitignore",
        ".env.local",
        "Makefile",
        "Dockerfile",
        "LICENSE",
        "CODEOWNERS",
        "a.tar.gz",
        "src/[id].tsx",
        "[slug].tsx",
        "(group)/page.tsx",
        "a#b.py",
        "C#",
        "src/C#/a",
        "src/naïve/日本語.txt",
        "../up.py",
        "/etc/passwd",
        ".git/config",
        "x" * 195 + ".py",
    ],
)
def test_a_name_without_blanks_is_a_path_without_a_look_at_the_disk(line: str) -> None:
    assert path_of(line, _never_asked) == line
    assert path_of(f"  {line}\t", _never_asked) == line


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "# setup.py",
        "#setup.py",
        "// a.py",
        "* a.py",
        "*.py",
        "- src/a.py",
        "-a.py",
        "> a.py",
        "```a.py",
        "~~~ a.py",
        "---",
        "===",
        "...",
        "Done.",
        "Done!",
        "Here:",
        "or/and,",
        "https://example.org/a.py",
        "</details>",
        "<br/>",
        "x" * 198 + ".py",
    ],
)
def test_a_line_that_starts_or_ends_like_something_else_is_none(line: str) -> None:
    assert path_of(line, _none_exists) == ""


@pytest.mark.parametrize("name", ["my notes", "now fix the a.py", "# a heading", "a, b; c", "- a"])
def test_a_name_with_blanks_is_a_path_when_the_file_exists(name: str) -> None:
    assert path_of(name, lambda asked: asked == name) == name


@pytest.mark.parametrize(
    "line",
    [
        "my notes.md",
        "docs/my new file.md",
        "a b.txt",
        "file with spaces.txt",
        "dir with blanks/a file (2) [x] #3.py",
        "Résumé final.docx",
    ],
)
def test_a_name_with_blanks_that_ends_in_an_extension_is_a_path(line: str) -> None:
    assert path_of(line, _none_exists) == line


@pytest.mark.parametrize(
    "line",
    [
        "Here is the change to main.py",
        "Now edit src/app.py",
        "Let's update utils.py",
        "Let\N{RIGHT SINGLE QUOTATION MARK}s see utils.py",
        "Edit main.py",
        "Updated config.json",
        "Fixing a.py",
        "First, the file a.py",
        "It works. See a.py",
        "The bug is in a.py",
        "I changed `a.py`",
        "`a.py` and `b.py`",
        "See https://example.org and a.py",
        "no extension here",
        "Two words",
        "This is a longer sentence that ends with the name of a file.",
    ],
)
def test_prose_is_no_path(line: str) -> None:
    assert path_of(line, _none_exists) == ""


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("`a.py`", "a.py"),
        ("`my notes`", "my notes"),
        ("`# the file in question.`", "# the file in question."),
        ("`-x`", "-x"),
        ("` a`", " a"),
        ("``a`b.py``", "a`b.py"),
        ("`" + "x" * 300 + "`", "x" * 300),
    ],
)
def test_a_line_wholly_in_backticks_is_a_path(line: str, path: str) -> None:
    assert path_of(line, _never_asked) == path


@pytest.mark.parametrize("line", ["``", "`", "` `", "```", "```python", "```a```", "`" * 5000])
def test_backticks_around_nothing_are_no_path(line: str) -> None:
    assert path_of(line, _none_exists) == ""


@pytest.mark.parametrize(
    "line",
    [
        "src/a.py:",
        "**src/a.py**",
        "**src/a.py:**",
        "**src/a.py**:",
        "**`src/a.py`**",
        "`src/a.py`:",
        "File: src/a.py",
        "file: `src/a.py`",
        "File path: src/a.py",
        "**File:** src/a.py",
        "**File:** `src/a.py`",
        "**File**: src/a.py",
        "**File: src/a.py**",
        "Filename: src/a.py",
    ],
)
def test_a_decorated_path_is_one(line: str) -> None:
    assert path_of(line, _none_exists) == "src/a.py"


def test_a_decorated_known_name_is_a_path() -> None:
    assert path_of("Makefile:", _none_exists) == "Makefile"
    assert path_of("**Dockerfile**", _none_exists) == "Dockerfile"


@pytest.mark.parametrize(
    "line", ["Example:", "**Important**", "**Changes:**", "File: not found", "File: yes", "Path:"]
)
def test_decorated_prose_is_no_path(line: str) -> None:
    assert path_of(line, _none_exists) == ""


def test_a_file_whose_name_looks_decorated_is_meant_when_it_exists() -> None:
    assert path_of("File: a.py", lambda name: name == "File: a.py") == "File: a.py"
