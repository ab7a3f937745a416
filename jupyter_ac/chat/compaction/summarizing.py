"""Summarises the old part of the talk, with the model for side tasks: the prompt, and its answer.

The model reads the whole talk, numbered, and says where the present subject begins. If that place
is in the part that stays anyway, everything before the place is about something else and is dropped
(`truncate`); if it is earlier or isn't known, everything before the part that stays is replaced by
a summary (`summarize`).
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.chat.compaction.due import Talk, TalkExchange, longest_summary, whole_turn
from jupyter_ac.chat.model_gateway import SideTaskResult
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import summary_block, wellformed
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.prompt.log_removals import Case, Removal
from jupyter_ac.chat.prompt.profiles import template
from jupyter_ac.chat.records import now_ms
from jupyter_ac.errors import ProviderUnavailable

MESSAGE_CHARS: Final = 2000
"""Of one message that the model for side tasks gets; the middle of a longer one is left out."""

TALK_CHARS: Final = 120_000
"""Of all messages together; each gets less when there are many."""

_LEAST_CHARS: Final = 120
_BEGINNING: Final = 3
"""Quarters of a long message that come from its beginning; the rest is its end."""

_FENCE: Final = "```"
_OPENING: Final = re.compile(r"```(?:json)?(\s*+)")
_BOUNDARY: Final = re.compile(r'"?boundary_index"?\s*:\s*"?(\d+)')
_CONFIDENCE: Final = re.compile(r'"?confidence"?\s*:\s*"?([01](?:\.\d+)?|\.\d+)')
_SUMMARY: Final = re.compile(r'"?summary"?\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)


@dataclass(frozen=True, slots=True)
class SummaryFinding:
    """The parsed answer of the model for side tasks about the talk.

    Attributes:
        boundary: index of the first message of the present subject, None when it has not changed.
        confidence: 0 to 1.
        summary: of the talk before; "" when there is none.
    """

    boundary: int | None = None
    confidence: float = 0.0
    summary: str = ""


def instructions(own: str, budget: int) -> str:
    """Give the system text.

    Args:
        own: the user's, in place of ours; "" for ours.
        budget: tokens that the summary may have.
    """
    text = own or template("compaction.md")
    return f"{text}\n\nThe summary has at most {budget} tokens."


def numbered(said: Sequence[TalkExchange]) -> str:
    """Write the whole talk, each message with its index."""
    most = max(_LEAST_CHARS, min(MESSAGE_CHARS, TALK_CHARS // max(1, 2 * len(said))))
    lines = []
    for number, one in enumerate(said):
        lines.append(f"[{2 * number}] USER: {_clipped(one.question, most)}")
        lines.append(f"[{2 * number + 1}] ASSISTANT: {_clipped(one.answer, most)}")
    return "\n\n".join(lines)


def read_finding(text: str, messages: int) -> SummaryFinding:
    """Read an answer: bare JSON, JSON in a fence or in prose, or what of it can be recognised.

    Args:
        text: the whole answer.
        messages: how many there are; a boundary outside of them is none.
    """
    found = _object(text) or _recognised(text)
    boundary = _whole(found.get("boundary_index"))
    if boundary is not None and not 0 < boundary < messages:
        boundary = None
    summary = found.get("summary")
    return SummaryFinding(
        boundary=boundary,
        confidence=_share(found.get("confidence")),
        summary=wellformed(summary).strip() if isinstance(summary, str) else "",
    )


def _object(text: str) -> dict[str, object]:
    braced = text[text.find("{") : text.rfind("}") + 1]
    for candidate in (text, _fenced(text), braced):
        try:
            found = json.loads(candidate, strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    return {}


def _fenced(text: str) -> str:
    """Return what the first code block holds that is JSON by its name or has none."""
    at = text.find(_FENCE)
    while at >= 0:
        opening = _OPENING.match(text, at)
        if opening is not None and "\n" in opening[1]:
            end = text.find(_FENCE, opening.end())
            return text[opening.end() : end] if end >= 0 else ""
        at = text.find(_FENCE, at + 1)
    return ""


def _recognised(text: str) -> dict[str, object]:
    """Pick the members out of something that is nearly JSON, such as an answer that was cut."""
    found: dict[str, object] = {}
    for name, pattern in (
        ("boundary_index", _BOUNDARY),
        ("confidence", _CONFIDENCE),
        ("summary", _SUMMARY),
    ):
        match = pattern.search(text)
        if match is not None:
            found[name] = match.group(1)
    if "summary" in found:
        found["summary"] = _unescaped(str(found["summary"]))
    return found


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return int(float(value))
    except (ValueError, OverflowError):
        return None


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return 0.0
    try:
        share = float(value)
    except ValueError:
        return 0.0
    return share if 0 <= share <= 1 else 0.0


def _clipped(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    beginning = most * _BEGINNING // 4
    return f"{text[:beginning]} […] {text[beginning - most :]}"


SURE: Final = 0.5
"""The least confidence at which the place of a change of subject counts."""

_ANSWER_FRAME: Final = 2000
"""Tokens for what stands around the summary in the answer, and for models that think first."""

_ATTEMPTS: Final = 8

_OF_RUN: Final = (
    "Here no newest part stays: all of it is the beginning of a task that the assistant is in the "
    "middle of, and is replaced by the summary. It must say what was found in which files, what "
    "was changed and tried, with which result, and what comes next."
)


@dataclass(frozen=True, slots=True)
class Compacted:
    """The result of a compaction: the removal from the log, and the talk's length before it."""

    removal: Removal
    before_tokens: int


