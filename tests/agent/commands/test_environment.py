import os

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent.commands.environment import (
    SANDBOX_TEMP,
    absolute_entries,
    command_environment,
)

KEPT = {"PATH": "/usr/bin", "HOME": "/home/ada", "LC_ALL": "C.UTF-8", "VIRTUAL_ENV": "/v"}


def test_programs_are_found_and_print_plainly() -> None:
    found = command_environment(KEPT, is_sandboxed=False)
    assert found.items() >= KEPT.items()
    assert found["TERM"] == "dumb"


def test_no_key_no_token_and_no_setting_of_another_program_is_there() -> None:
    hostile = {
        "OPENAI_API_KEY": "k" * 20,
        "JUPYTER_TOKEN": "t" * 20,
        "JPY_API_TOKEN": "t" * 20,
        "JUPYTERHUB_API_URL": "http://hub",
        "SSH_AUTH_SOCK": "/run/agent",
        "GIT_CONFIG_COUNT": "1",
        "HTTPS_PROXY": "http://ada:secret@proxy",
        "LD_PRELOAD": "/evil.so",
        "PYTHONPATH": "/ours",
        "PYTHONSTARTUP": "/evil.py",
        "NODE_OPTIONS": "--require evil",
        "MY_OWN": "x",
    }
    expected = command_environment(KEPT, is_sandboxed=False)
    assert command_environment({**KEPT, **hostile}, is_sandboxed=False) == expected


def test_an_allowed_name_with_a_secret_as_its_value_is_left_out() -> None:
    key = "a-very-secret-value"
    found = command_environment(
        {**KEPT, "MY_TOKEN": key, "LANG": key, "TZ": "https://ada:pw@example.org"},
        is_sandboxed=False,
    )
    assert "LANG" not in found
    assert "TZ" not in found


def test_a_folder_is_searched_last_and_relative_ones_never() -> None:
    path = os.pathsep.join((".", "bin", "", "/usr/bin", "/v/bin"))
    found = command_environment({"PATH": path}, ["/v/bin", "/ours/bin"], is_sandboxed=False)
    assert found["PATH"].split(os.pathsep) == ["/usr/bin", "/v/bin", "/ours/bin"]


def test_the_sandbox_has_temporary_files_of_its_own() -> None:
    given_one = {**KEPT, "TMPDIR": "/var/ours"}
    assert command_environment(given_one, is_sandboxed=False)["TMPDIR"] == "/var/ours"
    assert command_environment(given_one, is_sandboxed=True)["TMPDIR"] == SANDBOX_TEMP


@given(st.dictionaries(st.text(max_size=12), st.text(max_size=20), max_size=8))
def test_whatever_is_inherited_a_secret_value_is_nowhere(inherited: dict[str, str]) -> None:
    environ = {"LANG": "secret-value", "HOME": "x secret-value", **inherited}
    environ["SOME_KEY"] = "secret-value"
    assert "secret-value" not in str(command_environment(environ, is_sandboxed=True))


@given(st.lists(st.text(max_size=8)))
def test_entries_of_a_path_are_absolute(entries: list[str]) -> None:
    assert all(entry.startswith("/") for entry in absolute_entries(os.pathsep.join(entries)))
