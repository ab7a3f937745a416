from functools import partial
from pathlib import Path

import pytest

from jupyter_ac.chat.ports import MapText
from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.llm.snippets import ModeSnippetMethods
from jupyter_ac.services.settings.snippets import snippet_rows
from jupyter_ac.settings.live import LiveSettings
from jupyter_ac.settings.snippet_store import SnippetStore
from jupyter_ac.settings.snippets import bundled_snippets
from tests.chat.memory import open_world
from tests.services.llm.pages import llm_methods, objects, serving


@pytest.mark.parametrize(
    ("active", "worked_on", "mode"),
    [(False, "code", "code"), (False, "doc", "doc"), (True, "doc", "review")],
)
async def test_the_snippets_are_those_for_what_is_being_done(
    tmp_path: Path, worked_on: str, mode: str, *, active: bool
) -> None:
    review = NO_REVIEW.copy()
    review["active"] = active
    snippets = SnippetStore(LiveSettings(tmp_path), tmp_path)
    world = open_world()
    world.maps.heads = {"doc": MapText("a map")}
    async with serving(world) as service:
        rows = partial(snippet_rows, snippets)
        part = ModeSnippetMethods(rows, lambda: review, service.domain.book)
        service.table = MethodTable(llm_methods(service.domain, part))
        page = await service.page()
        await page.ask("switch_mode", worked_on)
        found = await page.call("get_snippets")
    messages = [row["message"] for row in objects(found)]
    assert messages == [snippet.message for snippet in bundled_snippets()[mode]]
