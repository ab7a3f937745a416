"""Questions about tool calls as text: for a terminal, and for the cells of a kernel.

What a model wrote is shown with its control characters escaped, so that what the user agrees to is
what runs.
"""

import shlex
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from jupyter_ac.terminal import terminal_text
from jupyter_ac.tool_rows import (
    EDIT,
    RunRow,
    ToolCallRow,
    ToolDecision,
    ToolQuestion,
    ToolScope,
    ToolStatus,
    ToolUpdate,
)

ENDED: Final[frozenset[ToolStatus]] = frozenset({"done", "failed", "refused", "cancelled"})
"""A call in one of these states changes no more."""

MOST_TRIES: Final = 5
"""Answers that say nothing, after which the call is refused."""

_NOBODY: Final = "Nobody could be asked: there is no input."
_UNCLEAR: Final = "The user has given no clear answer."
_SHOWN_REASON: Final = 200
_LAST_ASCII: Final = 0xFF


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What the user has decided on a tool call.

    Attributes:
        decision: whether it may run.
        scope: for how long it is allowed.
        text: the answer to a question that wants one; of a refusal, why.
    """

    decision: ToolDecision
    scope: ToolScope = "once"
    text: str = ""


class CallNews:
    """The news of calls, from the thread that hears them to the one that shows them and asks."""

    def __init__(self) -> None:
        self._updates: deque[ToolUpdate] = deque()

    def __bool__(self) -> bool:
        """Return whether there is any."""
        return bool(self._updates)

    def take(self, update: ToolUpdate) -> None:
        """Take the news of a call; those of the run alone are left out. From any thread."""
        if "call" in update:
            self._updates.append(update)

    def pop(self) -> ToolUpdate | None:
        """Return the next call that has ended or waits; None if there is none.

        One that waited, and of which there is later news, waits no more and is left out.
        """
        while self._updates:
            update = self._updates.popleft()
            call = update["call"]
            later = [one["call"]["call_id"] for one in list(self._updates)]
            is_waiting = call["status"] == "waiting" and call["call_id"] not in later
            if is_waiting or call["status"] in ENDED:
                return update
        return None


def text_before(update: ToolUpdate) -> int:
    """Return how much of the answer's text stands before a call, in UTF-16 code units."""
    ends, step = update["run"]["steps"], update["call"]["step"]
    return ends[step - 1] if 0 < step <= len(ends) else 0


def run_problem(run: RunRow | None) -> str:
    """Return why a run didn't come to its end, in a sentence; "" if it did, or there was none."""
    if run is None or run["state"] == "done":
        return ""
    return run["reason"] or "The run has not come to its end."


def ask_person(
    call: ToolCallRow, say: Callable[[str], None], read: Callable[[str], str]
) -> ToolAnswer:
    """Ask about a call that waits, until the answer is clear.

    Args:
        call: with its question.
        say: shows lines.
        read: shows a prompt and returns the line that was typed; raises EOFError at the end of the
            input.

    Returns:
        The decision; a refusal when there is no input, or no clear answer.
    """
    question = call["question"]
    if question is None:
        return ToolAnswer("refuse", text=_UNCLEAR)
    say(question_text(call["tool"], question))
    try:
        for _ in range(MOST_TRIES):
            answer = read_answer(question, read(prompt_text(question)))
            if answer is not None:
                return answer
    except EOFError:
        return ToolAnswer("refuse", text=_NOBODY)
    return ToolAnswer("refuse", text=_UNCLEAR)


def question_text(tool: str, question: ToolQuestion) -> str:
    """Return what is asked, exactly, in some lines without a line end."""
    if question["wants_text"]:
        opening = "The agent asks you:"
    elif tool == EDIT:
        opening = "The agent wants to make this edit:"
    else:
        where = ", in the sandbox" if question["is_sandboxed"] else ""
        opening = f"The agent wants to use {visible(tool)}{where}:"
    exact = [f"    {visible(line)}" for line in question["text"].split("\n")]
    about = [visible(question["why"])] if question["why"] else []
    if question["warning"]:
        about.append(f"Warning: {visible(question['warning'])}")
    return "\n".join([opening, *exact, *about])


def prompt_text(question: ToolQuestion) -> str:
    """Return the prompt, with the letters that may be typed."""
    if question["wants_text"]:
        return "Your answer: "
    offers: dict[ToolScope, str] = {
        "once": "[y]es once",
        "session": _session(question),
        "prefix": f"[p]refix {visible(shlex.join(question['prefix']))} from now on",
    }
    return f"{', '.join(offers[scope] for scope in question['scopes'])}, [n]o? "


def read_answer(question: ToolQuestion, typed: str) -> ToolAnswer | None:
    """Parse what was typed; None if it is no answer to this question.

    Words behind `n` are told to the model as the reason.
    """
    if question["wants_text"]:
        return ToolAnswer("allow", text=typed.strip()) if typed.strip() else None
    word, _, rest = typed.strip().partition(" ")
    scopes: dict[str, ToolScope] = {"y": "once", "yes": "once", "s": "session", "p": "prefix"}
    scopes |= {"session": "session", "prefix": "prefix"}
    if word.lower() in {"n", "no"}:
        return ToolAnswer("refuse", text=rest.strip())
    scope = scopes.get(word.lower()) if not rest.strip() else None
    return ToolAnswer("allow", scope) if scope in question["scopes"] and scope else None


def call_line(call: ToolCallRow) -> str:
    """Say on one line what an ended call was, how it ended, and how long it took."""
    title = visible(" ".join(call["title"].split()))
    name = f"{visible(call['tool'])} {title}".strip()
    took = "" if call["duration_ms"] is None else f", {call['duration_ms'] / 1000:.1f} s"
    is_told = call["status"] == "refused" and call["reason"]
    reason = f" ({visible(' '.join(call['reason'].split()))[:_SHOWN_REASON]})" if is_told else ""
    return f"{name}: {call['status']}{took}{reason}"


def run_line(run: RunRow) -> str:
    """Say on one line what a run has used and changed."""
    used = run["used"]
    parts = [f"{used['steps']} step{'' if used['steps'] == 1 else 's'}"]
    parts.append(f"{used['tokens']:,} tokens")
    if used["usd"] is not None:
        parts.append(f"${used['usd']:.4f}")
    parts.append(f"{used['seconds']:.0f} s")
    changed = ", ".join(map(visible, run["files_changed"]))
    return f"{', '.join(parts)}{f'; changed: {changed}' if changed else ''}"


def visible(text: str) -> str:
    r"""Return a text on one line, with control characters as escapes: `\x1b`, `\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        one if terminal_text(one) == one and one != "\n" else _escape(one) for one in text
    )


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code <= _LAST_ASCII else f"\\u{code:04x}"


def _session(question: ToolQuestion) -> str:
    origin = question["origin"]
    return f"[s]ession: {visible(origin)}" if origin else "[s]ession"
