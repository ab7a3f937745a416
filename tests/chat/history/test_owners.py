import os
import subprocess
import sys
import time

from jupyter_ac.chat.history.owners import SILENT_MS, Heartbeats, Owner
from tests.support.processes import is_running

NOW = 10**12


def lost(owner: Owner, signature: str, silent_ms: int) -> bool:
    """Say whether a process is lost that said last so long ago that it is alive."""
    return owner.is_lost(signature, NOW - silent_ms, NOW)


def ended_process() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait(30)
    return process.pid


def test_a_process_never_takes_itself_for_lost() -> None:
    owner = Owner()
    assert not lost(owner, str(owner), SILENT_MS * 10)


def test_a_process_that_has_ended_is_lost_at_once() -> None:
    assert lost(Owner(), str(Owner(pid=ended_process())), 0)


def test_a_process_that_has_ended_and_was_not_waited_for_is_lost_too() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read()  # it ends its output when it ends
        while is_running(process.pid):
            time.sleep(0.01)
        assert lost(Owner(), str(Owner(pid=process.pid)), 0)


def test_another_process_that_runs_is_lost_only_after_a_long_silence() -> None:
    other = str(Owner(pid=os.getppid()))
    assert not lost(Owner(), other, SILENT_MS)
    assert lost(Owner(), other, SILENT_MS + 1)


def test_an_earlier_process_with_our_number_is_lost() -> None:
    assert lost(Owner(), str(Owner()), 0)


def test_a_process_on_another_machine_is_lost_only_after_a_long_silence() -> None:
    other = str(Owner(host="elsewhere", pid=ended_process()))
    assert not lost(Owner(), other, 0)
    assert lost(Owner(), other, SILENT_MS + 1)


def test_a_signature_that_makes_no_sense_is_judged_by_its_silence() -> None:
    for signature in ("", "x", "a/b/c", f"{Owner().host}/²/x"):
        assert not lost(Owner(), signature, 0)
        assert lost(Owner(), signature, SILENT_MS + 1)


def test_a_clock_that_is_ahead_holds_nobody_for_longer_than_a_silence() -> None:
    moments = iter([0, SILENT_MS, SILENT_MS + 1])
    owner = Owner(heartbeats=Heartbeats(lambda: next(moments)))
    ahead = NOW + 10**9
    assert [owner.is_lost("elsewhere/1/x", ahead, NOW) for _ in range(3)] == [False, False, True]


def test_a_process_whose_clock_is_ahead_is_alive_while_it_says_so() -> None:
    moments = iter(range(0, 10 * SILENT_MS, SILENT_MS))
    owner = Owner(heartbeats=Heartbeats(lambda: next(moments)))
    assert not any(owner.is_lost("elsewhere/1/x", NOW + 10**9 + at, NOW) for at in range(9))
