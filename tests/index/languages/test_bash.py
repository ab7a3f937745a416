"""Bash: functions of all files are known; variables are global unless they are said to be local."""

import pytest

from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from tests.support.indexed import imported, meant, state_of


def test_a_sourced_file_is_found_by_its_path_whatever_variable_stands_before() -> None:
    files = {"run.sh": '. "$HERE/lib/log.sh"\nsource ./log.sh\n', "lib/log.sh": "", "log.sh": ""}
    assert imported(state_of(files), "run.sh") == ["lib/log.sh", "log.sh"]


def test_a_command_is_the_function_of_the_only_file_that_has_it() -> None:
    files = {"run.sh": "deploy_everything\n", "lib.sh": "deploy_everything() { echo; }\n"}
    assert meant(state_of(files), "run.sh", "deploy_everything") == "lib.sh:deploy_everything"


@pytest.mark.parametrize(("line", "is_local"), [("local n=1", True), ("n=1", False)])
def test_a_variable_is_local_when_it_is_declared_so(line: str, is_local: bool) -> None:
    found = occurrences_of(
        "bash", f'f() {{\n  {line}\n  echo "$n"\n}}\necho "$n"\n'.encode(), ["n"]
    )
    assert [each.line for each in found] == [2, 3, 5]
    assert [each.is_local for each in found] == [True, True, not is_local]
