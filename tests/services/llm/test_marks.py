from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.services.llm import marks
from tests.chat.memory import open_world
from tests.services.llm.pages import Page, keeping


def standings(snapshot: object) -> list[object]:
    messages = cast("dict[str, list[dict[str, object]]]", snapshot)["messages"]
    return [message.get("context") for message in messages]


async def test_all_pages_and_a_restart_see_what_is_excluded(tmp_path: Path) -> None:
    world = open_world()
    async with keeping(world, tmp_path) as service:
        page, other = await service.page(), await service.page()
        await page.say("1-a", "One?")
        await page.say("2-a", "Two?")
        done = await page.ask("exclude_turns", ["1-a"])
        assert done["status"] == "ok"
        assert cast("int", done["tokens_freed"]) > 0
        expected = ["excluded", "excluded", None, None]

        def told(each: Page) -> bool:
            return standings(each.named("sessionChanged")[-1][0]) == expected

        await other.until(told)
        await page.say("3-a", "Three?")
        sent = str(world.model.requests[-1].messages)
        assert ("One?" in sent, "Two?" in sent) == (False, True)
    async with keeping(world, tmp_path) as service:
        page = await service.page()
        assert standings(await page.ask("get_current_state"))[:4] == expected
        back = await page.ask("exclude_turns", ["1-a"], False)
        assert cast("int", back["tokens_freed"]) < 0
        await page.say("4-a", "Four?")
        assert "One?" in str(world.model.requests[-1].messages)


async def test_a_pin_is_shown_and_listed(tmp_path: Path) -> None:
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page()
        await page.say("1-a", "One?")
        assert await page.ask("pin_turns", ["1-a"]) == {"status": "ok", "pinned": 1}
        assert standings(await page.ask("get_session_messages")) == ["pinned", "pinned"]
        (row,) = await page.rows("list_marked_turns")
        assert (row["request_id"], row["name"], row["context"]) == ("1-a", "One?", "pinned")
        assert cast("int", row["tokens"]) > 0
        assert await page.ask("pin_turns", ["1-a"], False) == {"status": "ok", "pinned": 0}


@pytest.mark.parametrize("method", ["exclude_turns", "pin_turns"])
async def test_bad_calls_are_named_and_change_nothing(
    tmp_path: Path, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with keeping(open_world(), tmp_path) as service:
        page = await service.page()
        await page.say("1-a", "One?")
        assert "'9-z'" in str((await page.ask(method, ["1-a", "9-z"]))["error"])
        for wrong in ([], "1-a", None, [1], {"a": 1}):
            with pytest.raises(RemoteError, match="request_ids"):
                await page.ask(method, wrong)
        monkeypatch.setattr(marks, "MAX_TURNS", 1)
        with pytest.raises(RemoteError, match="At most 1 questions"):
            await page.ask(method, ["1-a", "1-a"])
        assert standings(await page.ask("get_current_state")) == [None, None]
