"""Tool calls that a model writes into its text: for models whose provider takes no tools.

A call is a block like those of edits: a first line with the tool's name, JSON, an end line. Text
that quotes such a block in a fence is no call.
"""

import json
import re
from collections.abc import Sequence
from typing import Final

from jupyter_ac.agent.tool import ToolDefinition
from jupyter_ac.chat.tool_calls import ToolCall

START: Final = "🟦🟦🟦 CALL"
END: Final = "🟩🟩🟩 END"
MAX_CALLS: Final = 64
"""Calls of one answer; further ones are left out."""

_START_LINE: Final = re.compile(r"🟦🟦🟦 CALL[ \t]+([a-z][a-z0-9_]{0,63})[ \t]*")
_FENCE: Final = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")


def parse_calls(text: str) -> list[ToolCall]:
    """Return the calls of an answer, in order; a call that was never closed is none."""
    calls: list[ToolCall] = []
    name, lines, fence = "", list[str](), ""
    for line in text.splitlines():
        if name:
            if line.strip() == END:
                calls.append(ToolCall("", name, "\n".join(lines).strip()))
                name = ""
            else:
                lines.append(line)
            continue
        found = _FENCE.match(line)
        if found is not None:
            fence = _fence_after(fence, found[1], line)
        elif not fence and (start := _START_LINE.fullmatch(line.rstrip())) is not None:
            name, lines = start[1], []
    return calls[:MAX_CALLS]


def teach(definitions: Sequence[ToolDefinition]) -> str:
    """Return the text that tells a model of the tools; the same for the same definitions."""
    described = "\n".join(
        f"- {one.name}: {one.description} Arguments: "
        f"{json.dumps(one.parameters, separators=(',', ':'), ensure_ascii=False)}"
        for one in definitions
    )
    return (
        "[Tools]\n"
        "You can call tools. Write each call as a block of its own, not in a fence:\n"
        f"{START} name\n"
        '{"argument": "value"}\n'
        f"{END}\n"
        "End your answer after the last call; the results come with the next message. Without a "
        "call your answer is the last one.\n"
        f"{described}\n"
    )


def _fence_after(open_fence: str, mark: str, line: str) -> str:
    """Return the fence that is open after a line with a fence's mark."""
    if not open_fence:
        return mark
    is_end = mark[0] == open_fence[0] and len(mark) >= len(open_fence)
    return "" if is_end and line.strip() == mark else open_fence
