"""Images, reasoning and commits through a real server: its sockets, real litellm, real git."""

import pytest

from jupyter_ac.chat.images import MAX_BYTES
from tests.hosts.conftest import OpenPage
from tests.notebook.files import code, notebook_file
from tests.support.model_process import RunningModelServer
from tests.support.pages import EVENTS, CallFailedError, Page
from tests.support.pictures import GIF, SVG, png, png_of_size, uri
from tests.support.repositories import RepositoryFolder

WAIT_S = 90.0
FURTHER = ("streamDelta", "streamReasoning", "streamRetry", "commitResult", "filesModified")

Row = dict[str, object]


async def rows(page: Page, method: str, *args: object) -> list[Row]:
    found = await page.call(f"LLMService.{method}", *args)
    assert isinstance(found, list)
    return found


async def row(page: Page, method: str, *args: object) -> Row:
    found = await page.call(f"LLMService.{method}", *args)
    assert isinstance(found, dict)
    return found


async def completion(page: Page) -> Row:
    _, result = await page.event("streamComplete", WAIT_S)
    assert isinstance(result, dict)
    return result


def parts_asked(body: Row) -> list[Row]:
    messages = body["messages"]
    assert isinstance(messages, list)
    content = messages[-1]["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


async def test_a_five_megabyte_image_and_a_models_reasoning_go_all_the_way(
    scripted: RunningModelServer, connect: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted-reasoning")
    page = await connect(client="1", events=(*EVENTS, *FURTHER))
    await page.ready()
    large = uri(png_of_size(MAX_BYTES))
    put = await row(page, "put_image", large)
    assert (put["mime"], put["bytes"]) == ("image/png", MAX_BYTES)
    assert await row(page, "get_image", put["id"]) == {"data_uri": large}
    for wrong in (uri(png_of_size(MAX_BYTES + 1)), uri(SVG)):
        with pytest.raises(CallFailedError, match="data_uri"):
            await page.call("LLMService.put_image", wrong)
    refused = await row(page, "chat_streaming", "0-a", "?", [], [put["id"], uri(SVG)])
    assert "images[1] is no image" in str(refused["error"])

    asked = await row(page, "chat_streaming", "1-a", "What is it?", [], [put["id"], uri(GIF)])
    assert asked == {"status": "started"}
    result = await completion(page)
    assert (result["finish_reason"], "error" in result) == ("stop", False)
    parts = parts_asked(scripted.bodies()[-1])
    assert [part["type"] for part in parts][-2:] == ["image_url", "image_url"]
    assert parts[-2]["image_url"] == {"url": large}
    assert "2 images come with this message" in str(parts[:-2])
    thought = "".join(str(args[2]) for args in page.named("streamReasoning"))
    assert thought == "Let me think. The file has no guard."

    question, answer = await rows(page, "history_get_session", (await page.state())["session_id"])
    images = question["images"]
    assert isinstance(images, list)
    assert images[0] == {"id": put["id"], "mime": "image/png"}
    assert images[1]["mime"] == "image/gif"
    assert (answer["reasoning"], answer["finish_reason"]) == (thought, "stop")

    await row(page, "chat_streaming", "2-b", "And?")
    await completion(page)
    body = str(scripted.bodies()[-1])
    assert "base64" not in body
    assert thought not in body


async def test_an_image_of_a_notebooks_output_goes_out_with_one_question(
    scripted: RunningModelServer,
    connect: OpenPage,
    repository: RepositoryFolder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JUPYTER_AC_MODEL", "openai/scripted-reasoning")
    picture = uri(png())
    data = {"image/png": picture.partition(",")[2]}
    output = {"output_type": "display_data", "metadata": {}, "data": data}
    repository.write("figure.ipynb", notebook_file(code("plot()", id="a", outputs=[output])))
    page = await connect(client="1", events=(*EVENTS, *FURTHER))
    await page.ready()
    await page.call("LLMService.set_selected_files", ["figure.ipynb"])
    await page.call("LLMService.set_shown_outputs", "figure.ipynb", ["a"], ["a"])
    cells = await row(page, "get_notebook_cells", "figure.ipynb")
    assert "'images': 1, 'images_sent': True" in str(cells)
    for request_id, expected in (("1-a", [picture]), ("2-b", [])):
        await row(page, "chat_streaming", request_id, "What does it show?")
        await completion(page)
        parts = parts_asked(scripted.bodies()[-1])
        images = [part["image_url"] for part in parts if part["type"] == "image_url"]
        assert images == [{"url": each} for each in expected]


async def test_everything_is_committed_with_the_smaller_models_message(
    scripted: RunningModelServer,
    connect: OpenPage,
    repository: RepositoryFolder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JUPYTER_AC_SMALLER_MODEL", "openai/scripted-small")
    repository.git("config", "user.name", "Ada")
    repository.git("config", "user.email", "ada@example.org")
    repository.write("a.py", "print(2)\n")
    page = await connect(client="1", events=(*EVENTS, *FURTHER))
    await page.ready()
    assert await row(page, "commit_all") == {"status": "started"}
    (result,) = await page.event("commitResult", WAIT_S)
    assert isinstance(result, dict)
    assert result["sha"] == repository.git("rev-parse", "HEAD")
    assert result["files"] == ["a.py"]
    assert repository.git("status", "--porcelain") == ""
    assert scripted.bodies()[-1]["model"] == "scripted-small"
    assert "git commit" in str(scripted.bodies()[-1]["messages"])
    messages = (await page.state())["messages"]
    assert isinstance(messages, list)
    assert str(result["system_event_message"]) in str(messages[-1])
    message = await page.call("LLMService.generate_commit_message", "diff --git a/x b/x\n+1\n")
    assert str(message).startswith("You asked: ")
