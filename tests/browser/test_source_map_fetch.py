import base64
import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.browser.cdp import CdpConnection, CdpSession, Json
from jupyter_ac.browser.source_map_fetch import fetch_source_map, inline_map, map_reference
from jupyter_ac.errors import BrowserError
from tests.browser.recordings import SilentTransport

SCRIPT = "http://127.0.0.1:1/static/app.js"
MAP = json.dumps({"version": 3, "sources": ["a.ts"], "names": [], "mappings": ""})
INLINE = "data:application/json;base64," + base64.b64encode(MAP.encode()).decode()


class Page(CdpSession):
    """Has a script, and a map at one address."""

    def __init__(self, script: str, address: str = "", parts: tuple[str, ...] = ()) -> None:
        super().__init__(CdpConnection(SilentTransport()), "s")
        self.script, self.address = script, address
        self.parts = list(parts)
        self.asked: list[str] = []

    async def call(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        timeout_s: float | None = None,
    ) -> Json:
        del timeout_s
        self.asked.append(method)
        if method == "Page.getResourceContent":
            return {"content": self.script, "base64Encoded": False}
        if method == "Network.loadNetworkResource":
            is_there = (params or {})["url"] == self.address
            return {"resource": {"success": True, "stream": "1"} if is_there else {}}
        if method == "IO.read":
            data = self.parts.pop(0)
            return {"data": data, "eof": not self.parts, "base64Encoded": False}
        return {}


@pytest.mark.parametrize(
    ("script", "reference"),
    [
        ("x();\n//# sourceMappingURL=app.js.map\n", "app.js.map"),
        ("x();\n//@ sourceMappingURL=app.js.map", "app.js.map"),
        ("//# sourceMappingURL=a\ny();\n  //#  sourceMappingURL=b  \n\n", "b"),
        ("x('sourceMappingURL=app.js.map');", ""),
        ("x();", ""),
        ("//# sourceMappingURL=", ""),
        ("", ""),
    ],
)
def test_the_last_comment_names_the_map(script: str, reference: str) -> None:
    assert map_reference(script) == reference


@given(st.text())
def test_any_script_and_any_address_can_be_looked_at(text: str) -> None:
    assert isinstance(map_reference(text), str)
    inline_map(f"data:{text}")


def test_a_map_in_the_script_itself() -> None:
    assert inline_map(INLINE) == MAP
    assert inline_map("data:application/json,%7B%7D") == "{}"
    assert inline_map("data:application/json;base64,§") is None
    assert inline_map("data:application/json") is None


async def test_an_inline_map_asks_nobody_else() -> None:
    page = Page(f"x();\n//# sourceMappingURL={INLINE}")
    assert await fetch_source_map(page, "f", SCRIPT) == MAP
    assert page.asked == ["Page.getResourceContent"]


async def test_a_map_beside_the_script_is_read_in_parts() -> None:
    page = Page("//# sourceMappingURL=app.js.map", f"{SCRIPT}.map", (MAP[:9], MAP[9:]))
    assert await fetch_source_map(page, "f", SCRIPT) == MAP
    assert page.asked[-1] == "IO.close"


@pytest.mark.parametrize("address", ["http://other/app.js.map", "file:///etc/passwd", "//x/y"])
async def test_a_map_of_another_origin_is_not_loaded(address: str) -> None:
    page = Page(f"//# sourceMappingURL={address}", address)
    assert await fetch_source_map(page, "f", SCRIPT) is None
    assert page.asked == ["Page.getResourceContent"]


async def test_a_script_that_is_not_known_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> Json:
        raise BrowserError("Page.getResourceContent", -32000, "No resource")

    page = Page("")
    monkeypatch.setattr(page, "call", refuse)
    assert await fetch_source_map(page, "f", SCRIPT) is None
    assert await fetch_source_map(Page("//# sourceMappingURL=gone.map"), "f", SCRIPT) is None
