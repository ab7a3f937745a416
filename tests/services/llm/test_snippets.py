from functools import partial
from pathlib import Path

from jupyter_ac.services.llm.snippets import Snippets
from jupyter_ac.services.settings.snippets import snippet_rows
from jupyter_ac.settings.live import LiveSettings
from jupyter_ac.settings.shelf import SnippetShelf
from jupyter_ac.settings.snippets import bundled_snippets


async def test_the_snippets_for_code_are_given(tmp_path: Path) -> None:
    shelf = SnippetShelf(LiveSettings(tmp_path), tmp_path)
    part = Snippets(partial(snippet_rows, shelf, "code"))
    found = [row["message"] for row in await part.get_snippets()]
    assert found == [snippet.message for snippet in bundled_snippets()["code"]]
