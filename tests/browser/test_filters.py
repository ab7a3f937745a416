"""Filter groups: defined in a file, switched on and off in memory."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.browser.filter_file import MAX_GLOBS, FilterHide
from jupyter_ac.browser.filters import Filters
from jupyter_ac.errors import Conflict, InvalidParams

IMAGES = {"types": ["Image"], "urls": []}
ADS = {"types": [], "urls": ["*://ads.example.com/*", "*.gif"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "filters.json"


async def filled(path: Path) -> Filters:
    path.write_text(
        json.dumps({"groups": {"ads": {"hide": ADS}, "images": {"hide": IMAGES}}}),
        encoding="utf-8",
    )
    filters = Filters(path)
    await filters.load()
    return filters


async def test_all_groups_are_off_when_they_are_loaded(path: Path) -> None:
    filters = await filled(path)
    assert filters.status() == {
        "ads": {"enabled": False, "hide": ADS},
        "images": {"enabled": False, "hide": IMAGES},
    }
    assert not filters.hides("Image", "https://ads.example.com/1")
    filters.enable("images")
    await filters.load()
    assert not filters.status()["images"]["enabled"]


async def test_groups_that_are_on_hide(path: Path) -> None:
    filters = await filled(path)
    filters.enable("ads")
    assert filters.hides("Script", "https://ads.example.com/1")
    assert filters.hides("Script", "https://ads.example.com/1")
    assert not filters.hides("Image", "https://example.com/1")
    assert not filters.hides("Script", "https://ADS.example.com/1")
    filters.enable("images")
    assert filters.hides("Image", "https://example.com/1")
    assert filters.hides("image", "https://example.com/2")
    filters.disable("ads")
    assert not filters.hides("Script", "https://ads.example.com/1")
    assert filters.enable_all() == ["ads", "images"]
    assert filters.hides("Script", "https://ads.example.com/1")
    filters.disable_all()
    assert not filters.hides("Image", "https://example.com/1")


async def test_groups_are_added_and_removed_in_the_file(path: Path) -> None:
    filters = await filled(path)
    filters.enable("images")
    await filters.add("fonts", {"types": ["Font"]})
    await filters.add("images", {"types": ["Image", "Media"]})
    assert filters.status()["images"] == {
        "enabled": True,
        "hide": {"types": ["Image", "Media"], "urls": []},
    }
    assert filters.hides("Media", "x")
    other = Filters(path)
    await other.load()
    assert list(other.status()) == ["ads", "images", "fonts"]
    await other.remove("images")
    with pytest.raises(InvalidParams):
        await filters.remove("images")
    await filters.remove("ads")
    assert list(filters.status()) == ["fonts"]
    assert not filters.hides("Media", "x")


async def test_unknown_groups_are_refused_with_those_that_there_are(path: Path) -> None:
    filters = await filled(path)
    for use in (filters.enable, filters.disable):
        with pytest.raises(InvalidParams, match="ads, images"):
            use("nothing")
    with pytest.raises(InvalidParams):
        await filters.remove("nothing")
    with pytest.raises(InvalidParams):
        await filters.add("all", ADS)
    with pytest.raises(InvalidParams):
        await filters.add("more", {})


async def test_a_broken_file_leaves_no_groups_and_is_not_overwritten(path: Path) -> None:
    filters = await filled(path)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(Conflict):
        await filters.load()
    assert filters.status() == {}
    with pytest.raises(Conflict):
        await filters.add("ads", ADS)
    assert path.read_text(encoding="utf-8") == "{"


@given(st.lists(st.text("ab*", min_size=1, max_size=4), max_size=4), st.text("ab", max_size=4))
def test_a_group_without_the_address_does_not_hide(urls: list[str], url: str) -> None:
    from fnmatch import fnmatchcase

    from jupyter_ac.browser.filters import _compile

    filters = Filters(Path("none"))
    filters._groups = _compile({"g": FilterHide(types=["Image"], urls=urls)})
    filters.enable("g")
    assert filters.hides("Script", url) is any(fnmatchcase(url, glob) for glob in urls)


async def test_ten_thousand_globs_of_a_hundred_groups_are_fast(path: Path) -> None:
    groups = {
        f"group {group}": {
            "hide": {"urls": [f"*://ads{group}.example.com/{n}*" for n in range(MAX_GLOBS // 100)]}
        }
        for group in range(100)
    }
    path.write_text(json.dumps({"groups": groups}), encoding="utf-8")
    filters = Filters(path)
    await filters.load()
    filters.enable_all()
    urls = [f"https://www.example.org/path/{number}.js" for number in range(200)]
    before = time.process_time()
    assert not any(filters.hides("Script", url) for url in urls)
    first = time.process_time() - before
    assert first < 2
    before = time.process_time()
    assert not any(filters.hides("Script", url) for url in urls)
    assert time.process_time() - before < first
    assert filters.hides("Script", "https://ads7.example.com/42")
