"""Code that runs inside a running cell, in the shell of this process."""

import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.errors import Unsupported
from jupyter_ac.hosts.kernel.nested_cell import NestedCell, NestedResult

LONG_S = 600.0


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def run(shell: InteractiveShell, code: str, limit_s: float = LONG_S) -> NestedResult:
    return NestedCell(shell, code, limit_s).run()


def test_outputs_are_captured_and_variables_stay(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.user_ns["pears"] = 20
    code = "import sys\nprint('a')\nprint('b', file=sys.stderr)\npears += 1\npears"
    result = run(shell, code)
    assert (result.status, result.is_by_user, shell.user_ns["pears"]) == ("ok", False, 21)
    out, err = result.outputs  # the value of a cell is printed by a shell without a kernel
    assert (out["name"], str(out["text"])[:2]) == ("stdout", "a\n")
    assert "21" in str(out["text"])
    assert (err["name"], err["text"]) == ("stderr", "b\n")
    assert capsys.readouterr() == ("", "")


def test_an_image_is_passed_on_as_base64(shell: InteractiveShell) -> None:
    code = "from IPython.display import display\ndisplay({'image/png': b'\\x89PNG'}, raw=True)"
    (shown,) = run(shell, code).outputs
    assert shown["data"] == {"image/png": "iVBORw=="}


@pytest.mark.parametrize(("code", "name"), [("1 / 0", "ZeroDivisionError"), ("1 +", "SyntaxError")])
def test_an_error_is_an_output_and_is_not_shown(
    code: str, name: str, shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run(shell, code)
    assert result.status == "error"
    (error,) = result.outputs
    assert (error["output_type"], error["ename"]) == ("error", name)
    assert name in str(error["traceback"])
    assert capsys.readouterr() == ("", "")
    shell.run_cell(code)
    assert name in "".join(capsys.readouterr())  # errors of cells are shown as before


def test_it_is_no_input_of_the_session(shell: InteractiveShell) -> None:
    before = shell.execution_count
    run(shell, "1")
    assert shell.execution_count == before
    assert "1" not in shell.user_ns["In"]


def test_at_its_time_limit_it_is_interrupted_and_nothing_else_is(shell: InteractiveShell) -> None:
    before = signal.getsignal(signal.SIGINT)
    result = run(shell, "import time; time.sleep(3600)", limit_s=0.1)
    assert (result.status, result.is_by_user) == ("timed_out", False)
    assert signal.getsignal(signal.SIGINT) is before
    assert run(shell, "2").status == "ok"


def test_another_thread_interrupts_it(shell: InteractiveShell, tmp_path: Path) -> None:
    mark = tmp_path / "begun"
    code = f"open({str(mark)!r}, 'w').close()\nimport time\ntime.sleep(3600)"
    cell = NestedCell(shell, code, LONG_S)

    def interrupt() -> None:
        while not mark.exists():
            time.sleep(0.01)
        cell.interrupt()

    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    result = cell.run()
    thread.join(60)
    assert (result.status, result.is_by_user) == ("interrupted", False)
    cell.interrupt()  # it has ended: nothing happens


def test_an_interrupt_of_the_user_is_told_apart(shell: InteractiveShell) -> None:
    code = "import signal; signal.raise_signal(signal.SIGINT)\nwhile True: pass"
    result = run(shell, code)
    assert (result.status, result.is_by_user) == ("interrupted", True)


def test_a_signal_that_comes_too_late_strikes_nothing(shell: InteractiveShell) -> None:
    for _ in range(30):
        assert run(shell, "import time; time.sleep(0.01)", 0.01).status in {"ok", "timed_out"}


def test_what_cannot_run_here_is_a_sentence(shell: InteractiveShell) -> None:
    with pytest.raises(Unsupported, match="await"):
        run(shell, "import asyncio\nawait asyncio.sleep(0)")
    with ThreadPoolExecutor() as pool, pytest.raises(Unsupported, match="main thread"):
        pool.submit(run, shell, "1").result(60)
