from pathlib import Path

from tests.services.settings.world import World, page


async def test_edits_wait_from_the_moment_that_it_is_saved(tmp_path: Path) -> None:
    world = World(tmp_path)
    async with page(world) as caller:
        await caller.ports.keep_edits_review(True)
        assert caller.ports.live.app.edits.review
    assert world.said("app.json") == {"edits": {"review": True}}
