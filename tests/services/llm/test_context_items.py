"""The methods on what is added to the next question, through a connection."""

import pytest

from jupyter_ac.chat.context_items import MAX_ITEMS
from jupyter_ac.chat.images import IMAGE_TOKENS, image_of
from jupyter_ac.errors import AcError
from jupyter_ac.git.excluded_paths import REASON, ExcludedPaths
from jupyter_ac.ids import RepoPath
from tests.chat.memory import World, open_world
from tests.services.llm.pages import WITH_DELTAS, Page, serving
from tests.support.pictures import GIF, png, uri

ITEM = {"kind": "variable", "name": "df", "text": "password=hunter2-hunter2", "source": "a.ipynb"}


def _row(answer: object) -> dict[str, object]:
    assert isinstance(answer, dict)
    return answer


async def _names(page: Page) -> list[object]:
    rows = await page.call("get_context_items")
    assert isinstance(rows, list)
    return [row["name"] for row in rows]


async def test_items_are_added_replaced_and_removed_and_pages_are_told() -> None:
    async with serving(World()) as service:
        page = await service.page((*WITH_DELTAS, "AcApp.contextChanged"))
        row = _row(await page.call("add_context", ITEM))
        assert (row["name"], row["secrets"], row["images"]) == ("df", 1, 0)
        assert row["tokens"]
        await page.call("add_context", {**ITEM, "text": "other"})
        await page.call("add_context", {**ITEM, "kind": "cell"})
        assert await _names(page) == ["df", "df"]
        left = await page.call("remove_context", row["id"])
        assert isinstance(left, list)
        assert len(left) == 2
        for item in left:
            await page.call("remove_context", item["id"])
        assert await _names(page) == []
        await page.until(lambda page: len(page.named("contextChanged")) == 6)
        assert page.named("contextChanged")[-1] == ([],)


async def test_images_come_with_an_item_and_the_breakdown_counts_it() -> None:
    async with serving(World()) as service:
        page = await service.page()
        item = {**ITEM, "kind": "output", "images": [uri(GIF)]}
        assert _row(await page.call("add_context", item))["images"] == 1
        breakdown = _row(await page.call("get_context_breakdown"))
        parts = _row(breakdown["breakdown"])
        details = parts["context_details"]
        assert isinstance(details, list)
        [detail] = details
        assert (detail["name"], detail["in_log"]) == ("output/df", False)
        assert parts["context"] == detail["tokens"]
        assert breakdown["image_tokens"]


async def test_more_images_than_a_question_takes_are_said() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        for number in range(3):
            images = [uri(GIF + bytes([number, each])) for each in range(2)]
            item = {**ITEM, "kind": "output", "name": f"o{number}", "images": images}
            await page.call("add_context", item)
        breakdown = _row(await page.call("get_context_breakdown"))
        assert breakdown["image_tokens"] == 5000
        result = await page.say("1-a", "Why?")
        assert "Only 5 of 6 images" in str(result["notices"])


async def test_too_many_and_wrong_items_change_nothing() -> None:
    async with serving(World()) as service:
        page = await service.page()
        for number in range(MAX_ITEMS):
            await page.call("add_context", {**ITEM, "name": f"v{number}"})
        refused = _row(await page.call("add_context", ITEM))
        assert "remove one first" in str(refused["error"])
        await page.call("add_context", {**ITEM, "name": "v3", "text": "new"})
        for wrong in (3, None, "x"):
            with pytest.raises(AcError):
                await page.call("add_context", wrong)
        for members in ({"images": 3}, {"images": ["x"] * 6}, {"kind": "odd"}):
            assert "error" in _row(await page.call("add_context", {**ITEM, **members}))
        assert len(await _names(page)) == MAX_ITEMS


async def test_secrets_come_back_into_their_cell() -> None:
    async with serving(World()) as service:
        page = await service.page()
        await page.call("add_context", {**ITEM, "kind": "cell", "cell": "c1"})
        text = "password=[secret 1]"
        assert await page.call("restore_cell_secrets", "a.ipynb", "c1", text) == {
            "text": "password=hunter2-hunter2"
        }
        assert await page.call("restore_cell_secrets", "a.ipynb", "c2", text) == {"text": text}


@pytest.mark.parametrize("path", ["a.ipynb", "two  blanks.py", "password=hunter2-hunter2/a.py"])
async def test_what_comes_from_an_excluded_file_is_refused_by_its_unaltered_name(
    path: str,
) -> None:
    world = World()
    async with serving(world) as service:
        page = await service.page()
        item = {**ITEM, "source": path}
        await page.call("add_context", item)
        world.files.not_sent = ExcludedPaths((RepoPath(path),))
        refused = _row(await page.call("add_context", {**item, "name": "other"}))
        assert REASON in str(refused["error"])
        assert await _names(page) == ["df"]


async def test_what_is_excluded_after_it_was_added_stays_out_of_the_question() -> None:
    world = open_world()
    async with serving(world) as service:
        page = await service.page()
        for kind, source, data in (("output", "vault/a.ipynb", GIF), ("cell", "b.ipynb", png())):
            given = {"kind": kind, "name": kind, "text": f"of {source}", "source": source}
            await page.call("add_context", {**given, "images": [uri(data)]})
        world.files.not_sent = ExcludedPaths((RepoPath("vault"),))
        notice = f"Not sent: output of vault/a.ipynb: {REASON}."
        breakdown = _row(await page.call("get_context_breakdown"))
        assert notice in str(breakdown["notices"])
        assert breakdown["image_tokens"] == IMAGE_TOKENS
        result = await page.say("1-a", "Why?")
        assert result["notices"] == [notice]
        [sent] = world.model.requests
        assert "of b.ipynb" in str(sent.messages)
        assert "vault" not in str(sent.messages)
        pictures = [image_of(data, "").name in str(sent.messages) for data in (GIF, png())]
        assert pictures == [False, True]
