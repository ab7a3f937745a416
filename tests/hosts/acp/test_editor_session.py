"""A session with an engine that is made up."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from acp import RequestError

from jupyter_ac.errors import InvalidParams
from jupyter_ac.hosts.acp.editor_session import EditorSession
from jupyter_ac.hosts.acp.prompt_content import PromptContent
from tests.hosts.acp.editor import Editor
from tests.support.tool_call_rows import call_row, run_row

if TYPE_CHECKING:
    from acp.interfaces import Client
    from acp.schema import PromptResponse

    from jupyter_ac.hosts.acp.engine_link import EngineLink

ROOT = Path("/srv/garden")


class Engine:
    """Answers calls; remembers them."""

    def __init__(self) -> None:
        self.called: list[tuple[str, tuple[object, ...]]] = []
        self.refusal = ""
        self.repository = SimpleNamespace(root=ROOT)
        self.started = asyncio.Event()

    async def call(self, method: str, *arguments: object) -> Mapping[str, object]:
        self.called.append((method, arguments))
        if method == "LLMService.chat_streaming":
            if self.refusal:
                raise InvalidParams(self.refusal)
            self.started.set()
        if method == "LLMService.get_current_state":
            return {"selected_files": ["a.py"]}
        if method in {"LLMService.apply_edits", "LLMService.reject_edits"}:
            status = "applied" if "apply" in method else "rejected"
            return {"results": [result(status)]}
        return {"id": "image-1"}

    def notify(self, method: str, *arguments: object) -> None:
        self.called.append((method, arguments))

    @property
    def request_id(self) -> str:
        """The turn that was asked for."""
        (found,) = (args for name, args in self.called if name.endswith("chat_streaming"))
        return str(found[0])


def session_of(editor: Editor, engine: Engine) -> EditorSession:
    session = EditorSession(cast("Client", editor))
    session.session_id = "s"
    session.link = cast("EngineLink", engine)
    return session


def result(status: str) -> dict[str, object]:
    return {"index": 0, "file": "a.py", "line": 1, "message": "", "status": status}


def ended(**more: object) -> dict[str, object]:
    usual: dict[str, object] = {"response": "", "finish_reason": "stop", "edit_blocks": []}
    return {**usual, "edit_results": [], **more}


async def asked(session: EditorSession, engine: Engine) -> "asyncio.Task[PromptResponse]":
    asking = asyncio.create_task(session.answer(PromptContent("Hi")))
    await engine.started.wait()
    return asking


@pytest.mark.parametrize(
    ("completion", "reason"),
    [
        (ended(), "end_turn"),
        (ended(finish_reason="length"), "max_tokens"),
        (ended(finish_reason="content_filter"), "refusal"),
        (ended(cancelled=True), "cancelled"),
        (ended(run=run_row(state="limit")), "max_turn_requests"),
    ],
)
async def test_a_turn_ends_with_its_reason(completion: Mapping[str, object], reason: str) -> None:
    engine = Engine()
    session = session_of(Editor(), engine)
    asking = await asked(session, engine)
    session.heard("streamComplete", "other", ended())
    session.heard("streamComplete", engine.request_id, completion)
    assert (await asking).stop_reason == reason


async def test_a_failed_turn_is_an_error_and_a_refused_one_too() -> None:
    engine = Engine()
    session = session_of(Editor(), engine)
    asking = await asked(session, engine)
    session.heard("streamComplete", engine.request_id, ended(error="The key\x1b is wrong."))
    with pytest.raises(RequestError, match="The key is wrong"):
        await asking
    engine.refusal = "The message is empty; write a question first."
    with pytest.raises(RequestError, match="write a question"):
        await session.answer(PromptContent(" "))


async def test_what_the_deltas_lacked_comes_at_the_end_with_the_notices() -> None:
    engine, editor = Engine(), Editor()
    session = session_of(editor, engine)
    asking = await asked(session, engine)
    session.heard("streamReasoning", engine.request_id, 0, "hm")
    session.heard("streamDelta", engine.request_id, 0, "Hel")
    run = run_row(state="failed", reason="The run pauses.")
    whole = ended(response="Hello", notices=["Not sent: x."], run=run)
    session.heard("streamComplete", engine.request_id, whole)
    await asking
    assert editor.said == "Hello\n\nNot sent: x.\nThe run pauses."
    assert editor.of_kind("agent_thought_chunk")[0]["content"]["text"] == "hm"


@pytest.mark.parametrize(
    ("option", "sent"), [("once", ("allow", "once", "")), ("", ("refuse", "once", ""))]
)
async def test_a_call_that_waits_is_asked_about(option: str, sent: tuple[str, str, str]) -> None:
    engine, editor = Engine(), Editor(option)
    session = session_of(editor, engine)
    asking = await asked(session, engine)
    update = {"request_id": engine.request_id, "run": run_row(), "call": call_row()}
    session.heard("toolUpdated", update)
    session.heard("toolUpdated", update)
    async with asyncio.timeout(30):
        while not any(name.endswith("answer_tool") for name, _ in engine.called):
            await asyncio.sleep(0.01)
    session.heard("streamComplete", engine.request_id, ended())
    await asking
    answers = [args for name, args in engine.called if name.endswith("answer_tool")]
    assert answers == [(engine.request_id, "c1", *sent)]
    assert len(editor.asked) == 1


async def test_a_question_for_a_text_is_refused_with_advice() -> None:
    engine, editor = Engine(), Editor()
    session = session_of(editor, engine)
    asking = await asked(session, engine)
    call = call_row("ask_user", asking={"wants_text": True})
    update = {"request_id": engine.request_id, "run": run_row(), "call": call}
    session.heard("toolUpdated", update)
    async with asyncio.timeout(30):
        while not any(name.endswith("answer_tool") for name, _ in engine.called):
            await asyncio.sleep(0.01)
    session.cancel()
    session.heard("streamComplete", engine.request_id, ended(cancelled=True))
    await asking
    assert editor.asked == []
    assert "end your answer with the question" in str(engine.called[-2][1][-1])
    assert engine.called[-1][0] == "LLMService.cancel_streaming"


@pytest.mark.parametrize(
    ("option", "method", "status"),
    [("apply", "apply_edits", "completed"), ("refuse", "reject_edits", "failed")],
)
async def test_an_edit_that_waits_is_decided_by_the_editor(
    option: str, method: str, status: str
) -> None:
    engine, editor = Engine(), Editor(option)
    session = session_of(editor, engine)
    asking = await asked(session, engine)
    block = {"index": 0, "file": "a.py", "kind": "edit", "is_create": False, "new_path": None}
    block |= {"old_span": [0, 1], "new_span": [1, 2], "complete": True}
    done = ended(response="xy", edit_blocks=[block], edit_results=[result("pending")])
    session.heard("streamComplete", engine.request_id, done)
    await asking
    assert (f"LLMService.{method}", (engine.request_id, [0])) in engine.called
    assert editor.statuses()["Edit a.py"] == status


async def test_files_are_ticked_beside_those_that_are_and_images_kept() -> None:
    engine = Engine()
    session = session_of(Editor(), engine)
    content = PromptContent("Hi", ("b.md", "a.py"), ("data:image/png;base64,QUJD",), ("Not sent.",))
    asking = asyncio.create_task(session.answer(content))
    await engine.started.wait()
    session.heard("streamComplete", engine.request_id, ended())
    await asking
    assert ("LLMService.set_selected_files", (["a.py", "b.md"],)) in engine.called
    (chat,) = (args for name, args in engine.called if name.endswith("chat_streaming"))
    assert chat[3] == ["image-1"]
    assert chat[-1] == "agent"
