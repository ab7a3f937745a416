import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.llm.state import _Answer
from jupyter_ac.store import stamped_cache
from jupyter_ac.store.stamped_cache import StampedCache
from jupyter_ac.version import PROTOCOL, __version__
from tests.chat.memory import World, open_world
from tests.services.llm.pages import Page, connect, keeping, llm_methods, serving


async def test_the_state_before_anything_is_said() -> None:
    async with serving(World()) as service:
        state = await (await service.page()).ask("get_current_state")
        session_id = state.pop("session_id")
        assert str(session_id).startswith("sess_")
        assert state == {
            "messages": [],
            "earlier": 0,
            "selected_files": [],
            "ticked_by_program": [],
            "urls": [],
            "urls_fetch": "ask",
            "streaming_active": False,
            "repo_name": "repo",
            "repo_root": "/work/repo",
            "has_git": True,
            "cross_ref_enabled": False,
            "cross_ref_ready": False,
            "init_complete": False,
            "mode": "code",
            "enrichment_status": "unavailable",
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
            "review_state": NO_REVIEW,
            "undo": None,
            "edits_review": False,
        }


async def test_a_running_answer_is_listed_with_its_text_and_its_question_is_shown() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        service.world.model.pieces = ("😀 so far",)
        service.world.model.held = True
        await page.ask("chat_streaming", "1-a", "Why?")
        await asyncio.wait_for(service.world.model.began.wait(), 30)
        state = await page.ask("get_current_state")
        assert state["streaming_active"] is True
        assert state["active_streams"] == [
            {
                "request_id": "1-a",
                "agent_id": None,
                "accumulated_content": "😀 so far",
                "length": 9,
                "reasoning": "",
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


async def test_two_hosts_on_one_history_see_what_the_other_adds_and_selects(
    tmp_path: Path,
) -> None:
    world = open_world({"a.py": "1\n"})
    async with keeping(world, tmp_path, "one") as one, keeping(world, tmp_path, "two") as two:
        first = await one.page()
        await first.say("1-a", "In the first")
        second, watching = await two.page(), await two.page()
        before = await second.ask("get_current_state")
        assert before["messages"] == (await first.ask("get_current_state"))["messages"]
        await first.call("set_selected_files", ["a.py"])
        await first.say("2-b", "In the first again")
        after = await second.ask("get_current_state")
        assert after["selected_files"] == ["a.py"]
        assert after["messages"] == (await first.ask("get_current_state"))["messages"]
        await watching.until(lambda page: page.named("filesChanged") == [(["a.py"],)])
        assert watching.named("sessionChanged") == [
            ({name: after[name] for name in ("session_id", "messages", "earlier")},)
        ]
        assert not second.named("sessionChanged")
        await second.say("3-c", "In the second")
        await first.say("4-d", "In the first, unaware")
        messages = await first.rows("history_get_session", after["session_id"])
        assert [message["content"] for message in messages[::2]] == [
            "In the first",
            "In the first again",
            "In the second",
            "In the first, unaware",
        ]


async def test_an_unchanged_state_comes_from_memory_and_every_change_shows() -> None:
    """Each change is followed by a state; one made without the cache says the same."""
    world = open_world({"a.py": "1\n", "b.py": "2\n"})
    async with serving(world) as service:
        page = await service.page()
        domain = replace(service.domain, state_files=())
        plain = Page()
        connection = await connect(plain, MethodTable(llm_methods(domain)))
        states: list[object] = []

        async def same() -> None:
            for _ in range(3):
                states.append(await page.ask("get_current_state"))
                assert states[-1] == await plain.ask("get_current_state")

        await same()
        assert states[0] == states[1] == states[2]
        await page.call("set_selected_files", ["a.py"])
        await same()
        await page.say("1-a", "Why?")
        await same()
        await page.call("set_selected_files", ["b.py", "a.py"])
        await same()
        world.choice = None
        await same()
        await page.call("new_session")
        await same()
        await connection.close()
        assert len({str(state) for state in states}) == 6


async def test_calls_of_one_turn_share_a_look_at_the_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = tmp_path / "history.sqlite"
    kept.write_bytes(b"1")
    looks: list[str] = []
    mark = stamped_cache._mark

    def counted(path: str) -> stamped_cache._Mark:
        looks.append(path)
        return mark(path)

    settled = partial(StampedCache[_Answer], lifetime_s=3600.0, settled_s=0.0)
    monkeypatch.setattr("jupyter_ac.services.llm.state.StampedCache", {_Answer: settled})
    monkeypatch.setattr("jupyter_ac.store.stamped_cache._mark", counted)
    async with serving(open_world()) as service:
        domain = replace(service.domain, state_files=(kept,))
        page = Page()
        connection = await connect(page, MethodTable(llm_methods(domain)))
        first = await page.ask("get_current_state")
        looks.clear()
        states = await asyncio.gather(*[page.ask("get_current_state") for _ in range(20)])
        assert states == [first] * 20
        assert 1 <= len(looks) < 20
        looks.clear()
        kept.write_bytes(b"two")
        assert await page.ask("get_current_state") == first
        assert looks
        await connection.close()


async def test_calls_that_wait_at_once_read_the_disk_together() -> None:
    reads: list[int] = []

    def review() -> ReviewState:
        reads.append(len(reads))
        return NO_REVIEW

    async with serving(open_world()) as service:
        # Without files nothing is cached: each call would read for itself.
        domain = replace(service.domain, state_files=(), review=review)
        page = Page()
        connection = await connect(page, MethodTable(llm_methods(domain)))
        states = await asyncio.gather(*[page.ask("get_current_state") for _ in range(50)])
        assert all(state == states[0] for state in states)
        assert 1 <= len(reads) <= 3
        await connection.close()
