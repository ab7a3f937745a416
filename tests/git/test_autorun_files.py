import re
from pathlib import Path

import pytest

from jupyter_ac.git.autorun_files import AUTORUN_FILES, autorun_reason, autorun_reason_below

EDITING = Path(__file__).parents[2] / "docs" / "editing.md"
PATTERNS = [(pattern, files.reason) for files in AUTORUN_FILES for pattern in files.patterns]
RUN_WHEN_OPENED = [
    ".hg/hgrc",
    "build.rs",
    "crates/core/build.rs",
    ".pylintrc",
    "pylintrc.toml",
    ".flake8",
    "mypy.ini",
    ".eslintrc.cjs",
    "eslint.config.mjs",
    ".prettierrc",
    "flake.nix",
    ".bsp/tool.json",
    "rust-toolchain.toml",
    "src/Directory.Build.targets",
    "tool.egg-info/entry_points.txt",
    "matplotlibrc",
    "gradlew",
    "tools/bazel",
    ".vs/tasks.vs.json",
    "hie.yaml",
]
ORDINARY = [
    "README.md",
    "Makefile",
    "setup.py",
    "pyproject.toml",
    "package.json",
    "Dockerfile",
    "Justfile",
    "Taskfile.yml",
    "Rakefile",
    "noxfile.py",
    "tox.ini",
    "pytest.ini",
    "CMakeLists.txt",
    "Cargo.toml",
    "build.gradle",
    "vite.config.ts",
    "jest.config.js",
    "tsconfig.json",
    "pyrightconfig.json",
    "ruff.toml",
    ".nvmrc",
    ".hgignore",
    "AGENTS.md",
    ".gitignore",
    ".editorconfig",
    ".env.example",
    ".github/ISSUE_TEMPLATE/bug.md",
    ".gitlab/issue_templates/bug.md",
    "src/config.py",
    "src/conftest_helpers.py",
    "src/head.py",
    "src/HEAD/body.py",
    "src/build.py",
    "src/build.rs.txt",
    "src/settings/page.py",
    "src/my.eslintrc.ts",
    "src/venv.py",
    "src/venv/builder.py",
    "src/jupyter/config.py",
    "src/my_jupyter_config.py",
    "jupyter_ac/settings/config.py",
    "docs/vscode/settings.md",
    "hooks/use_state.ts",
    "tests/test_pth.py",
    "tests/x.path",
    "sitecustomized.py",
    "binder/environment.txt",
    "binder/apt.txt",
    "apt.txt",
    "requirements.txt",
    "src/start",
    "start/page.ts",
    "analysis/install.R",
    "actions.yml",
    "a/b/c/d.txt",
]


@pytest.mark.parametrize(("pattern", "reason"), PATTERNS)
def test_a_file_of_each_pattern_is_known(pattern: str, reason: str) -> None:
    name = pattern.removesuffix("$").removeprefix("/").replace("*", "").casefold()
    assert autorun_reason(name) == reason
    assert autorun_reason(f"a/b/{name}") == ("" if pattern.startswith("/") else reason)
    if "*" in pattern:
        assert autorun_reason(pattern.replace("*", "xyz").casefold()) == reason
    if name.endswith(".yml"):
        assert autorun_reason(name.replace(".yml", ".yaml")) == reason
    is_below = autorun_reason(f"{name}/a/b") == reason
    assert is_below is not pattern.endswith("$")


@pytest.mark.parametrize("path", RUN_WHEN_OPENED)
def test_what_editors_builds_and_checkers_run_waits(path: str) -> None:
    assert autorun_reason(path.casefold())


@pytest.mark.parametrize("path", ORDINARY)
def test_ordinary_files_are_not(path: str) -> None:
    assert autorun_reason(path.casefold()) == ""


@pytest.mark.parametrize(
    ("folder", "is_above"),
    [
        (".github", True),
        ("a/.github", True),
        ("binder", True),
        ("profile_default", True),
        ("src", False),
        (".github2", False),
    ],
)
def test_folders_whose_files_may_run(folder: str, *, is_above: bool) -> None:
    assert bool(autorun_reason_below(folder)) is is_above


def test_the_table_stands_in_the_documents_as_it_is() -> None:
    rows = re.findall(r"^\| ([^|]+) \| (`[^|]+) \|$", EDITING.read_text(), re.MULTILINE)
    written = [(reason, tuple(re.findall("`([^`]+)`", names))) for reason, names in rows]
    assert written == [(files.reason, files.patterns) for files in AUTORUN_FILES]
