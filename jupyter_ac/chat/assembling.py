"""The stage that puts a turn's prompt together: system, log, news about files, question, reminder.

A preview runs it as well, so that what is shown is what is sent.
"""

from collections.abc import Collection, Sequence
from typing import Final

from jupyter_ac.chat.cost import expect, may_be_dear
from jupyter_ac.chat.last_request import last_request
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.assemble import Prompt
from jupyter_ac.chat.prompt.blocks import Block, question_block, shown_path
from jupyter_ac.chat.prompt.budget import input_limit
from jupyter_ac.chat.prompt.changes import as_changes
from jupyter_ac.chat.prompt.context_fitting import make_fit
from jupyter_ac.chat.prompt.file_updates import news
from jupyter_ac.chat.prompt.log import COPIES, Exchange, standing, without_maps
from jupyter_ac.chat.prompt.log_removals import CompactedEntry, Removal, shorten
from jupyter_ac.chat.prompt.log_window import Selected, choose_window
from jupyter_ac.chat.prompt.maps import map_news, mode_of
from jupyter_ac.chat.prompt.truncation import cut_files
from jupyter_ac.chat.prompt_log_eviction import worn_out
from jupyter_ac.chat.records import now_ms
from jupyter_ac.chat.stages import scale_of
from jupyter_ac.chat.turn import Turn
from jupyter_ac.ids import RepoPath

_NAMED: Final = 5


async def assemble(turn: Turn, ports: TurnPorts) -> None:
    """Put the prompt together and say what the user should know of it."""
    selected = Selected(
        [file.block for file in turn.reading.files],
        {problem.path for problem in turn.reading.problems},
    )
    if turn.profile.is_full:
        await _assemble_whole(turn, ports, selected)
    else:
        await _assemble_part(turn, ports, selected)
    turn.notices += _secrets(turn)
    turn.notices += await _dear(turn, ports)


async def _assemble_whole(turn: Turn, ports: TurnPorts, selected: Selected) -> None:
    """Send the whole log; what doesn't fit into the model is left out by `make_fit`'s rule."""
    entries = turn.session.log.entries()
    head = _head(turn)

    async def draft(gone: Collection[RepoPath]) -> Prompt:
        past = [*(entry.exchange for entry in _trimmed(entries, gone)), *turn.answered]
        copies = standing(past)
        fresh = news(copies, selected.blocks, selected.unreadable)
        about_maps = map_news(head, past, mode_of(turn.profile), turn.maps)
        return _prompt(turn, past, (), (*about_maps, *await as_changes(fresh, copies)))

    paths = {block.path for block in selected.blocks if block.path is not None}
    limit = input_limit(turn.info, len(turn.pictures)) if turn.info is not None else 0
    worn = await worn_out(turn, ports, entries, draft, paths)
    fitted = await make_fit(lambda gone: draft((*worn, *gone)), paths, limit, scale_of(turn, ports))
    turn.prompt, turn.left_out = fitted.prompt, fitted.left_out
    trimmed = tuple(dict.fromkeys((*worn, *fitted.trimmed)))
    if trimmed and entries:
        turn.trim = Removal("trim", entries[-1].turn_id, paths=trimmed, created_ms=now_ms())
    if fitted.trimmed:
        turn.notices.append(f"Old copies are no longer sent: {_listed(fitted.trimmed)}.")
    if fitted.left_out:
        turn.notices.append(f"Left out, no room in this model: {_listed(fitted.left_out)}.")


async def _assemble_part(turn: Turn, ports: TurnPorts, selected: Selected) -> None:
    """Send what a small model has room for."""
    scale = scale_of(turn, ports)
    exchanges = without_maps([*turn.session.exchanges, *turn.answered])
    window = await choose_window(exchanges, selected, turn.profile, scale)
    cut = await cut_files(window.news, turn.profile.file_tokens, scale)
    turn.prompt = _prompt(turn, window.past, window.carried, cut.blocks)
    if cut.shortened:
        turn.notices.append(f"Cut for this small model: {_listed(cut.shortened)}.")
    if cut.left_out:
        turn.left_out = cut.left_out
        turn.notices.append(f"Left out, no room in this small model: {_listed(cut.left_out)}.")


def _prompt(
    turn: Turn, past: Sequence[Exchange], carried: tuple[Block, ...], fresh: Sequence[Block]
) -> Prompt:
    asked = question_block(turn.question, len(turn.pictures)) if turn.question else None
    question = turn.again or asked
    return Prompt(
        head=_head(turn),
        past=tuple(past),
        ask=(*fresh, question) if question is not None else tuple(fresh),
        carried=carried,
        ranked=turn.maps.ranked if turn.again is None else (),
        reminder=turn.profile.closing(),
    )


def _head(turn: Turn) -> tuple[Block, ...]:
    """Give the system blocks: those that were sent, or else the rules and the map."""
    frozen = turn.session.log.frozen_head(turn.profile)
    return frozen or (*turn.profile.head(), *turn.maps.own)


def _trimmed(
    entries: Sequence[CompactedEntry], gone: Collection[RepoPath]
) -> Sequence[CompactedEntry]:
    if not gone:
        return entries
    turns = list(dict.fromkeys(entry.turn_id for entry in entries))
    return shorten(entries, turns, [Removal("trim", turns[-1], paths=tuple(gone))])


async def _dear(turn: Turn, ports: TurnPorts) -> list[str]:
    limit_usd = ports.log.settings().prompt.warn_usd
    if turn.choice is None or not may_be_dear(turn.prompt, turn.info, limit_usd):
        return []
    last = last_request(turn.session, turn.profile)
    scale = scale_of(turn, ports)
    expected = await expect(turn.prompt, last, turn.choice.model, turn.info, scale)
    warning = expected.warning(limit_usd)
    return [warning] if warning else []


def _secrets(turn: Turn) -> list[str]:
    """Say which of the files that go out in this turn seem to hold secrets."""
    sending = {block.path for block in turn.sent if block.category in COPIES}
    return [
        f"{shown_path(file.path)}: {warning}"
        for file in turn.reading.files
        if file.path in sending
        for warning in file.warnings
    ]


def _listed(paths: tuple[str, ...]) -> str:
    shown = ", ".join(shown_path(path) for path in paths[:_NAMED])
    return shown if len(paths) <= _NAMED else f"{shown} and {len(paths) - _NAMED} more"
