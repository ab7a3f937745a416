import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.ids import Identity
from tests.chat.memory import open_world
from tests.services.llm.pages import serving

FILES = {"a.py": "1", "b.py": "2", "caf\udce9.py": "3"}


async def test_what_is_kept_is_answered_and_told_to_all_pages_of_the_person() -> None:
    async with serving(open_world(FILES)) as service:
        one, two = await service.page(), await service.page()
        stranger = await service.page(identity=Identity("bob"))
        kept = await one.call("set_selected_files", ["b.py", "gone", "caf\udce9.py"])
        assert kept == ["b.py", "caf\udce9.py"]
        for page in (one, two):
            await page.until(lambda page: bool(page.events))
            assert page.events == [("filesChanged", (["b.py", "caf\udce9.py"],))]
        assert await two.call("get_selected_files") == kept
        assert await stranger.call("get_selected_files") == []
        assert stranger.events == []


@pytest.mark.parametrize("files", ["a.py", None, 3, ["x"] * 10_001, ["a.py", None], [{}]])
async def test_what_is_no_reasonable_list_is_refused(files: object) -> None:
    async with serving(open_world(FILES)) as service:
        page = await service.page()
        with pytest.raises(RemoteError):
            await page.call("set_selected_files", files)
        assert page.events == []
