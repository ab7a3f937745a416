from pathlib import Path

import pytest

from jupyter_ac.git.environment import Level
from jupyter_ac.git.filter_commands import disable_filter, is_missing, with_search_paths
from jupyter_ac.git.rated_programs import RatedProgram


def program(command: str, *files: str) -> RatedProgram:
    return RatedProgram("filter", "x", {"filter.x.clean": command}, "local", files, "allowed")


@pytest.mark.parametrize(
    ("command", "files", "changing", "committing"),
    [
        ("git-lfs clean", (), "", "PYTHONSAFEPATH=1; export PYTHONSAFEPATH; "),
        ("python3 tools/x.py", ("tools/x.py",), "unset PYTHONSAFEPATH; ", ""),
        ("python3 x.py", ("x.py",), "", "PYTHONSAFEPATH=1; export PYTHONSAFEPATH; "),
        (
            "python3 -m tools.x",
            ("tools/x.py", "tools/x/"),
            "",
            "PYTHONSAFEPATH=1; export PYTHONSAFEPATH; ",
        ),
    ],
)
def test_only_a_script_in_a_watched_folder_loads_what_lies_beside_it(
    command: str, files: tuple[str, ...], changing: str, committing: str
) -> None:
    for level, prefix in ((Level.CHANGING, changing), (Level.COMMITTING, committing)):
        found = with_search_paths(program(command, *files), level)
        assert found == ({"filter.x.clean": prefix + command} if prefix else {})


def test_a_program_that_path_finds_in_the_tree_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "strip").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(folder))
    found = with_search_paths(program("strip -x", ".venv/bin/strip"), Level.CHANGING)
    assert f"PATH={folder}:$PATH; export PATH; strip -x" in found["filter.x.clean"]


def test_what_is_switched_off_fails_only_where_it_must() -> None:
    assert disable_filter("x", is_required=True)["filter.x.required"] == "true"
    assert disable_filter("x", is_required=False)["filter.x.required"] == "false"


def test_a_program_that_is_surely_not_there_is_missing() -> None:
    assert is_missing(program("no-such-program x"))
    assert not is_missing(program("cat"))
    assert not is_missing(program("$SOME x"))
