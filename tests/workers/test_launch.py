import os
import sys
from pathlib import Path

import pytest

from jupyter_ac.workers.launch import command, environment, working_directory


def test_the_child_is_the_same_interpreter_and_doesnt_import_from_its_directory() -> None:
    assert command("tokens") == [sys.executable, "-P", "-m", "jupyter_ac.worker", "tokens"]
    assert Path(working_directory()) == Path(working_directory()).parent


def test_the_hosts_environment_is_passed_on_and_the_workers_own_is_on_top() -> None:
    env = environment({"A": "1", "B": "2"}, {"B": "3"})
    assert (env["A"], env["B"]) == ("1", "3")


def test_litellm_asks_no_network_and_reads_no_files_whatever_the_host_says() -> None:
    env = environment({"LITELLM_MODE": "DEV", "LITELLM_LOCAL_MODEL_COST_MAP": "False"}, {})
    assert env["LITELLM_MODE"] == "PRODUCTION"
    assert env["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"


def test_token_tables_are_found_without_importing_litellm() -> None:
    assert any(Path(environment({}, {})["TIKTOKEN_CACHE_DIR"]).iterdir())
    assert "litellm" not in sys.modules


def test_relative_entries_leave_the_python_path(tmp_path: Path) -> None:
    inherited = os.pathsep.join(["", ".", "lib", str(tmp_path)])
    entries = environment({"PYTHONPATH": inherited}, {})["PYTHONPATH"].split(os.pathsep)
    assert str(tmp_path) in entries
    assert all(Path(entry).is_absolute() for entry in entries)


@pytest.mark.parametrize("name", ["NO_PROXY", "no_proxy"])
def test_local_servers_are_reached_without_a_proxy(name: str) -> None:
    env = environment({name: "corp.example"}, {})
    assert env["NO_PROXY"] == env["no_proxy"] == "corp.example,127.0.0.1,localhost"
