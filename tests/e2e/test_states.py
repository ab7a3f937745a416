"""The states of the panel of which pictures are kept, in both themes and three widths.

What is wrong with a look fails, and so does a named element in another place than the one that is
kept. Pixels that differ from the kept pictures are reported: `make pictures` renews both.
"""

import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from PIL import Image
from playwright.sync_api import Playwright

from tests.e2e.conftest import CHROMIUM, REPORTED
from tests.e2e.installed import Installed
from tools.states.looks import (
    KEPT,
    Look,
    animations,
    boxes,
    difference,
    faults,
    looks,
    moved,
    picture,
    read_geometry,
    unmarked,
)
from tools.states.scenes import STATES
from tools.states.stage import FLAGS, Stage, open_stage

pytestmark = pytest.mark.e2e
ROOT: Final = Path(__file__).parents[2]
DIFFERENCES: Final = ROOT / "test-results" / "states"
TOLERANCE: Final = 2
"""Pixels by which a box may differ: browsers round parts of pixels in other ways."""

LOOKED_AT: Final = frozenset({(1400, "light"), (320, "dark")})
"""What is photographed and given to axe in the default run; in `make soak` it is every look."""

AXE: Final = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, any, all, none }) =>
            [id, ...target.flat().slice(-2), [...any, ...all, ...none][0]?.message].join(' ')));
}"""


Notes = dict[str, list[str]]


@dataclass
class Seen:
    """What was found on the way through all states, by the name of the look.

    Attributes:
        faults: of the layout.
        moved: named elements that aren't where they are kept.
        violations: that axe finds.
        unmarked: what forced colours make look like what isn't chosen.
        animations: that run although less motion is asked for.
        moving: that run in the state of an answer that comes, when motion is welcome.
        differing: shares of pixels that differ from the kept picture.
        looks: the names of all that was seen.
    """

    faults: Notes = field(default_factory=dict)
    moved: Notes = field(default_factory=dict)
    violations: Notes = field(default_factory=dict)
    unmarked: Notes = field(default_factory=dict)
    animations: Notes = field(default_factory=dict)
    moving: list[str] = field(default_factory=list)
    differing: dict[str, float] = field(default_factory=dict)
    looks: list[str] = field(default_factory=list)

    def take(self, stage: Stage, look: Look, *, is_looked_at: bool) -> None:
        """Note what is to be said of a look that is shown now."""
        self.looks.append(look.name)
        for notes, found in (
            (self.faults, faults(stage)),
            (self.animations, animations(stage)),
            (self.moved, _moved(stage, look)),
            (self.violations, _violations(stage) if is_looked_at else []),
            (self.unmarked, unmarked(stage) if is_looked_at else []),
        ):
            if found:
                notes[look.name] = found
        if is_looked_at:
            self.differing[look.name] = _differing(stage, look)
        if look.state.name == "streaming":
            stage.page.emulate_media(reduced_motion="no-preference")
            self.moving += animations(stage)
            stage.page.emulate_media(reduced_motion="reduce")


def _moved(stage: Stage, look: Look) -> list[str]:
    kept = read_geometry().get(look.state.name, {}).get(str(look.width), {})
    return moved(kept, boxes(stage, look.state), TOLERANCE)


def _violations(stage: Stage) -> list[str]:
    if not stage.page.evaluate("() => 'axe' in window"):
        path = ROOT / "node_modules" / "axe-core" / "axe.min.js"
        stage.page.evaluate(path.read_text(encoding="utf-8"))
    found: list[str] = stage.page.evaluate(AXE)
    return found


def _differing(stage: Stage, look: Look) -> float:
    now = picture(stage)
    with Image.open(look.kept) as kept:
        share, shown = difference(now, kept.convert("RGB"))
    if share:
        DIFFERENCES.mkdir(parents=True, exist_ok=True)
        shown.save(DIFFERENCES / f"{look.name}.png")
    return share


@pytest.fixture(scope="module", params=["few", pytest.param("every", marks=pytest.mark.soak)])
def seen(
    request: pytest.FixtureRequest,
    playwright: Playwright,
    installed: Installed,
    tmp_path_factory: pytest.TempPathFactory,
) -> Seen:
    """All states, looked at once for all tests."""
    found = Seen()
    shutil.rmtree(DIFFERENCES, ignore_errors=True)
    launched = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
    folder = tmp_path_factory.mktemp("states")
    with closing(launched) as browser, open_stage(browser, installed, folder) as stage:
        for look in looks(stage):
            is_looked_at = request.param == "every" or (look.width, look.scheme) in LOOKED_AT
            found.take(stage, look, is_looked_at=is_looked_at)
    return found


def test_every_state_is_seen_in_both_themes_and_three_widths(seen: Seen) -> None:
    assert len(seen.looks) == len(STATES) * 6
    assert set(read_geometry()) == {state.name for state in STATES}
    assert {path.stem for path in KEPT.glob("*.webp")} == set(seen.looks)


def test_nothing_overflows_is_cut_off_overlaps_or_is_too_small(seen: Seen) -> None:
    assert seen.faults == {}


def test_what_has_a_name_is_where_it_is_kept(seen: Seen) -> None:
    assert seen.moved == {}, "if it is meant to move: `make pictures`"


def test_axe_finds_nothing(seen: Seen) -> None:
    assert seen.violations == {}


def test_forced_colours_leave_visible_what_is_chosen(seen: Seen) -> None:
    assert seen.unmarked == {}


def test_nothing_moves_when_less_motion_is_asked_for(seen: Seen) -> None:
    assert seen.animations == {}
    assert seen.moving


def test_the_pixels_are_compared_with_the_kept_pictures(
    seen: Seen, record_property: Callable[[str, object], None]
) -> None:
    assert len(seen.differing) >= 2 * len(STATES)
    differing = {name: share for name, share in seen.differing.items() if share}
    for name, share in sorted(differing.items(), key=lambda pair: -pair[1]):
        record_property(REPORTED, f"{name}: {share:.2%} of the pixels differ")
