"""matplotlib's figures."""

import pytest

from jupyter_ac.inspection.summaries.figures import figure_summarizers
from tests.inspection.conftest import Describe

CODE = """
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D
figure, axes = plt.subplots(1, 2)
class Telling(Line2D):
    def __repr__(self): RAN.append("repr"); return "?"
axes[0].plot([1, 2]); axes[0].set_title("costs"); axes[0].add_line(Telling([1], [1]))
first = axes[0]
"""


@pytest.mark.soak
def test_a_figure_says_what_it_shows(describe: Describe) -> None:
    found = describe(CODE)
    assert found["figure"]["line"] == "2 axes: costs"
    assert found["figure"]["facts"] == [
        ["size", "6.4 x 4.8 inches"],
        ["axes 1", "'costs': 1 Line2D, 1 Telling"],
        ["axes 2", ""],
    ]
    assert found["first"]["line"] == "'costs': 1 Line2D, 1 Telling"


def test_what_is_not_loaded_is_not_known() -> None:
    assert [cls for cls, _ in figure_summarizers() if cls is not None] == []
