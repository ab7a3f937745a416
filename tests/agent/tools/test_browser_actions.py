import pytest

from jupyter_ac.agent.tool import Right, Tool
from jupyter_ac.agent.tools.browser_actions import (
    AskedPages,
    BrowserClickTool,
    BrowserJsTool,
    BrowserNavigateTool,
)
from jupyter_ac.agent.tools.result_text import MAX_CHARS, OF_PAGE, ResultMasker
from jupyter_ac.errors import Conflict, InvalidParams, NotConnected, TimedOut
from jupyter_ac.ids import Identity
from tests.agent.tools.calls import KEY, Caller
from tests.agent.tools.pages_in_memory import Consent, MemoryPages

URL = "https://docs.example:8443/a?b=c"


def tools_of(pages: MemoryPages) -> tuple[Tool, Tool, Tool]:
    asked = AskedPages(pages, ResultMasker({}))
    return BrowserJsTool(asked), BrowserClickTool(asked), BrowserNavigateTool(asked)


async def test_each_asks_with_the_page_and_the_action() -> None:
    js, click, navigate = tools_of(MemoryPages())
    caller = Caller()
    asked = [
        await caller.question(js, code="location.href"),
        await caller.question(click, selector="#buy"),
        await caller.question(navigate, url=URL),
    ]
    texts = [question.text for question in asked if question is not None]
    assert texts == ["location.href", "#buy", URL]
    for question, action in zip(asked, ("js", "input", "navigate"), strict=True):
        assert question is not None
        assert question.why == f"It acts ({action}) in the page of https://app.example."
        assert "haven't allowed" in question.warning
    assert asked[2] is not None
    assert asked[2].origin == "https://docs.example:8443"
    assert [tool.definition.right for tool in (js, click, navigate)] == [
        Right.EXECUTE,
        Right.EXECUTE,
        Right.NETWORK,
    ]


async def test_consent_for_the_page_takes_the_warning_away_for_its_person_only() -> None:
    js, _, _ = tools_of(MemoryPages(consent=Consent(frozenset({"js"}))))
    ada = await Caller().question(js, code="1")
    bob = await Caller(Identity("bob")).question(js, code="1")
    assert ada is not None
    assert bob is not None
    assert ada.warning == ""
    assert bob.warning != ""


async def test_code_runs_and_its_value_is_the_pages() -> None:
    pages = MemoryPages({"js": {"value": {"key": KEY, "n": 1}, "executed": True}})
    js, _, _ = tools_of(pages)
    result = await Caller().allowed(js, code="state()")
    assert result.text.startswith(f"{OF_PAGE}\n{{")
    assert '"n": 1' in result.text
    assert KEY not in result.text
    ((target, action, arguments),) = pages.asked
    assert (target, action, arguments["code"]) == ("p1", "js", "state()")


async def test_a_long_value_is_bounded() -> None:
    js, _, _ = tools_of(MemoryPages({"js": {"value": "line\n" * 100_000}}))
    assert len((await Caller().allowed(js, code="x")).text) < MAX_CHARS + 200


async def test_a_click_tells_of_its_dialog() -> None:
    pages = MemoryPages({"click": {"done": True, "dialog": {"message": "Sure?"}}})
    _, click, _ = tools_of(pages)
    assert "Sure?" in (await Caller().allowed(click, selector="#buy")).text
    pages.answers["click"] = {"done": True, "dialog": None}
    assert (await Caller().allowed(click, selector="#buy")).text == f"{OF_PAGE}\nClicked."
    assert pages.asked[0] == ("p1", "click", {"selector": "#buy", "selection": ""})


async def test_an_address_is_opened() -> None:
    pages = MemoryPages({"navigate": {"error": None}})
    _, _, navigate = tools_of(pages)
    assert "is open" in (await Caller().allowed(navigate, url=URL)).text
    assert pages.asked == [("p1", "navigate", {"url": URL})]
    pages.answers["navigate"] = {"error": "net::ERR_FAILED"}
    assert "net::ERR_FAILED" in (await Caller().allowed(navigate, url="about:blank")).text


async def test_nothing_is_done_without_the_question_or_in_another_page() -> None:
    pages = MemoryPages({"js": {"value": 1}})
    js, click, navigate = tools_of(pages)
    for tool, arguments in (
        (js, {"code": "1"}),
        (click, {"selector": "a"}),
        (navigate, {"url": URL}),
    ):
        with pytest.raises(Conflict):
            await Caller().unasked(tool, **arguments)
    context = Caller().context()
    await js.question({"code": "1"}, context)
    pages.url = "https://bank.example/"
    with pytest.raises(Conflict, match="call again"):
        await js.run({"code": "1"}, context)
    await js.question({"code": "1"}, context)
    with pytest.raises(Conflict):
        await js.run({"code": "2"}, context)
    assert pages.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://x/\ud83d",
        f"https://x/?k={KEY}",
    ],
)
async def test_addresses_that_arent_opened(url: str) -> None:
    _, _, navigate = tools_of(MemoryPages())
    with pytest.raises(InvalidParams):
        await Caller().question(navigate, url=url)


async def test_failures_are_errors_with_a_sentence() -> None:
    js, click, navigate = tools_of(MemoryPages({"js": TimedOut("It took too long.")}))
    with pytest.raises(TimedOut):
        await Caller().allowed(js, code="x")
    with pytest.raises(InvalidParams, match="blank"):
        await Caller().question(js, code=" ")
    for tool in tools_of(MemoryPages(is_connected=False)):
        with pytest.raises(NotConnected):
            await Caller().question(tool, code="x", selector="a", url=URL)
    assert [click.title({"selector": "a\nb"}), navigate.title({"url": URL})] == ["a b", URL]


async def test_a_page_without_an_address() -> None:
    js, _, _ = tools_of(MemoryPages(url="about:blank"))
    question = await Caller().question(js, code="1")
    assert question is not None
    assert "a page without an address" in question.why
