from functools import partial
from pathlib import Path

import pytest

from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.services.llm.snippets import Snippets
from jupyter_ac.services.settings.snippets import snippet_rows
from jupyter_ac.settings.live import LiveSettings
from jupyter_ac.settings.shelf import SnippetShelf
from jupyter_ac.settings.snippets import bundled_snippets


@pytest.mark.parametrize(("active", "mode"), [(False, "code"), (True, "review")])
async def test_the_snippets_are_those_for_what_is_being_done(
    tmp_path: Path, mode: str, *, active: bool
) -> None:
    review = NO_REVIEW.copy()
    review["active"] = active
    shelf = SnippetShelf(LiveSettings(tmp_path), tmp_path)
    part = Snippets(partial(snippet_rows, shelf), lambda: review)
    found = [row["message"] for row in await part.get_snippets()]
    assert found == [snippet.message for snippet in bundled_snippets()[mode]]
