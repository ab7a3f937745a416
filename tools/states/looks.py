"""Each state in two themes and three widths: what is measured, what is wrong, how it looks."""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops
from playwright.sync_api import expect

from tools.states.scenes import STATES, State
from tools.states.stage import HEIGHT, Host, Scheme, Stage

SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")
WIDTHS: Final = (1400, 800, 320)
KEPT: Final = Path(__file__).parents[2] / "tests" / "e2e" / "states"
"""The pictures and the boxes that are kept."""

GEOMETRY: Final = KEPT / "geometry.json"
MOST_BOXES: Final = 3
"""Boxes that are measured of each name."""

COLOURS: Final = 256
SAME: Final = 24
"""Difference of a colour's parts up to which two pixels count as equal."""

Box = list[int]
Boxes = dict[str, list[Box]]
Geometry = dict[str, dict[str, Boxes]]


@dataclass(frozen=True)
class Look:
    """A state in a theme and a width."""

    state: State
    scheme: Scheme
    width: int

    @property
    def name(self) -> str:
        """Return a name that no other look has."""
        return f"{self.state.name}-{self.width}-{self.scheme}"

    @property
    def kept(self) -> Path:
        """Return where its picture is kept."""
        return KEPT / f"{self.name}.webp"


def looks(stage: Stage, states: Sequence[State] = STATES) -> Iterator[Look]:
    """Show the states one after another, each in all themes and widths."""
    host: Host | None = None
    for state in states:
        if state.host != host:
            resize(stage, WIDTHS[0])
            stage.show(state.host)
            host = state.host
        if state.prepare:
            resize(stage, WIDTHS[0])
            state.prepare(stage)
        for width in WIDTHS:
            show_section(stage, state, width)
            if state.open:
                state.open(stage)
            stage.page.mouse.move(0, 0)
            for scheme in SCHEMES:
                stage.page.emulate_media(color_scheme=scheme)
                expect(stage.panel.app).to_have_attribute("data-theme", scheme)
                stage.settle()
                yield Look(state, scheme, width)
            if state.close:
                state.close(stage)


def resize(stage: Stage, width: int) -> None:
    """Give the page a width."""
    stage.page.set_viewport_size({"width": width, "height": HEIGHT})
    stage.settle()


def show_section(stage: Stage, state: State, width: int) -> None:
    """Give the page a width; a narrow panel shows the section that the state is about."""
    resize(stage, width)
    button = stage.panel.part("section", f'[data-section="{state.section}"]')
    if button.count() and button.get_attribute("aria-pressed") != "true":
        button.click()


def faults(stage: Stage) -> list[str]:
    """What is wrong with the page as it stands."""
    found: list[str] = stage.page.evaluate("() => window.checks.faults()")
    return found


def unmarked(stage: Stage) -> list[str]:
    """What can't be told from others where the system forces its colours."""
    stage.page.emulate_media(forced_colors="active")
    found: list[str] = stage.page.evaluate("() => window.checks.unmarked()")
    stage.page.emulate_media(forced_colors="none")
    return found


def animations(stage: Stage) -> list[str]:
    """The elements that move, in all shadow roots."""
    found: list[str] = stage.page.evaluate("() => window.checks.animations()")
    return found


def boxes(stage: Stage, state: State) -> Boxes:
    """Where the named elements are, but for those that are elsewhere on other machines."""
    found: Boxes = stage.page.evaluate("most => window.checks.boxes(most)", MOST_BOXES)
    return {name: places for name, places in found.items() if name not in state.elsewhere}


def picture(stage: Stage) -> Image.Image:
    """Photograph the page, in few colours: pictures are kept in the repository."""
    data = stage.page.screenshot(animations="disabled", caret="hide")
    return with_few_colours(Image.open(io.BytesIO(data)).convert("RGB"))


def with_few_colours(image: Image.Image) -> Image.Image:
    """Return the picture in at most `COLOURS` colours."""
    few = image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return few.convert("RGB")


def keep(image: Image.Image, path: Path) -> None:
    """Write a picture so that it takes little room and is read as it is."""
    image.save(path, format="WEBP", lossless=True, quality=75, method=4)


def difference(image: Image.Image, kept: Image.Image) -> tuple[float, Image.Image]:
    """Compare two pictures.

    Returns:
        the share of pixels that differ, and a picture on which these are bright.
    """
    size = (max(image.width, kept.width), max(image.height, kept.height))
    grounds = [Image.new("RGB", size) for _ in range(2)]
    for ground, part in zip(grounds, (image, kept), strict=True):
        ground.paste(part)
    parts = ImageChops.difference(*grounds).split()
    largest = parts[0]
    for part in parts[1:]:
        largest = ImageChops.lighter(largest, part)
    mask = largest.point(lambda value: 255 if value > SAME else 0)
    count = mask.histogram()[255]
    shown = Image.composite(
        Image.new("RGB", size, (230, 0, 90)), Image.blend(grounds[0], grounds[1], 0.5), mask
    )
    return count / (size[0] * size[1]), shown


def read_geometry() -> Geometry:
    """The boxes that are kept, by state and width."""
    found: Geometry = json.loads(GEOMETRY.read_text(encoding="utf-8"))
    return found


def write_geometry(geometry: Mapping[str, Mapping[str, Boxes]]) -> None:
    """Keep boxes, each name on a line of its own."""
    lines = []
    for state, widths in geometry.items():
        parts = []
        for width, named in widths.items():
            rows = ",\n".join(f'   "{name}": {json.dumps(named[name])}' for name in sorted(named))
            parts.append(f'  "{width}": {{\n{rows}\n  }}')
        lines.append(f' "{state}": {{\n' + ",\n".join(parts) + "\n }")
    GEOMETRY.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def moved(kept: Boxes, found: Boxes, tolerance: int) -> list[str]:
    """What has another box than the one that is kept, or is new or gone."""
    return [
        f"{name}: kept {kept.get(name, [])}, found {found.get(name, [])}"
        for name in sorted({*kept, *found})
        if not _are_near(kept.get(name, []), found.get(name, []), tolerance)
    ]


def _are_near(one: list[Box], other: list[Box], tolerance: int) -> bool:
    return len(one) == len(other) and all(
        abs(a - b) <= tolerance
        for box, against in zip(one, other, strict=True)
        for a, b in zip(box, against, strict=True)
    )


def renew(stage: Stage, say: Callable[[str], object]) -> None:
    """Keep the pictures and the boxes as they are now; says which faults there are."""
    KEPT.mkdir(exist_ok=True)
    for old in KEPT.glob("*.webp"):
        old.unlink()
    geometry: Geometry = {}
    for look in looks(stage):
        keep(picture(stage), look.kept)
        geometry.setdefault(look.state.name, {})[str(look.width)] = boxes(stage, look.state)
        for fault in faults(stage):
            say(f"{look.name}: {fault}\n")
    write_geometry(geometry)
