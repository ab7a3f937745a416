import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.git.autorun_files import AUTORUN_FILES
from jupyter_ac.git.protected_paths import ProtectedPaths, protected_paths
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder, make_repository

NAMES = ProtectedPaths()
CONFIGURED = ProtectedPaths({"tools/hooks": "hook", "tools/strip.py": "filter"})
PROTECTED = [
    pattern.removesuffix("$").replace("*", "x")
    for files in AUTORUN_FILES
    for pattern in files.patterns
    if not pattern.startswith("/")
]
IGNORED = ["", "", "", "\u200c", "\u200d", "\ufeff"]
LOOKALIKES = {"s": "\u017f", "k": "\u212a", "v": "\uff56"}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "r", {"a.txt": "a\n", "tools/strip.py": "", "tools/x": ""})


async def protected(folder: RepositoryFolder) -> ProtectedPaths:
    return await protected_paths(await discover(folder.root))


@st.composite
def spellings(draw: st.DrawFn, paths: list[str]) -> str:
    """A path as somebody might write it who wants it not to be known."""
    letters = []
    for letter in draw(st.sampled_from(paths)):
        other = draw(st.sampled_from([letter, letter.upper(), LOOKALIKES.get(letter, letter)]))
        letters.append(other + draw(st.sampled_from(IGNORED)))
    names = "".join(letters).split("/")
    names = [name + draw(st.sampled_from(["", "", ".", " ", ". .", ":x"])) for name in names]
    return draw(st.sampled_from(["/", "//", "/./", "\\"])).join(names)


@given(
    st.lists(st.sampled_from(["src", "a b", "ä", ".x"]), max_size=3),
    spellings(PROTECTED),
)
def test_a_file_that_runs_is_known_in_any_spelling_and_depth(above: list[str], path: str) -> None:
    assert NAMES.reason("/".join([*above, path]))


@given(spellings(["tools/hooks", "tools/hooks/pre-commit", "tools/strip.py"]))
def test_what_is_configured_is_known_in_any_spelling(path: str) -> None:
    assert CONFIGURED.reason(path)


@given(
    st.lists(
        st.text("abcdefghiklmnoqrstuwxyz", min_size=1, max_size=8).map("q{}".format), min_size=1
    ),
    st.sampled_from(["py", "md", "ts", "toml"]),
)
def test_ordinary_files_are_not_protected(names: list[str], ending: str) -> None:
    assert not CONFIGURED.reason(f"{'/'.join(names)}.{ending}")


@pytest.mark.parametrize(
    "path", [".git", ".GIT/hooks/x", "a/.git", "git~1/config", ".git\u200c/x", "a\\.git\\config"]
)
def test_gits_own_files_are_protected_too(path: str) -> None:
    assert NAMES.reason(path) == "it is git's own"


@pytest.mark.parametrize("path", ["GITHOO~1/pre-commit", "VSCODE~1/tasks.json", "CONFTE~1.PY"])
def test_short_names_may_be_any_files(path: str) -> None:
    assert NAMES.reason(path)
    assert not NAMES.reason("notes~/HEAD~long.txt")


def test_a_link_to_a_folder_counts_for_all_below_its_name() -> None:
    for path in ("tools", ".github", "a/.config"):
        assert NAMES.reason(path) == ""
        assert CONFIGURED.reason(path, is_folder=True)
    assert not CONFIGURED.reason("src", is_folder=True)
    assert not CONFIGURED.reason("tool", is_folder=True)


@pytest.mark.parametrize(
    ("hooks", "path"),
    [
        ("tools/hooks", "tools/hooks/post-index-change"),
        ("./tools//hooks/", "tools/hooks/post-index-change"),
        (".", "post-index-change"),
        ("link", "tools/x"),
        ("link", "link/new"),
    ],
)
async def test_the_hooks_folder_is_wherever_it_is_configured(
    folder: RepositoryFolder, hooks: str, path: str
) -> None:
    (folder.root / "link").symlink_to("tools")
    folder.git("config", "core.hooksPath", hooks)
    assert "hooks folder" in (await protected(folder)).reason(path)
    assert not (await protected(folder)).reason("src/index.py")


async def test_what_a_hook_is_a_link_to_is_a_hook(folder: RepositoryFolder) -> None:
    hooks = folder.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "pre-commit").symlink_to("../../tools/x")
    (hooks / "pre-push").symlink_to("/bin/true")
    found = await protected(folder)
    assert "hooks folder" in found.reason("tools/x")
    assert not found.reason("tools/y")


async def test_files_that_commands_name_and_those_beside_them(folder: RepositoryFolder) -> None:
    folder.git("config", "filter.strip.clean", "python3 tools/strip.py")
    folder.git("config", "alias.go", "!sh ./run.sh")
    folder.git("config", "alias.seen", "diff -- docs/")
    folder.git("config", "gpg.program", "bin/sign")
    folder.git("config", "credential.helper", f"!{folder.root}/keys/helper")
    folder.git("config", "include.path", "../shared/gitconfig")
    found = await protected(folder)
    assert found.reason("tools/strip.py") == "git runs it as 'filter.strip.clean'"
    assert found.reason("tools/json.py") == "it lies beside what git runs as 'filter.strip.clean'"
    assert found.reason("run.sh") == "git runs it as 'alias.go'"
    assert found.reason("bin/sign") == "git runs it as 'gpg.program'"
    assert found.reason("keys/helper") == "git runs it as 'credential.helper'"
    assert found.reason("shared/gitconfig") == "git reads it as part of its configuration"
    for path in ("a.txt", "b.py", "shared/other", "docs/a.md"):
        assert not found.reason(path)


async def test_a_folder_on_path_holds_commands(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder.root / "scripts"), os.environ["PATH"]]))
    assert "PATH" in (await protected(folder)).reason("scripts/ls")
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder.root), os.environ["PATH"]]))
    found = await protected(folder)
    assert "PATH" in found.reason("ls")
    assert not found.reason("src/ls")


async def test_settings_and_environments_in_the_repository_are_protected(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_AC_CONFIG_DIR", str(folder.root / "my" / "settings"))
    monkeypatch.setenv("VIRTUAL_ENV", str(folder.root / "py"))
    found = await protected(folder)
    for path in ("my/settings/llm.json", "py/bin/python", "py/lib/x.py"):
        assert "in use here" in found.reason(path)
    assert not found.reason("my/notes.txt")


async def test_an_ordinary_repository_protects_nothing_else(folder: RepositoryFolder) -> None:
    assert (await protected(folder)).configured == {}


async def test_where_a_link_beside_a_program_leads_is_protected(folder: RepositoryFolder) -> None:
    folder.write("lib/helper.py")
    folder.write("shared/deep/part.py")
    (folder.root / "tools/helper.py").symlink_to("../lib/helper.py")
    (folder.root / "tools/shared").symlink_to("../shared")
    folder.git("config", "filter.strip.clean", "python3 tools/strip.py")
    found = await protected(folder)
    for path in ("lib/helper.py", "shared/deep/part.py", "shared/new.py", "tools/new.py"):
        assert "filter.strip.clean" in found.reason(path)
    assert not found.reason("a.txt")


async def test_a_file_of_the_top_folder_only_is_known_there(folder: RepositoryFolder) -> None:
    found = await protected(folder)
    assert found.reason("START")
    assert found.reason("./start")
    assert not found.reason("src/start")
