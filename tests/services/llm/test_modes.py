from dataclasses import replace

from jupyter_ac.chat.chat_events import SystemEventRecorder
from jupyter_ac.chat.ports import MapState, MapText
from jupyter_ac.ids import ConversationKey, Identity, SessionId
from jupyter_ac.services.llm.modes import is_ready, other
from tests.chat.memory import ADA, World, open_world
from tests.services.llm.pages import Page, Service, serving

CODE = MapText("the code", tokens=700, generation="1", files=30)
DOCUMENTS = MapText("the documents", tokens=300, generation="1", files=12)


def indexed() -> World:
    world = open_world({"a.py": "1\n"})
    world.maps.heads = {"code": CODE, "doc": DOCUMENTS}
    return world


async def told(page: Page, times: int) -> list[object]:
    """What the page was told of the mode, so many times."""
    await page.until(lambda page: len(page.named("modeChanged")) == times)
    return [change for (change,) in page.named("modeChanged")]


class Notes(SystemEventRecorder):
    """Remembers what is noted beside the talk."""

    def __init__(self) -> None:
        self.noted: list[tuple[str, str]] = []

    async def note(
        self, conversation_key: ConversationKey, session_id: SessionId, kind: str, text: str
    ) -> None:
        assert conversation_key.identity == ADA
        assert session_id
        self.noted.append((kind, text))


async def test_the_mode_is_code_and_nothing_is_ready_without_an_index() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        assert await page.ask("get_mode") == {
            "mode": "code",
            "cross_ref_enabled": False,
            "symbol_index_ready": False,
            "symbol_index_building": False,
            "doc_index_ready": False,
            "doc_index_building": False,
            "doc_index_enriched": False,
            "enrichment_status": "unavailable",
            "cross_ref_ready": False,
            "message": "",
        }


async def test_a_mode_that_is_none_is_refused() -> None:
    async with serving(indexed()) as service:
        page = await service.page()
        for mode in ("review", "", "DOC"):
            answer = await page.ask("switch_mode", mode)
            assert answer == {"error": f"There is no mode {mode!r}; there are 'code' and 'doc'."}


async def test_the_same_mode_is_answered_with_a_message() -> None:
    async with serving(indexed()) as service:
        page = await service.page()
        assert await page.ask("switch_mode", "code") == {
            "mode": "code",
            "cross_ref_enabled": False,
            "message": "The code mode is on already.",
        }
        assert page.named("modeChanged") == []


async def test_a_cross_reference_without_maps_says_which_setting_is_off() -> None:
    world = indexed()
    world.maps.off = "No map is sent: prompt.map_tokens in app.json is 0."
    async with serving(world) as service:
        page = await service.page()
        answer = await page.ask("set_cross_reference", True)
        assert answer["status"] == "error"
        assert answer["message"] == world.maps.off
        assert answer["cross_ref_enabled"] is False
        assert (await page.ask("get_mode"))["cross_ref_ready"] is False


async def test_without_the_index_of_documents_the_mode_stays_and_building_is_said() -> None:
    async with serving(open_world()) as service:
        answer = await (await service.page()).ask("switch_mode", "doc")
        assert answer["mode"] == "code"
        assert answer["building"] is True
        assert "isn't ready" in str(answer["message"])


async def test_a_switch_is_told_to_the_person_and_turns_the_cross_reference_off() -> None:
    async with serving(indexed()) as service:
        page, second = await service.page(), await service.page()
        stranger = await service.page(identity=Identity("eve"))
        assert (await page.ask("set_cross_reference", True))["status"] == "enabled"
        answer = await page.ask("switch_mode", "doc")
        assert (answer["mode"], answer["cross_ref_enabled"]) == ("doc", False)
        assert answer["keywords_available"] is False
        for each in (page, second):
            assert await told(each, 2) == [
                {"mode": "code", "cross_ref_enabled": True},
                {"mode": "doc", "cross_ref_enabled": False},
            ]
        assert stranger.named("modeChanged") == []
        state = await second.ask("get_current_state")
        assert (state["mode"], state["cross_ref_enabled"]) == ("doc", False)
        assert (await stranger.ask("get_mode"))["mode"] == "code"


async def test_a_switch_is_noted_in_the_history() -> None:
    events = Notes()
    world = indexed()
    ports = replace(world.ports(), events=events)
    service = Service(ports)
    page = await service.page()
    await page.ask("switch_mode", "doc")
    await service.aclose()
    assert events.noted == [("mode", "The document mode is on from the next question on.")]


async def test_nothing_is_switched_while_an_answer_is_made() -> None:
    async with serving(indexed()) as service:
        page = await service.page()
        service.world.model.held = True
        await page.ask("chat_streaming", "1-a", "Why?")
        for answer in (
            await page.ask("switch_mode", "doc"),
            await page.ask("set_cross_reference", True),
        ):
            assert "press Stop or wait" in str(answer["error"])
        assert (await page.ask("get_mode"))["mode"] == "code"
        service.world.model.release.set()
        await page.completion()


async def test_the_cross_reference_says_what_it_adds() -> None:
    async with serving(indexed()) as service:
        page = await service.page()
        assert await page.ask("set_cross_reference", True) == {
            "status": "enabled",
            "cross_ref_enabled": True,
            "message": "The map of the documents goes out with the next question, too.",
            "items_added": 12,
            "tokens_added": 300,
        }
        again = await page.ask("set_cross_reference", True)
        assert (again["status"], again["cross_ref_enabled"]) == ("no_change", True)
        off = await page.ask("set_cross_reference", False)
        assert (off["status"], off["cross_ref_enabled"]) == ("disabled", False)
        assert (await page.ask("set_cross_reference", False))["status"] == "no_change"


async def test_in_document_mode_the_other_map_is_that_of_the_code() -> None:
    async with serving(indexed()) as service:
        page = await service.page()
        await page.ask("switch_mode", "doc")
        answer = await page.ask("set_cross_reference", True)
        assert (answer["items_added"], answer["tokens_added"]) == (30, 700)


async def test_a_cross_reference_that_is_not_ready_is_not_switched_on() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        answer = await page.ask("set_cross_reference", True)
        assert (answer["status"], answer["cross_ref_enabled"]) == ("not_ready", False)
        service.world.maps.heads = {"doc": MapText("")}
        answer = await page.ask("set_cross_reference", True)
        assert (answer["status"], answer["cross_ref_enabled"]) == ("error", False)
        assert "no documents" in str(answer["message"])


def test_each_mode_has_its_map() -> None:
    assert (other("code"), other("doc")) == ("doc", "code")
    assert is_ready(MapState(doc_ready=True), "doc")
    assert not is_ready(MapState(doc_ready=True), "code")
