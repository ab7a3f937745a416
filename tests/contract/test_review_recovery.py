"""A host that dies in a review: the next one offers its end, and that brings everything back."""

from tests.contract.contract import contract
from tests.contract.doors import Door
from tests.support.sanity import snapshot


@contract
async def test_the_review_of_a_host_that_died_is_offered_and_ends(door: Door) -> None:
    folder = door.folder
    branch = folder.git("branch", "--show-current")
    folder.git("checkout", "-q", "-b", "reviewed")
    folder.write("a.py", "print(2)\n")
    folder.write("reviewed.py", "print(3)\n")
    folder.commit("to review")
    folder.git("checkout", "-q", branch)
    before = snapshot(folder)
    async with door.open("reviewer") as page:
        await page.ready()
        begun = await page.ask("start_review", "reviewed")
        assert begun["status"] == "review_active"
        assert (folder.root / "a.py").read_text() == "print(2)\n"
        await door.kill()
        await page.ended()
    async with door.open("reviewer") as page:
        state = await page.repo("get_review_state")
        assert isinstance(state, dict)
        assert (state["active"], state["branch"]) == (True, "reviewed")
        assert f"ending it restores `{branch}`" in state["message"]
        ended = await page.ask("end_review")
        assert (ended["status"], ended["stashed"]) == ("restored", False)
        assert snapshot(folder) == before
        assert (await page.ask("get_review_state"))["active"] is False
    folder.git("branch", "-q", "-D", "reviewed")
