"""Sessions that are drawn at random are the same everywhere."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.playing import unique
from benchmarks.sessions import WEIGHTS, Edit, draw

SIZES = {f"src/{folder}/{name}.py": 900 for folder in "abc" for name in "defgh"}
ROOT = Path(__file__).parents[2]


def test_a_seed_gives_the_same_session_in_another_process() -> None:
    code = (
        "import json, sys, dataclasses; from benchmarks.sessions import draw;"
        "print(json.dumps(dataclasses.asdict(draw(5, json.loads(sys.argv[1]), 0.3))))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, json.dumps(SIZES)],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env={"PYTHONHASHSEED": "7"},
    ).stdout
    assert json.loads(told) == json.loads(json.dumps(asdict(draw(5, SIZES, 0.3))))


def test_everything_happens_in_some_session() -> None:
    sessions = [draw(seed, SIZES, 0.3) for seed in range(20)]
    assert {step.happening for one in sessions for step in one.steps} == set(WEIGHTS)
    assert {one.trigger_tokens for one in sessions} == {24_000, 5_000}
    assert {step.pause_s for one in sessions for step in one.steps} == {0, 600}
    changes = [len(set(step.selection)) for one in sessions for step in one.steps]
    assert min(changes) == 1 < max(changes)


@given(st.lists(st.sampled_from(["x", "y", ""]), max_size=12), st.floats(0, 1), st.integers(0, 4))
def test_an_edit_is_written_so_that_it_fits_in_one_place(
    lines: list[str], place: float, count: int
) -> None:
    text = "".join(f"{line}\n" for line in ["begin", *lines, "end"])
    edit = Edit("a.py", place, max(1, count), ("new",))
    after, old, new = unique(edit, text)
    assert after == edit.apply(text)[0]
    assert f"\n{text}".count(f"\n{old}") == 1
    assert f"\n{text}".replace(f"\n{old}", f"\n{new}") == f"\n{after}"