async def summarize(measured: Talk, ports: TurnPorts) -> Compacted:
    """Have the model for side tasks look at the talk, and say what goes.

    Raises:
        NotReady: there is no model.
        ProviderError: one of its subclasses; also when the answer is of no use.
    """
    said, limits = measured.said, measured.limits
    most = longest_summary(said, measured.start, limits)
    answer = await ports.models.ask(
        instructions(ports.log.instructions(), most),
        numbered(said),
        2 * most + _ANSWER_FRAME,
    )
    finding = read_finding(answer.text, 2 * len(said))
    decision = decide(finding, measured.start, len(said), limits.least_exchanges)
    if decision is None:
        raise ProviderUnavailable(f"{answer.model} gave no summary.")
    case, found = decision
    first = whole_turn(said, found)
    removal = Removal(
        case=case,
        through=measured.through,
        first_kept=said[first].turn_id if first < len(said) else "",
        summary=(
            await _shortened(finding.summary, most, measured.scale) if case == "summarize" else ""
        ),
        model=answer.model,
        usage=answer.usage,
        created_ms=now_ms(),
        turns=tuple(dict.fromkeys(one.turn_id for one in said[:first] if one.is_pinned)),
    )
    return Compacted(removal, measured.tokens)


async def summarize_start(
    said: Sequence[TalkExchange], limit: int, scale: Scale, ports: TurnPorts
) -> tuple[str, SideTaskResult]:
    """Have the model for side tasks summarize what an agent's run has done so far.

    Args:
        said: what the summary will stand for.
        limit: tokens that it may have.
        scale: weighs.
        ports: what the stages of a turn work with.

    Raises:
        NotReady: there is no model.
        ProviderError: one of its subclasses; also when there is no summary in the answer.
    """
    answer = await ports.models.ask(
        f"{instructions(ports.log.instructions(), limit)} {_OF_RUN}",
        numbered(said),
        2 * limit + _ANSWER_FRAME,
    )
    finding = read_finding(answer.text, 2 * len(said))
    if not finding.summary:
        raise ProviderUnavailable(f"{answer.model} gave no summary.")
    return await _shortened(finding.summary, limit, scale), answer


def decide(
    finding: SummaryFinding, start: int, exchanges: int, least_exchanges: int
) -> tuple[Case, int] | None:
    """Say what happens and which exchange is the first that stays; None when it can't be done.

    Args:
        finding: of the whole talk; a message of exchange n has index 2n or 2n + 1.
        start: first exchange of the part that stays.
        exchanges: how many there are.
        least_exchanges: how many of them stay in any case.
    """
    if finding.boundary is not None and finding.confidence >= SURE:
        first = finding.boundary // 2
        if start <= first < exchanges:
            return "truncate", max(start, min(first, exchanges - least_exchanges))
    return ("summarize", start) if finding.summary else None


async def _shortened(summary: str, limit: int, scale: Scale) -> str:
    """Cut a summary that is longer than it may be, between words."""
    text = summary
    for _ in range(_ATTEMPTS):
        size = await scale.total([summary_block(text)])
        if size <= limit:
            return text
        most = min(len(text) - 1, len(text) * limit // size)
        text = text[:most].rpartition(" ")[0] or text[:most]
        text = f"{text.rstrip()} …"
    return text[:limit]
