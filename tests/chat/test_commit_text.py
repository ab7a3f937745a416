import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.commit_text import (
    MAX_BODY_CHARS,
    MAX_BODY_LINES,
    MAX_SUBJECT_CHARS,
    PartialMessage,
    message_in,
)

MESSAGE = "fix(a): add a `guard`\n\nIt divided by zero."


@pytest.mark.parametrize(
    "answer",
    [
        MESSAGE,
        f"  {MESSAGE}  \n",
        f"```\n{MESSAGE}\n```",
        f"```text\n{MESSAGE}\n```\n",
        f"Here is the commit message:\n\n```\n{MESSAGE}\n```",
        f"Here's a commit message for this diff:\n\n{MESSAGE}",
        f"Sure! Here is the commit message: {MESSAGE}",
        f"Sure!\n\nHere is a message:\n\n{MESSAGE}",
        f"Here is a message\n```\n{MESSAGE}\n```\nThis commit message says it all.",
        f"```\n{MESSAGE}\n```\n\n**Explanation**\n\nThe diff adds a guard.",
        f"{MESSAGE}\n\nThis commit message follows the convention.",
        f"{MESSAGE}\n\nLet me know if you want another one!",
        f"{MESSAGE}\n\n---\n\n## Details\n\nAn essay.",
        f"{MESSAGE}\n\n### Changes\n\n- much",
        f"{MESSAGE}\n\n```python\ndef mean():\n    # Here\n    pass\n```",
        f"{MESSAGE}\n\n```python\n\ndef mean():\n    pass",
        f'"{MESSAGE}"',
        f"“{MESSAGE}”",
        f"Commit message:\n{MESSAGE}",
        f"**Commit message:**\n\n{MESSAGE}",
        f"Subject: {MESSAGE}",
        f"# {MESSAGE}",
        MESSAGE.replace("fix(a): add a `guard`", "**fix(a): add a `guard`**"),
        f"<think>a guard?\nyes</think>\n{MESSAGE}",
        MESSAGE.replace("\n", "  \n"),
        MESSAGE.replace("\n\n", "\n"),
        MESSAGE + "\0",
    ],
)
def test_what_a_model_writes_around_a_message_is_taken_off(answer: str) -> None:
    assert message_in(answer) == MESSAGE


@pytest.mark.parametrize(
    "message",
    [
        'fix: quote "a" and "b"',
        "`a` and `b` are gone",
        '"',
        "fix: it\n\n- one\n- two\n\nSecond paragraph: with a colon.",
        "#12 is mended",
    ],
)
def test_what_belongs_to_a_message_stays(message: str) -> None:
    assert message_in(message) == message


def test_a_body_goes_on_behind_a_code_block() -> None:
    answer = "docs: show usage\n\nRun it.\n\n```sh\nmake\n```\n\nIt was hidden."
    assert message_in(answer) == "docs: show usage\n\nRun it.\n\nIt was hidden."


def test_a_message_is_bounded() -> None:
    subject, _, body = message_in("word " * 100).partition("\n\n")
    assert len(subject) <= MAX_SUBJECT_CHARS
    assert body.startswith("… ")
    first = "Adds a guard. It divided by zero when the list was empty, which nobody had thought of."
    assert message_in(f"{first} {first}").partition("\n\n")[0] == "Adds a guard"
    body = message_in("fix: it\n\n" + "line\n" * 1000).partition("\n\n")[2]
    assert len(body.splitlines()) == MAX_BODY_LINES
    assert len(message_in("fix: it\n\n" + f"{'x' * 500}\n" * 1000)) <= MAX_BODY_CHARS + 20


_PIECES = st.sampled_from(
    ["<think>", "</think>", "```", "````", "`", "\n", "\n\n", " ", ":", "fix: it", "Here is", "x"]
)


@given(st.lists(_PIECES, max_size=8).map("".join))
def test_a_message_is_found_in_itself(answer: str) -> None:
    message = message_in(answer)
    assert message == message.strip()
    assert "\0" not in message
    assert not re.search(r"[ \t]+$", message, re.MULTILINE)


def test_an_endless_answer_takes_linear_time() -> None:
    assert message_in("<think>" * 20_000).startswith("<think>")
    assert message_in("a:\n```\n" + "`\n" * 60_000)
    assert message_in("Sure!\n" * 20_000)


def drafted(answer: str, size: int) -> list[str]:
    draft = PartialMessage()
    given_ = [draft.add(answer[at : at + size]) for at in range(0, len(answer), size)]
    return [*given_, draft.end(message_in(answer))]


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize(
    "answer",
    [
        MESSAGE,
        f"```\n{MESSAGE}\n```",
        f"Here is the commit message:\n\n```text\n{MESSAGE}\n```\nThat's it.",
        f"<think>\nhm\n</think>\n{MESSAGE}",
        f"{MESSAGE}\n\nLet me know.",
        "Add a guard\n\nWhy not.",
        "Add a guard\n\nWhy not.\n\n```python\nguard()\n\n```\n\nBecause.\n\n```\nend",
    ],
)
def test_a_draft_grows_to_the_message(answer: str, size: int) -> None:
    assert "".join(drafted(answer, size)) == message_in(answer)


def test_a_draft_shows_the_subject_while_it_is_written() -> None:
    draft = PartialMessage()
    assert [draft.add(piece) for piece in ("fix", ": add", " a", " guard")] == [
        "",
        "fix: add",
        " a",
        " guard",
    ]


def test_a_draft_never_takes_back_what_it_gave() -> None:
    answer = "fix: " + "long " * 60 + "\n\nBody.\n"
    assert "".join(drafted(answer, 5)).startswith("fix: long")
