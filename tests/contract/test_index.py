"""What the index promises at every door: navigation, search, modes, after a change at once.

What takes seconds is tried at two doors, and in `make soak` at all of them.
"""

import asyncio

import pytest

from jupyter_ac.errors import RemoteError
from tests.contract.contract import contract, two_doors
from tests.contract.doors import Client, Door
from tests.services.llm.pages import objects

LIMIT_S = 90.0
SOURCE = '''class Lantern:
    def light_up(self, oil):
        """Make it shine."""
        return oil


def carry(lantern):
    return Lantern().light_up(1)
'''


async def _found(page: Client, query: str) -> list[dict[str, object]]:
    """The symbols of a name, as soon as the index has any."""
    async with asyncio.timeout(LIMIT_S):
        while not (rows := objects(await page.call("search_symbols", query))):
            await asyncio.sleep(0.05)
    return rows


@two_doors
@contract
async def test_a_new_file_can_be_searched_and_navigated(door: Door) -> None:
    async with door.open() as page:
        await page.repo("write_file", "lantern.py", SOURCE)
        [row] = await _found(page, "light_up")
        assert (row["file"], row["line"], row["container"]) == ("lantern.py", 2, "Lantern")
        hover = await page.ask("lsp_get_hover", "lantern.py", 2, 12)
        assert "Make it shine." in str(hover["contents"])
        target = await page.ask("lsp_get_definition", "lantern.py", 8, 14)
        assert target["file"] == "lantern.py"
        assert target["range"] == {
            "start": {"line": 0, "character": 6},
            "end": {"line": 0, "character": 13},
            "startLineNumber": 1,
            "startColumn": 7,
            "endLineNumber": 1,
            "endColumn": 14,
        }
        uses = objects(await page.call("lsp_get_references", "lantern.py", 1, 8))
        assert [use["file"] for use in uses] == ["lantern.py"]
        offered = objects(await page.call("lsp_get_completions", "lantern.py", 7, 1, "CARR"))
        assert [each["label"] for each in offered] == ["carry"]
        block = await page.ask("get_file_map_block", "lantern.py")
        assert (block["path"], block["mode"]) == ("lantern.py", "code")
        # What is written is what is answered about, without a word in between.
        await page.repo("write_file", "lantern.py", "# moved\n" + SOURCE)
        target = await page.ask("lsp_get_definition", "lantern.py", 9, 14)
        assert str(target["range"]).count("'line': 1") == 2
        await page.repo("delete_file", "lantern.py")
        assert await page.call("lsp_get_hover", "lantern.py", 2, 12) is None


@contract
async def test_no_place_outside_of_the_repository_is_looked_at(door: Door) -> None:
    async with door.open() as page:
        for name in ("hover", "definition", "references", "completions"):
            for path in ("../a.py", ".git/config", "/etc/passwd"):
                with pytest.raises(RemoteError) as caught:
                    await page.call(f"lsp_get_{name}", path, 1, 1)
                assert caught.value.remote_type == "refused_path"
        assert "error" in await page.ask("get_file_map_block", "../a.py")
        assert "error" in await page.ask("get_file_map_block", "gone.py")


@contract
async def test_the_mode_is_switched_and_told(door: Door) -> None:
    async with door.open() as page:
        assert "error" in await page.ask("switch_mode", "none")
        await page.repo("write_file", "LANTERN.md", "# Lanterns\n\nOf oil.\n")
        async with asyncio.timeout(LIMIT_S):
            while (await page.ask("switch_mode", "doc"))["mode"] != "doc":
                await asyncio.sleep(0.05)
        state = await page.ask("get_current_state")
        assert (state["mode"], state["cross_ref_enabled"]) == ("doc", False)
        assert (await page.ask("get_mode"))["doc_index_ready"] is True
        assert (await page.ask("set_cross_reference", True))["status"] == "enabled"
        assert (await page.ask("switch_mode", "code"))["cross_ref_enabled"] is False
        await page.until(lambda page: len(page.named("modeChanged")) >= 3)
        assert page.named("modeChanged")[-1] == ({"mode": "code", "cross_ref_enabled": False},)
