import json
import threading

from jupyter_ac.errors import GitError
from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.services.state_feed.feed import content_hash
from jupyter_ac.services.state_feed.source import MOST_FILES, StateSource, conversation_state
from tests.chat.memory import ADA, World, open_world
from tests.services.llm.pages import serving

SECRET = "the words of the question"


class Reviews:
    """A review as the disk has it."""

    def __init__(self) -> None:
        self.reads = 0
        self.state: ReviewState | None = NO_REVIEW

    def __call__(self) -> ReviewState:
        assert threading.current_thread() is not threading.main_thread()
        self.reads += 1
        if self.state is None:
            raise GitError("git failed")
        return self.state


async def test_it_shows_what_get_current_state_shows_under_the_same_names() -> None:
    async with serving(World()) as service:
        shown = await (await service.page()).ask("get_current_state")
        conversation = await service.domain.book.open(ConversationKey(ADA))
        source = StateSource("repo", service.domain.ports, Reviews())
        await source.prepare()
        state = source.read(conversation)
    workspace, talk = state["workspace"], state["conversation"]
    assert isinstance(workspace, dict)
    assert isinstance(talk, dict)
    common = {*workspace, *talk} & {*shown} - {"active_streams"}
    assert common >= {"repo_name", "init_complete", "model", "session_id", "selected_files", "mode"}
    assert {name: shown[name] for name in common} == {
        name: value for name, value in (workspace | talk).items() if name in common
    }
    assert (workspace["review_active"], workspace["files_version"]) == (False, 0)
    assert (talk["message_count"], talk["active_streams"], talk["urls_count"]) == (0, [], 0)


async def test_each_section_that_clients_compare_has_its_hash() -> None:
    async with serving(World()) as service:
        conversation = await service.domain.book.open(ConversationKey(ADA))
        state = StateSource("repo", service.domain.ports, Reviews()).read(conversation)
    browser = state["browser"]
    assert isinstance(browser, dict)
    assert state["selections_hash"] == content_hash(browser["selections"])
    for name in ("filters", "fetch", "page", "error", "workspace", "conversation"):
        assert state[f"{name}_hash"] == content_hash(state[name])
    assert len([name for name in state if name.endswith("_hash")]) == 7


async def test_a_running_answer_is_named_and_no_text_of_it_is_shown() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        service.world.model.held = True
        await page.ask("chat_streaming", "1-a", SECRET)
        await service.world.model.began.wait()
        conversation = await service.domain.book.open(ConversationKey(ADA))
        state = StateSource("repo", service.domain.ports, Reviews()).read(conversation)
        service.world.model.release.set()
    assert state["conversation"] == conversation_state(conversation) | {
        "active_streams": ["1-a"],
        "message_count": 1,
    }
    assert SECRET not in json.dumps(state)


async def test_very_many_ticked_files_are_counted_rather_than_named() -> None:
    async with serving(World()) as service:
        conversation = await service.domain.book.open(ConversationKey(ADA))
        conversation.selection = tuple(RepoPath(f"f{n}") for n in range(MOST_FILES + 3))
        state = conversation_state(conversation)
    assert state["selected_files"] == [f"f{n}" for n in range(MOST_FILES)]
    assert state["selected_files_left_out"] == 3


async def test_the_disk_is_read_when_files_have_changed_and_not_before() -> None:
    reviews = Reviews()
    async with serving(World()) as service:
        conversation = await service.domain.book.open(ConversationKey(ADA))
        source = StateSource("repo", service.domain.ports, reviews)

        async def shown() -> tuple[object, object]:
            await source.prepare()
            workspace = source.read(conversation)["workspace"]
            assert isinstance(workspace, dict)
            return workspace["review_active"], workspace["files_version"]

        assert await shown() == (False, 0)
        reviews.state = NO_REVIEW | ReviewState(**{**NO_REVIEW, "active": True})
        assert await shown() == (False, 0)
        source.note_files()
        assert await shown() == (True, 1)
        reviews.state = None
        source.note_files()
        assert await shown() == (True, 2)
        assert reviews.reads == 3
