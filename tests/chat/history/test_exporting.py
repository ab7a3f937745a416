import nbformat
import pytest

from jupyter_ac.chat.history import exporting
from jupyter_ac.chat.history.exporting import export
from jupyter_ac.chat.images import QuestionImage
from jupyter_ac.errors import InvalidParams, NotFound, TooLarge
from jupyter_ac.ids import SessionId
from tests.chat.history.test_markdown import BLOCK, message

NAME = SessionId("sess_1_a")
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


async def test_images_beyond_the_limit_are_left_out_and_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exporting, "MOST_IMAGE_BYTES", 4)
    text = (await export(NAME, MESSAGES, "markdown", image))["content"]
    assert "data:" not in text
    assert "left out" in text


async def test_what_can_not_be_written_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidParams, match="'markdown' or 'ipynb', not 'pdf'"):
        await export(NAME, MESSAGES, "pdf", image)
    monkeypatch.setattr(exporting, "MOST_CHARS", 10)
    with pytest.raises(TooLarge, match="too long"):
        await export(NAME, MESSAGES, "markdown", image)


async def test_a_hostile_name_makes_a_plain_file_name() -> None:
    file = await export(SessionId("../../etc/x\n`"), [], "markdown", image)
    assert file["filename"] == "jupyter-ac--etc-x-.md"
