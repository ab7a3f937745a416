"""Cells in errors of plugins."""

from jupyter_ac.hosts.kernel.plugins.cell_names import name_cells
from tests.hosts.kernel.plugins.fake_shell import FakeShell

STACK = "  a.py:2, in make\n    x\n  kernel_1/77.py:8, in boil\n    return 1 / 0\n  77.py: none"


def test_frames_in_cells_have_their_numbers() -> None:
    shell = FakeShell()
    named = name_cells({"message": "m", "stack": STACK}, shell.real)
    assert named == {"message": "m", "stack": STACK.replace("  kernel_1/77.py:8", "  Cell In[3]:8")}


def test_an_error_without_frames_or_cells_is_as_it_was() -> None:
    shell = FakeShell()
    assert name_cells({"message": "m"}, shell.real) == {"message": "m"}
    shell.compile._filename_map = None
    assert name_cells({"message": "m", "stack": STACK}, shell.real)["stack"] == STACK
