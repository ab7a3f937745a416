import os
import subprocess
import sys
import time

from jupyter_ac.chat.history.owners import SILENT_MS, Owner
from tests.support.processes import is_running


def ended_process() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait(30)
    return process.pid


def test_a_process_never_takes_itself_for_lost() -> None:
    owner = Owner()
    assert not owner.is_lost(str(owner), SILENT_MS * 10)


def test_a_process_that_has_ended_is_lost_at_once() -> None:
    assert Owner().is_lost(str(Owner(pid=ended_process())), 0)


def test_a_process_that_has_ended_and_was_not_waited_for_is_lost_too() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read()  # it ends its output when it ends
        while is_running(process.pid):
            time.sleep(0.01)
        assert Owner().is_lost(str(Owner(pid=process.pid)), 0)


def test_another_process_that_runs_is_lost_only_after_a_long_silence() -> None:
    other = str(Owner(pid=os.getppid()))
    assert not Owner().is_lost(other, SILENT_MS)
    assert Owner().is_lost(other, SILENT_MS + 1)


def test_an_earlier_process_with_our_number_is_lost() -> None:
    assert Owner().is_lost(str(Owner()), 0)


def test_a_process_on_another_machine_is_lost_only_after_a_long_silence() -> None:
    other = str(Owner(host="elsewhere", pid=ended_process()))
    assert not Owner().is_lost(other, 0)
    assert Owner().is_lost(other, SILENT_MS + 1)


def test_a_signature_that_makes_no_sense_is_judged_by_its_silence() -> None:
    for signature in ("", "x", "a/b/c", f"{Owner().host}/²/x"):
        assert not Owner().is_lost(signature, 0)
        assert Owner().is_lost(signature, SILENT_MS + 1)
