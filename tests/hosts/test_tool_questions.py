"""Questions about tool calls as text, and what is typed as an answer."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.hosts.tool_questions import (
    MOST_TRIES,
    CallNews,
    ToolAnswer,
    ask_person,
    call_line,
    prompt_text,
    question_text,
    read_answer,
    run_line,
    run_problem,
    text_before,
    visible,
)
from jupyter_ac.terminal import terminal_text
from jupyter_ac.tool_rows import ToolQuestion
from tests.support.tool_call_rows import call_row, run_row, update


def question(**members: object) -> ToolQuestion:
    found = call_row(asking=members)["question"]
    assert found is not None
    return found


def typing(*lines: str) -> Callable[[str], str]:
    left: Iterator[str] = iter(lines)

    def read(_prompt: str) -> str:
        for line in left:
            return line
        raise EOFError

    return read


COMMAND = {
    "text": "pytest -q a.py",
    "scopes": ["once", "session", "prefix"],
    "prefix": ["pytest", "-q"],
    "is_sandboxed": True,
}


def test_a_question_is_exact_and_says_why_and_warns() -> None:
    asked = question(**(COMMAND | {"text": "a\nb", "why": "Because.", "warning": "Beware."}))
    assert question_text("run_command", asked).split("\n") == [
        "The agent wants to use run_command, in the sandbox:",
        "    a",
        "    b",
        "Because.",
        "Warning: Beware.",
    ]
    asked = question(**(COMMAND | {"text": "a.py\n+x", "is_sandboxed": False}))
    assert question_text("edit", asked).startswith("The agent wants to make this edit:\n    a.py\n")


def test_what_the_user_agrees_to_is_what_runs_with_its_control_characters() -> None:
    asked = question(text="rm a\x1b[2K\r\u202eb")
    assert "    rm a\\x1b[2K\\x0d\\u202eb" in question_text("run_command", asked)


def test_a_prompt_offers_what_the_question_offers() -> None:
    assert prompt_text(question()) == "[y]es once, [n]o? "
    offered = "[y]es once, [s]ession, [p]refix pytest -q from now on, [n]o? "
    assert prompt_text(question(**COMMAND)) == offered
    web = question(scopes=["once", "session"], origin="https://example.org")
    assert prompt_text(web) == "[y]es once, [s]ession: https://example.org, [n]o? "
    assert prompt_text(question(wants_text=True)) == "Your answer: "


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("y", ToolAnswer("allow")),
        (" YES \n", ToolAnswer("allow")),
        ("s", ToolAnswer("allow", "session")),
        ("p", ToolAnswer("allow", "prefix")),
        ("n", ToolAnswer("refuse")),
        ("no not  that\n", ToolAnswer("refuse", text="not  that")),
        ("", None),
        ("yes but", None),
        ("never", None),
    ],
)
def test_an_answer_is_read(typed: str, answer: ToolAnswer | None) -> None:
    assert read_answer(question(**COMMAND), typed) == answer


def test_what_is_not_offered_is_no_answer() -> None:
    assert read_answer(question(), "s") is None
    assert read_answer(question(), "p") is None


def test_a_text_is_an_answer_where_one_is_wanted() -> None:
    asked = question(wants_text=True)
    assert read_answer(asked, " no \n") == ToolAnswer("allow", text="no")
    assert read_answer(asked, " \n") is None


@given(st.text())
def test_only_clear_words_allow(typed: str) -> None:
    answer = read_answer(question(**COMMAND), typed)
    allowed = {"y", "yes", "s", "session", "p", "prefix"}
    is_allowed = answer is not None and answer.decision == "allow"
    assert is_allowed is (typed.strip().lower() in allowed)


def test_it_asks_until_the_answer_is_clear_and_refuses_without_one() -> None:
    said: list[str] = []
    row = call_row(asking=COMMAND)
    assert ask_person(row, said.append, typing("what?", "", "y")) == ToolAnswer("allow")
    assert len(said) == 1
    assert ask_person(row, said.append, typing("hm")).decision == "refuse"
    unclear = ask_person(row, said.append, typing(*["hm"] * MOST_TRIES, "y"))
    assert unclear.decision == "refuse"
    assert unclear.text


def test_a_call_that_has_ended_is_a_line() -> None:
    row = call_row(status="done", title="a\nb\x1b")
    row["duration_ms"] = 1250
    assert call_line(row) == "run_command a b\\x1b: done, 1.2 s"
    row = call_row(status="refused", title="touch a")
    row["reason"] = "The user\nhas refused it."
    assert call_line(row) == "run_command touch a: refused (The user has refused it.)"


def test_a_run_is_a_line_and_says_why_it_did_not_end() -> None:
    assert run_line(run_row()) == "2 steps, 1,234 tokens, 3 s"
    used = {"steps": 1, "tokens": 9, "usd": 0.0123, "seconds": 1.0}
    changed = run_row(used=used, files_changed=["a.py", "b\n.py"])
    assert run_line(changed) == "1 step, 9 tokens, $0.0123, 1 s; changed: a.py, b\\x0a.py"
    assert run_problem(None) == run_problem(run_row()) == ""
    assert run_problem(run_row(state="limit", reason="Too much.")) == "Too much."
    assert run_problem(run_row(state="stopped")) != ""


def test_news_of_calls_that_wait_no_more_are_left_out() -> None:
    news = CallNews()
    news.take(update())
    assert not news
    for row in (
        call_row(call_id="a"),
        call_row(call_id="b"),
        call_row(call_id="a", status="running"),
        call_row(call_id="a", status="done"),
    ):
        news.take(update(row))
    found = [(one["call"]["call_id"], one["call"]["status"]) for one in iter(news.pop, None)]
    assert found == [("b", "waiting"), ("a", "done")]


def test_the_text_before_a_call_is_that_of_its_step() -> None:
    assert text_before(update(call_row(), steps=[7, 12])) == 7
    assert text_before(update(call_row(), steps=[])) == 0


@given(st.text())
def test_what_is_visible_commands_nothing_and_hides_nothing(text: str) -> None:
    shown = visible(text)
    assert terminal_text(shown) == shown
    assert "\n" not in shown
    assert len(shown) >= len(text)
