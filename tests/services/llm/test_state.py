import asyncio

from jupyter_ac.version import PROTOCOL, __version__
from tests.chat.memory import World, open_world
from tests.services.llm.pages import serving


async def test_the_state_before_anything_is_said() -> None:
    async with serving(World()) as service:
        state = await (await service.page()).ask("get_current_state")
        session_id = state.pop("session_id")
        assert str(session_id).startswith("sess_")
        assert state == {
            "messages": [],
            "selected_files": [],
            "streaming_active": False,
            "repo_name": "repo",
            "cross_ref_enabled": False,
            "cross_ref_ready": False,
            "init_complete": False,
            "mode": "code",
            "protocol": PROTOCOL,
            "version": __version__,
            "model": {
                "name": "openai/test",
                "source": "flag",
                "demo": False,
                "available": True,
                "message": "",
            },
            "active_streams": [],
            "excluded_index_files": [],
            "review_state": {"active": False},
        }


async def test_a_running_answer_is_listed_with_its_text_and_its_question_is_shown() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        service.world.model.pieces = ("😀 so far",)
        service.world.model.held = True
        await page.ask("chat_streaming", "1-a", "Why?")
        await asyncio.wait_for(service.world.model.began.wait(), 5)
        state = await page.ask("get_current_state")
        assert state["streaming_active"] is True
        assert state["active_streams"] == [
            {
                "request_id": "1-a",
                "agent_id": None,
                "accumulated_content": "😀 so far",
                "length": 9,
            }
        ]
        assert isinstance(state["messages"], list)
        assert [message["role"] for message in state["messages"]] == ["user"]
        service.world.model.release.set()
        await page.completion()
        state = await page.ask("get_current_state")
        assert isinstance(state["messages"], list)
        assert [message["state"] for message in state["messages"]] == ["done", "done"]
        assert state["active_streams"] == []


async def test_without_a_model_the_state_says_what_to_set() -> None:
    world = open_world()
    world.choice = None
    async with serving(world) as service:
        model = (await (await service.page()).ask("get_current_state"))["model"]
        assert isinstance(model, dict)
        assert (model["available"], model["name"]) == (False, "")
        assert "No language model" in str(model["message"])
