import re
from pathlib import Path

import pytest

from jupyter_ac.hosts.sockets.files import NAME, cache_control, content_type, lies_in


@pytest.mark.parametrize("name", ["page.js", "ui-0a1b2c.js", "lib/a-b.css", "_x"])
def test_names_of_files(name: str) -> None:
    assert re.fullmatch(NAME, name)


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/../b", ".git/x", "a/.b", "/a", "a//b", "a b"]
)
def test_no_name_leads_elsewhere(name: str) -> None:
    assert not re.fullmatch(NAME, name)


def test_types_and_caching() -> None:
    assert content_type("a/page.js") == "text/javascript; charset=utf-8"
    assert content_type("page.html") == "text/html; charset=utf-8"
    assert content_type("x.exe") == "application/octet-stream"
    assert "immutable" in cache_control("ui-0a1b2c.js")
    assert cache_control("page.js") == cache_control("diagrams-0a1b2c.html") == "no-cache"


def test_a_link_that_leaves_is_seen(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (inside / "own.js").touch()
    (outside / "x.js").touch()
    (inside / "link.js").symlink_to(outside / "x.js")
    (inside / "alias.js").symlink_to("own.js")
    assert lies_in(str(inside), str(inside / "own.js"))
    assert lies_in(str(inside), str(inside / "alias.js"))
    assert not lies_in(str(inside), str(inside / "link.js"))
    assert not lies_in(str(inside), str(tmp_path / "inside"))
