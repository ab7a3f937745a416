import json
import re
from typing import cast

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.chat.history import exporting
from jupyter_ac.chat.history.exporting import body, closed, export, fenced, heading, quoted
from jupyter_ac.chat.images import QuestionImage
from jupyter_ac.chat.shapes import KeptMessage
from jupyter_ac.errors import InvalidParams, NotFound, TooLarge
from jupyter_ac.ids import SessionId
from tests.chat.test_run_record import RECORD, call_row
from tests.support.examples import examples

NAME = SessionId("sess_1_a")
BLOCK = "src/a.py\n🟧🟧🟧 EDIT\nold ``` text\n🟨🟨🟨 REPL\n```` new\n🟩🟩🟩 END\n"


def message(role: str, content: str, **more: object) -> KeptMessage:
    row: dict[str, object] = {
        "role": role,
        "content": content,
        "request_id": "1-a",
        "state": "done",
        "id": "m",
        "session_id": "s",
        "timestamp": "2026-11-22T10:00:00.123Z",
        **more,
    }
    return cast("KeptMessage", row)


def test_a_heading_says_who_which_model_when_and_what_it_cost() -> None:
    usage = {"cost_usd": 0.01234}
    answer = message("assistant", "So.", model="openai/gpt_5", usage=usage, state="cancelled")
    assert heading(answer) == (
        "## Answer · openai/gpt\\_5 · 2026-11-22 10:00:00 UTC · $0.0123 · stopped"
    )
    assert heading(message("user", "Why?")) == "## Question · 2026-11-22 10:00:00 UTC"


def test_edits_are_differences_in_fences_that_hold() -> None:
    text = body(message("assistant", f"Before.\n\n{BLOCK}\nAfter."))
    assert text == (
        "Before.\n\n**Edit of `src/a.py`**\n\n`````diff\n-old ``` text\n+```` new\n`````\n\nAfter."
    )


def test_an_edit_says_what_became_of_it() -> None:
    rows = [{"status": "already_applied"}]
    text = body(message("assistant", BLOCK, edit_results=rows))
    assert text.startswith("**Edit of `src/a.py`** (already applied)")


def test_a_run_is_listed_below_its_answer() -> None:
    calls = [{**call_row(), "title": "rm `-rf` <b>\n# x"}, {**call_row(), "status": "refused"}]
    run = RECORD.with_row(calls=calls, reason="It *ended*.").row
    assert body(message("assistant", "Done.", run=run)) == (
        "Done.\n\n**Run of the agent** (mode agent, done, 0 steps, 0 tokens)\n\n"
        "- look: rm \\`-rf\\` \\<b\\> \\# x (done)\n- look: a (refused)\n\n"
        "Changed: `a\udce9.py`\n\nIt \\*ended\\*."
    )


def test_why_an_answer_failed_stands_below_it() -> None:
    failed = message("assistant", "Half", error={"type": "timeout", "message": "Too *slow*."})
    assert body(failed) == "Half\n\n*Too \\*slow\\*.*"


def test_a_question_is_quoted_and_an_event_is_plain() -> None:
    assert body(message("user", "a\n```\n\n# b")) == "> a\n> ```\n>\n> # b"
    assert body(message("system", "Committed <b> *x*")) == "Committed \\<b\\> \\*x\\*"


def test_an_open_fence_is_closed_and_html_is_disarmed() -> None:
    assert closed("a\n~~~~py\nb\n~~~") == "a\n~~~~py\nb\n~~~\n~~~~"
    assert closed("```\nx\n```\ny") == "```\nx\n```\ny"
    assert closed("<!-- a\n```\n<!-- b\n```") == "&lt;!-- a\n```\n<!-- b\n```"
    assert closed("<SCRIPT>\n<b>") == "&lt;SCRIPT>\n<b>"


texts = st.text(st.sampled_from("`~ab \n\r>#<-"), max_size=60)


@settings(deadline=None, max_examples=examples(150))
@given(texts)
def test_nothing_leads_out_of_a_fence_or_a_quotation(text: str) -> None:
    fence, *lines, end = fenced(text).split("\n")
    assert fence == end
    assert all(
        not re.fullmatch(rf" {{0,3}}{fence}`* *", line) for line in "\n".join(lines).split("\n")
    )
    assert all(line.startswith(">") for line in re.split(r"[\r\n]", quoted(text)))
    assert closed(closed(text)) == closed(text)


PICTURE = {"id": "a.png", "mime": "image/png"}
MESSAGES = [
    message("user", "Why?\n```", images=[PICTURE, {"id": "gone.png", "mime": "image/png"}]),
    message("assistant", f"So.\n\n{BLOCK}", model="m"),
    message("system", "Committed abc", kind="commit"),
]


async def image(name: str) -> QuestionImage:
    if name == "gone.png":
        raise NotFound("gone")
    return QuestionImage(name, b"bytes")


async def test_a_session_as_markdown() -> None:
    file = await export(NAME, MESSAGES, "markdown", image)
    assert file["filename"] == "jupyter-ac-sess_1_a.md"
    text = file["content"]
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# Conversation jupyter-ac-sess_1_a",
        "## Question · 2026-11-22 10:00:00 UTC",
        "## Answer · m · 2026-11-22 10:00:00 UTC",
        "## Note · 2026-11-22 10:00:00 UTC",
    ]
    assert "![image](data:image/png;base64,Ynl0ZXM=)" in text
    assert "*An image that is not kept any more.*" in text


async def test_a_session_as_a_notebook() -> None:
    file = await export(NAME, MESSAGES, "ipynb", image)
    assert file["filename"] == "jupyter-ac-sess_1_a.ipynb"
    notebook = nbformat.reads(file["content"], as_version=4)
    nbformat.validate(notebook)
    _, question, answer, event = notebook.cells
    assert question.attachments == {"a.png": {"image/png": "Ynl0ZXM="}}
    assert "attachment:a.png" in question.source
    assert "`````diff" in answer.source
    assert event.metadata.tags == ["system"]


async def test_as_json_it_has_the_messages_as_they_are_stored_and_their_images(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = await export(NAME, MESSAGES, "json", image)
    assert file["filename"] == "jupyter-ac-sess_1_a.json"
    written = json.loads(file["content"])
    assert written["session_id"] == NAME
    assert written["messages"] == MESSAGES
    assert written["images"] == {"a.png": "data:image/png;base64,Ynl0ZXM="}
    monkeypatch.setattr(exporting, "MOST_IMAGE_BYTES", 4)
    assert json.loads((await export(NAME, MESSAGES, "json", image))["content"])["images"] == {}


async def test_images_beyond_the_limit_are_left_out_and_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exporting, "MOST_IMAGE_BYTES", 4)
    text = (await export(NAME, MESSAGES, "markdown", image))["content"]
    assert "data:" not in text
    assert "left out" in text


async def test_what_can_not_be_written_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidParams, match="'markdown', 'ipynb' or 'json', not 'pdf'"):
        await export(NAME, MESSAGES, "pdf", image)
    monkeypatch.setattr(exporting, "MOST_CHARS", 10)
    with pytest.raises(TooLarge, match="too long"):
        await export(NAME, MESSAGES, "markdown", image)


async def test_a_hostile_name_makes_a_plain_file_name() -> None:
    file = await export(SessionId("../../etc/x\n`"), [], "markdown", image)
    assert file["filename"] == "jupyter-ac--etc-x-.md"
