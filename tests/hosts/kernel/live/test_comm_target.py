"""The registration of the comm target; `test_comm_peers.py` uses it in real kernels."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.live.comm_target import TARGET, CommTarget
from jupyter_ac.hosts.kernel.notebook_cells import NotebookCells

ROOT = Path(__file__).parents[4]
LOADED = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
from jupyter_ac.hosts.kernel.live.comm_target import CommTarget
from jupyter_ac.hosts.kernel.notebook_cells import NotebookCells
shell = InteractiveShell.instance()
CommTarget(shell, NotebookCells(shell)).register()
print(json.dumps([name for name in sys.modules if name.startswith("jupyter_ac.")]))
"""


class Manager:
    def __init__(self) -> None:
        self.targets: dict[str, object] = {}

    def register_target(self, name: str, opened: object) -> None:
        self.targets[name] = opened


class Kernel:
    def __init__(self) -> None:
        self.comm_manager = Manager()


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def test_a_terminal_has_no_comms(shell: InteractiveShell) -> None:
    target = CommTarget(shell, NotebookCells(shell))
    target.register()
    target.unregister()
    assert not hasattr(shell, "comm_manager")


def test_another_ones_target_is_left_alone(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = Kernel()
    monkeypatch.setattr(shell, "kernel", kernel, raising=False)
    target = CommTarget(shell, NotebookCells(shell))
    target.register()
    assert list(kernel.comm_manager.targets) == [TARGET]
    kernel.comm_manager.targets[TARGET] = "another's"
    target.unregister()
    assert kernel.comm_manager.targets == {TARGET: "another's"}
    target.register()
    target.unregister()
    target.unregister()
    assert kernel.comm_manager.targets == {}


def test_registering_loads_neither_the_peer_nor_the_inspection() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, check=True, capture_output=True, text=True
    )
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert not any("rpc" in name or "inspection" in name for name in loaded)
