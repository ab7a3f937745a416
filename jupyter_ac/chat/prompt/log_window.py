"""Chooses the window of the log that is sent, if a profile has no room for all of it.

Two starts are chosen, each the earliest that fits: one for the talk, and one for the copies of
files. Files whose own turn isn't sent move to the front of the next message that is sent, so that
the prompt's beginning stays the same while the talk after it gets shorter. Without limits both
starts are the beginning and nothing is counted.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace

from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.changes import news
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.prompt.log import WHOLE, Exchange, files, standing, talk
from jupyter_ac.chat.prompt.profiles import PromptProfile
from jupyter_ac.ids import RepoPath


@dataclass(frozen=True, slots=True)
class Selected:
    """The selected files of one turn, and the web pages that are included.

    Attributes:
        blocks: those that can be sent, whole, in the user's order, pages behind files.
        unreadable: files that can't.
    """

    blocks: Sequence[Block]
    unreadable: Collection[RepoPath] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the log that is sent, and the file updates that belong to it.

    Attributes:
        past: the exchanges sent, perhaps with files of earlier ones, perhaps without their own.
        carried: files of earlier exchanges for the front of this turn's message.
        news: lines about files, and whole files.
    """

    past: tuple[Exchange, ...]
    carried: tuple[Block, ...]
    news: tuple[Block, ...]


async def choose_window(
    exchanges: Sequence[Exchange], selected: Selected, profile: PromptProfile, scale: Scale
) -> Window:
    """Choose what of the log is sent; its files and the news' keep to the limit if they can."""

    def arrivals(start: int) -> list[Block]:
        copies = standing(exchanges[start:])
        return news(copies, selected.blocks, selected.unreadable)

    async def talk_fits(start: int) -> bool:
        return await scale.fit(talk(exchanges[start:]), profile.talk_tokens)

    async def files_fit(start: int) -> bool:
        fresh = [block for block in arrivals(start) if block.category in WHOLE]
        return await scale.fit([*files(exchanges[start:]), *fresh], profile.file_tokens)

    talk_from = await _earliest(talk_fits, len(exchanges))
    files_from = await _earliest(files_fit, len(exchanges))
    past, carried = _narrow(exchanges, talk_from, files_from)
    return Window(past, carried, tuple(arrivals(files_from)))


async def _earliest(fits: Callable[[int], Awaitable[bool]], end: int) -> int:
    for index in range(end):
        if await fits(index):
            return index
    return end


def _narrow(
    exchanges: Sequence[Exchange], talk_from: int, files_from: int
) -> tuple[tuple[Exchange, ...], tuple[Block, ...]]:
    past: list[Exchange] = []
    carried: list[Block] = []
    for index, exchange in enumerate(exchanges):
        if index >= files_from:
            carried += exchange.about_files
        if index >= talk_from:
            past.append(replace(exchange, sent=(*carried, *exchange.questions)))
            carried = []
    return tuple(past), tuple(carried)
