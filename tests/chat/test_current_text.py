"""Whatever happens to files, talk and cache: the model can read each selected file as it is."""

import asyncio
from collections.abc import Sequence
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.chat.compaction.trimming import trim
from jupyter_ac.chat.last_request import OTHER_LIFE_MS
from jupyter_ac.chat.session import Session
from jupyter_ac.errors import InvalidParams
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import CompletionRequest
from jupyter_ac.settings.app import AppSettings, CompactionSettings
from tests.chat.compaction.world import Talk, sent
from tests.chat.memory import open_world
from tests.support.examples import examples

Step: TypeAlias = tuple[str, str, int]

NAMES = ("a.py", "b.py", "c.py")
LINES = tuple(f"line {number} of the file\n" for number in range(60))
ACTS = ("edit", "back", "rewrite", "crlf", "binary", "delete", "select", "untick")
OFTEN = ("trim", "pause", "compact", "reopen", "say", "say")
STEPS = st.lists(
    st.tuples(st.sampled_from((*ACTS, *OFTEN)), st.sampled_from(NAMES), st.integers(0, 59)),
    min_size=4,
    max_size=24,
)
LIMITS = st.tuples(st.sampled_from([150, 90_000]), st.sampled_from([600, 90_000]))


def first(name: str) -> str:
    return "".join(f"{name} {line}" for line in LINES)


class Model:
    """Somebody who reads a request and nothing else."""

    def __init__(self, request: CompletionRequest) -> None:
        self._whole: dict[str, str] = {}
        self._last: dict[str, str] = {}
        self.texts: dict[str, str | None] = {}
        for _, parts in sent(request)[1:]:
            for part in parts:
                self._read(part)

    def _read(self, part: str) -> None:
        head, _, rest = part.partition("\n")
        if rest.startswith("```"):
            fence, _, body = rest.partition("\n")
            self._whole[head] = body[: body.rfind(fence)]
            self._is(head, self._whole[head])
            return
        if rest.startswith("has changed;"):
            _, fence, diff = rest.split("\n", 2)
            changes = diff[: diff.rfind(fence.removesuffix("diff"))]
            self._is(head, applied(self._whole[head], changes))
            return
        name = head.partition(" ")[0]
        if "is again as in its last whole copy above" in head:
            self._is(name, self._whole[name])
        elif "is selected again; its text above is still current" in head:
            self._is(name, self._last[name])
        elif "can no longer be read" in head:
            self.texts[name] = None

    def _is(self, name: str, text: str) -> None:
        self._last[name] = self.texts[name] = text


def applied(old: str, diff: str) -> str:
    """Apply a unified difference."""
    lines, found, at = old.split("\n")[:-1], list[str](), 0
    for line in diff.split("\n")[:-1]:
        if line.startswith("@@"):
            begin, _, count = line.split(" ")[1].removeprefix("-").partition(",")
            end = int(begin) - (count != "0")
            found += lines[at:end]
            at = end
        elif line[:1] == "+":
            found.append(line[1:])
        else:
            assert lines[at] == line[1:]
            at += 1
            found += [line[1:]] if line[:1] == " " else []
    return "".join(f"{line}\n" for line in (*found, *lines[at:]))


def change(text: str | None, act: str, name: str, place: int) -> str | None:
    """The file after something has happened to it; it is made where it isn't there."""
    lines = (text or first(name)).split("\n")[:-1]
    if act == "binary":
        return None
    if act == "rewrite":
        return "".join(f"other {place} {line}\n" for line in lines[: place + 1])
    if act == "crlf":
        return "".join(f"{line.removesuffix(chr(13))}\r\n" for line in lines)
    if act == "edit":
        lines[place % len(lines)] = f"edited {place} ```"
        return "".join(f"{line}\n" for line in lines)
    return first(name)


async def play(steps: Sequence[Step], trigger: int, log_trigger: int) -> None:
    compaction = CompactionSettings(
        compaction_trigger_tokens=trigger, log_trigger_tokens=log_trigger
    )
    world = open_world({name: first(name) for name in NAMES})
    talk = Talk(world, AppSettings(history_compaction=compaction))
    talk.select(*NAMES[:2])
    for number, (act, name, place) in enumerate((*steps, ("say", "", 0))):
        await happen(talk, act, name, place)
        if act == "say":
            await talk.say(f"Question {number}? " + "word " * place)
            require_true(talk)


async def happen(talk: Talk, act: str, name: str, place: int) -> None:
    conversation, texts = talk.conversation, talk.world.files.texts
    chosen = conversation.selection
    if act in {"edit", "back", "rewrite", "crlf", "binary"}:
        texts[name] = change(texts.get(name), act, name, place)
    elif act == "delete":
        texts.pop(name, None)
    elif act in {"select", "untick"}:
        others = [path for path in chosen if path != name]
        talk.select(*others, *([name] if act == "select" else []))
    elif act == "trim":
        await trim(conversation, talk.ports, [RepoPath(name)] if place % 2 else None)
    elif act == "pause":
        talk.world.later_ms += OTHER_LIFE_MS
    elif act == "reopen" and conversation.session.turns:
        conversation.session = Session(talk.world.history.sessions[conversation.session.session_id])
    elif act == "compact":
        try:
            await talk.compactor.compact_now(conversation)
        except InvalidParams:
            return
        await conversation.session.compaction.over()


def require_true(talk: Talk) -> None:
    seen = Model(talk.prompts[-1]).texts
    for path in talk.conversation.selection:
        text = talk.world.files.texts.get(path)
        assert seen.get(path) == text, f"{path} is told wrongly"


@settings(max_examples=examples(60))
@given(STEPS, LIMITS)
def test_the_model_reads_every_selected_file_as_it_is(
    steps: list[Step], limits: tuple[int, int]
) -> None:
    asyncio.run(play(steps, *limits))
