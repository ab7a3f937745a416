import subprocess
import sys

import pytest

from jupyter_ac.agent.commands.environment import MARK
from jupyter_ac.agent.commands.leftovers import end_marked
from tests.support.processes import is_running, wait_until_gone

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="other systems don't show environments"
)


def sleeper(mark: str) -> subprocess.Popen[str]:
    code = "import time; print('up', flush=True); time.sleep(600)"
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", code],
        env={MARK: mark},
        start_new_session=True,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_processes_with_the_mark_are_killed_and_no_others() -> None:
    with sleeper("mine") as marked, sleeper("mine-not") as other:
        try:
            for process in (marked, other):
                assert process.stdout is not None
                assert process.stdout.readline() == "up\n"
            end_marked("mine")
            wait_until_gone(marked.pid)
            assert is_running(other.pid)
        finally:
            marked.kill()
            other.kill()


def test_another_mark_ends_nothing() -> None:
    with sleeper("mine") as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "up\n"
            end_marked("nobody's")
            assert is_running(process.pid)
        finally:
            process.kill()
