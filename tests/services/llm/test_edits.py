"""The user's word on edits, over the wire."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from jupyter_ac.errors import AccessDenied
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.llm.edits import EditMethods
from jupyter_ac.settings.app import EditSettings
from tests.chat.edited import EditWorld, Reply, edit, editing
from tests.services.llm.pages import WITH_DELTAS, Page, Service, llm_methods, objects

LISTED = (*WITH_DELTAS, "AcApp.editsChanged")
FILES: dict[str, str | bytes] = {"a.txt": "one\ntwo\n"}
ANSWER = edit("a.txt", "one\n", "1\n") + edit("a.txt", "two\n", "2\n")


@dataclass
class Waiting:
    """Two blocks that wait for the user, and two pages that see them."""

    world: EditWorld
    page: Page
    other: Page


@asynccontextmanager
async def waiting(folder: Path) -> AsyncIterator[Waiting]:
    async with editing(folder, FILES) as world:
        service = Service(world.ports)
        domain = service.domain

        async def keep_review(on: bool) -> None:
            if not on:
                raise AccessDenied("The administrator has locked it.")
            world.settings = EditSettings(review=on)

        edits = EditMethods(domain.book, world.decider, domain.audience, keep_review)
        service.table = MethodTable(llm_methods(domain, edits))
        world.settings = EditSettings(review=True)
        world.model.replies = [Reply(ANSWER)]
        try:
            page, other = await service.page(LISTED), await service.page(LISTED)
            await page.call("set_selected_files", ["a.txt"])
            await page.say("1-a", "Edit it.")
            yield Waiting(world, page, other)
        finally:
            await service.aclose()


def states(answer: Mapping[str, object]) -> list[object]:
    return [row["status"] for row in objects(answer["edit_results"])]


async def change(page: Page) -> Mapping[str, object]:
    """The newest `editsChanged` of the turn."""
    await page.until(lambda page: bool(page.named("editsChanged")))
    name, told = page.named("editsChanged")[-1]
    assert name == "1-a"
    assert isinstance(told, dict)
    return told


async def test_what_waits_is_listed_until_it_is_decided(tmp_path: Path) -> None:
    async with waiting(tmp_path) as found:
        (listed,) = await found.page.rows("list_pending_edits")
        assert listed["request_id"] == "1-a"
        assert [row["index"] for row in objects(listed["results"])] == [0, 1]
        answer = await found.page.ask("apply_edits", "1-a", [1])
        assert (answer["status"], states(answer)) == ("ok", ["pending", "applied"])
        assert answer["files_modified"] == ["a.txt"]
        answer = await found.page.ask("reject_edits", "1-a")
        assert states(answer) == ["rejected", "applied"]
        assert await found.page.rows("list_pending_edits") == []
        assert found.world.text("a.txt") == "one\n2\n"


async def test_all_pages_at_the_seat_hear_what_was_decided(tmp_path: Path) -> None:
    async with waiting(tmp_path) as found:
        await found.page.ask("apply_edits", "1-a")
        for page in (found.page, found.other):
            told = await change(page)
            assert (states(told), told["can_undo"]) == (["applied", "applied"], True)
        await found.page.ask("undo_last_edits")
        await found.other.until(lambda page: len(page.named("editsChanged")) > 1)
        told = await change(found.other)
        assert (states(told), told["can_undo"]) == (["undone", "undone"], False)
        assert told["files_modified"] == []


async def test_what_can_not_be_done_is_said_in_words(tmp_path: Path) -> None:
    async with waiting(tmp_path) as found:
        for arguments in (("9-z",), ("1-a", [7])):
            for method in ("apply_edits", "reject_edits"):
                assert (await found.page.ask(method, *arguments))["error"]
        refused = await found.page.ask("undo_last_edits", "")
        assert (refused["status"], refused["files_restored"]) == ("refused", [])
        assert refused["reason"]
        assert found.page.named("editsChanged") == []


async def test_review_before_apply_is_kept_by_the_settings(tmp_path: Path) -> None:
    async with waiting(tmp_path) as found:
        assert (await found.page.ask("get_current_state"))["edits_review"] is True
        answer = await found.page.ask("set_edits_review", True)
        assert answer == {"status": "ok", "edits_review": True}
        assert "locked" in str((await found.page.ask("set_edits_review", False))["error"])


async def test_the_state_offers_the_undo(tmp_path: Path) -> None:
    async with waiting(tmp_path) as found:
        assert (await found.page.ask("get_current_state"))["undo"] is None
        await found.page.ask("apply_edits", "1-a")
        offer = {"request_id": "1-a", "files": ["a.txt"]}
        assert (await found.other.ask("get_current_state"))["undo"] == offer


async def test_what_runs_by_itself_is_named_to_be_applied_and_to_be_taken_back(
    tmp_path: Path,
) -> None:
    async with waiting(tmp_path) as found:
        answer = edit("a.txt", "one\n", "1\n") + edit(".envrc", "", "evil\n")
        found.world.model.replies = [Reply(answer)]
        await found.page.say("2-a", "Again.")
        decided = await found.page.ask("apply_edits", "2-a")
        assert states(decided) == ["applied", "pending"]
        assert "by itself" in str(decided["note"])
        assert "by itself" in str((await found.page.ask("apply_edits", "2-a"))["error"])
        decided = await found.page.ask("apply_edits", "2-a", [1])
        assert (states(decided), "note" in decided) == (["applied", "applied"], False)
        asked = await found.page.ask("undo_last_edits", "2-a")
        assert (asked["status"], asked["files_restored"]) == ("confirm", [])
        (row,) = objects(asked["protected"])
        assert row["file"] == ".envrc"
        assert row["reason"]
        assert ".envrc" in str(asked["reason"])
        undone = await found.page.ask("undo_last_edits", "2-a", [".envrc"])
        assert undone == {"status": "undone", "files_restored": ["a.txt", ".envrc"]}


async def test_single_edits_are_taken_back_and_a_part_is_offered(tmp_path: Path) -> None:
    async with waiting(tmp_path) as found:
        await found.page.ask("apply_edits", "1-a")
        undone = await found.page.ask("undo_edits", "1-a", [1])
        assert undone == {"status": "undone", "files_restored": ["a.txt"]}
        assert states(await change(found.other)) == ["applied", "undone"]
        assert found.world.text("a.txt") == "1\ntwo\n"
        found.world.model.replies = [Reply(edit("a.txt", "two\n", "2\n") + edit("n", "", "n\n"))]
        await found.page.say("2-a", "Again.")
        await found.page.ask("apply_edits", "2-a")
        found.world.folder.write("a.txt", "1\nmine\n")
        refused = await found.page.ask("undo_edits", "2-a")
        assert (refused["status"], refused["indices"]) == ("refused", [1])
        (row, other) = await found.page.rows("get_edit_standings", ["1-a", "2-a", "x"])
        assert objects(row["edits"]) == [{"index": 0, "standing": "applied", "can_undo": True}]
        assert [each["standing"] for each in objects(other["edits"])] == ["changed", "applied"]
        assert (await found.page.ask("undo_edits", "9-z"))["status"] == "refused"
