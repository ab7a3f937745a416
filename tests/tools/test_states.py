"""How pictures and boxes of the panel's states are kept and compared; no page is needed here."""

from pathlib import Path

import pytest
from PIL import Image

from tools.states import looks
from tools.states.looks import (
    COLOURS,
    difference,
    keep,
    moved,
    read_geometry,
    with_few_colours,
    write_geometry,
)
from tools.states.scenes import STATES

SIZE = (40, 20)
GREY = (100, 100, 100)


def test_pixels_that_differ_are_counted_and_marked() -> None:
    one, other = Image.new("RGB", SIZE, GREY), Image.new("RGB", SIZE, GREY)
    assert difference(one, other)[0] == 0
    for left in range(4):
        other.putpixel((left, 0), (200, 0, 0))
    share, shown = difference(one, other)
    assert share == 4 / (40 * 20)
    assert shown.getpixel((0, 0)) != shown.getpixel((4, 0)) == GREY


def test_a_picture_of_another_size_differs_where_one_of_them_is_not() -> None:
    share, shown = difference(Image.new("RGB", SIZE, GREY), Image.new("RGB", (40, 30), GREY))
    assert (share, shown.size) == (1 / 3, (40, 30))


def test_a_kept_picture_is_read_as_it_was(tmp_path: Path) -> None:
    picture = Image.new("RGB", (256, 20))
    for left in range(256):
        picture.paste((left, 255 - left, left // 2), (left, 0, left + 1, 20))
    few = with_few_colours(picture)
    keep(few, tmp_path / "a.webp")
    with Image.open(tmp_path / "a.webp") as kept:
        assert difference(few, kept.convert("RGB"))[0] == 0
    assert len(few.getcolors() or []) <= COLOURS


@pytest.mark.parametrize(
    ("found", "is_moved"),
    [
        ({"send": [[10, 20, 30, 40]]}, False),
        ({"send": [[12, 18, 30, 40]]}, False),
        ({"send": [[13, 20, 30, 40]]}, True),
        ({"send": [[10, 20, 30, 43]]}, True),
        ({"send": [[10, 20, 30, 40], [0, 0, 1, 1]]}, True),
        ({"send": [[10, 20, 30, 40]], "stop": [[0, 0, 9, 9]]}, True),
        ({}, True),
    ],
)
def test_boxes_are_compared_within_a_tolerance(found: looks.Boxes, is_moved: bool) -> None:
    assert bool(moved({"send": [[10, 20, 30, 40]]}, found, 2)) is is_moved


def test_boxes_are_kept_one_name_to_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "GEOMETRY", tmp_path / "geometry.json")
    geometry = {"start": {"320": {"send": [[1, 2, 3, 4]], "input": [[5, 6, 7, 8], [0, 0, 1, 1]]}}}
    write_geometry(geometry)
    assert read_geometry() == geometry
    assert '   "send": [[1, 2, 3, 4]]' in (tmp_path / "geometry.json").read_text().splitlines()


def test_states_have_names_of_their_own() -> None:
    assert len({state.name for state in STATES}) == len(STATES) >= 24
