"""The part of `gather` that asks for maps of the repository.

Only what may be sent is asked for: the head's map while there is no head yet or it had to go
without, the other kind's when the user wants it, and what is chosen for the question. A model with
little room gets none, and one that the map would fill by more than a quarter neither.
"""

import asyncio
from typing import Final

from jupyter_ac.chat.ports import MapAsk, TurnPorts
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.budget import input_limit
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.prompt.log import talk
from jupyter_ac.chat.prompt.maps import (
    KnownMaps,
    map_blocks,
    mode_of,
    other_than,
    ranked_blocks,
    shown_modes,
)
from jupyter_ac.chat.turn import Turn
from jupyter_ac.events import Mode

FIRST_WAIT_S: Final = 2.0
"""For an index at the first question; what comes later is appended, at the same price."""

PREVIEW_WAIT_S: Final = 0.5
"""For a map that only has to be drawn, so that what is shown is what will be sent."""

PATIENCE_S: Final = 0.2
"""What takes longer is said."""

TALK_BLOCKS: Final = 6
"""Of the talk, the newest, that say what a question is about."""

_NOT_YET: Final = (
    "The map of the repository is still being made; it goes out with the first question if it is "
    "ready by then, else with a later one."
)

_NOT_RANKED_YET: Final = (
    "What else of the repository this question may need isn't known yet; it goes out with the "
    "question if it is known in time."
)

_MAP_SHARE: Final = 4
_RANKED_SHARE: Final = 16


async def gather_maps(turn: Turn, ports: TurnPorts, scale: Scale) -> None:
    """Write into the turn what is known of the repository's structure."""
    settings = ports.log.settings().prompt
    if not turn.profile.is_full:
        turn.maps = KnownMaps()
        return
    mode, focus = mode_of(turn.profile), turn.conversation.focus
    head = turn.session.log.frozen_head(turn.profile)
    began = asyncio.get_running_loop().time()
    shown = shown_modes(head, turn.session.exchanges) if settings.map_tokens else {mode}
    wants_other = focus.cross_ref and other_than(mode) not in shown and settings.map_tokens > 0

    async def of(kind: Mode, wait_s: float) -> tuple[Block, ...]:
        return await _fitting(turn, await _map(turn, ports, kind, wait_s), scale)

    own, other = await asyncio.gather(
        of(mode, 0.0 if head else _wait_s(turn, ports, mode)) if mode not in shown else _nothing(),
        of(other_than(mode), 0.0) if wants_other else _nothing(),
    )
    # What a map shows isn't repeated, so it must be known whether there is room for one.
    has_map = bool(own) or mode in shown_modes(head, turn.session.exchanges)
    waited = asyncio.get_running_loop().time() - began
    ranked = await _ranked(turn, ports, has_map=has_map, waited_s=waited)
    turn.maps = KnownMaps(own, other, focus.cross_ref, ranked)
    if not turn.patience_s and not has_map and ports.maps.state().code_building:
        turn.notices.append(_NOT_YET)


def _wait_s(turn: Turn, ports: TurnPorts, mode: Mode) -> float:
    """Say how long the head's map is waited for; a preview waits for no index."""
    state = ports.maps.state()
    is_ready = state.doc_ready if mode == "doc" else state.code_ready
    return turn.patience_s or (PREVIEW_WAIT_S if is_ready else 0.0)


async def _nothing() -> tuple[Block, ...]:
    return ()


async def _map(turn: Turn, ports: TurnPorts, mode: Mode, wait_s: float) -> tuple[Block, ...]:
    saying = asyncio.get_running_loop().call_later(
        PATIENCE_S, turn.stream.progress, "waiting", "Reading the repository's structure …"
    )
    try:
        found = await ports.maps.head(mode, wait_s)
    finally:
        saying.cancel()
    return map_blocks(mode, found.legend, found.text, found.files) if found is not None else ()


async def _fitting(turn: Turn, blocks: tuple[Block, ...], scale: Scale) -> tuple[Block, ...]:
    limit = _room(turn)
    if blocks and limit and not await scale.fit(blocks, limit // _MAP_SHARE):
        return ()
    return blocks


async def _ranked(
    turn: Turn, ports: TurnPorts, *, has_map: bool, waited_s: float
) -> tuple[Block, ...]:
    budget, limit = ports.log.settings().prompt.ranked_tokens, _room(turn)
    if limit:
        budget = min(budget, limit // _RANKED_SHARE)
    if not turn.question or budget <= 0:
        return ()
    said = talk(turn.session.exchanges)[-TALK_BLOCKS:]
    # The first question here may come while the index of the last time is still being read.
    is_first = not turn.session.log.sent_ms
    ask = MapAsk(
        mode=mode_of(turn.profile),
        selected=turn.conversation.selection,
        question=turn.question,
        talk=tuple(block.text for block in said),
        budget_tokens=budget,
        has_map=has_map,
        wait_s=max(0.0, turn.patience_s - waited_s) if is_first else 0.0,
    )
    found = await ports.maps.ranked(ask)
    if found is None and not turn.patience_s and ports.maps.state().code_ready:
        turn.notices.append(_NOT_RANKED_YET)
    return ranked_blocks(found or "")


def _room(turn: Turn) -> int:
    return input_limit(turn.info, len(turn.pictures)) if turn.info is not None else 0
