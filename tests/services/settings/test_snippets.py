import json
from pathlib import Path

from tests.services.settings.world import World, page, rows


async def test_the_snippets_are_given_by_what_they_are_for(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("snippets.json", {"code": [{"icon": "i", "tooltip": "t", "message": "mine"}]})
    async with page(world) as caller:
        assert await caller.ask("get_snippets") == [
            {"icon": "i", "tooltip": "t", "message": "mine"}
        ]
        reviews = await caller.ask("get_review_snippets")
        assert isinstance(reviews, list)
        assert len(reviews) >= 3
        folder = tmp_path / "repo" / ".jupyter_ac"
        folder.mkdir(parents=True)
        (folder / "snippets.json").write_text(json.dumps({"code": [{"message": "theirs"}]}))
        (only,) = rows(await caller.ask("get_snippets"))
        assert only == {"icon": "", "tooltip": "", "message": "theirs"}
        (folder / "snippets.json").write_text("{")
        assert await caller.ask("get_snippets") == [only]
        notices = (await caller.call("get_config_info"))["notices"]
        assert ".jupyter_ac/snippets.json, line 1" in str(notices)
