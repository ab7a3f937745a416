"""Makes a prompt fit into the model by leaving out files, by a stated rule.

The budget is the model's limit, minus room for images and the answer. Until the prompt fits, in
this order:

1. a selected file that has no room even alone with the talk is left out;
2. copies of files that are no longer selected are taken out of the log, when that suffices;
3. so are those of files of which the log holds several, which then go out once, as they are now;
4. files that have not been sent yet are left out, the largest first;
5. all copies are taken out of the log, and those selected files that fit are sent again.

Files that are left out of a request are named to the model and to the user; they stay selected and
are sent as soon as there is room. Copies that are taken out of the log stay out. Talk is never left
out here: if it alone is too long, `require_fit` refuses the request.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.chat.images import IMAGE_TOKENS
from jupyter_ac.chat.prompt.blocks import Block, note_block, shown_path
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.prompt.log import COPIES, files
from jupyter_ac.chat.prompt.prompt import MESSAGE_OVERHEAD, Prompt
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import ModelInfo

_NAMED: Final = 20

Draft = Callable[[Collection[RepoPath]], Awaitable[Prompt]]
"""Makes the prompt as it would be without these files' copies in the log."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A prompt, and what it took to make it fit; it may still be too long.

    Attributes:
        prompt: what goes out.
        trimmed: files whose copies are to be taken out of the log.
        left_out: selected files that this request doesn't hold.
    """

    prompt: Prompt
    trimmed: tuple[RepoPath, ...] = ()
    left_out: tuple[RepoPath, ...] = ()


async def make_fit(
    draft: Draft, selected: Collection[RepoPath], limit: int, scale: Scale
) -> Fitted:
    """Make the prompt, without as many files as need be.

    Args:
        draft: makes it.
        selected: the files that are to be in it.
        limit: tokens that it may have; 0 when that isn't known.
        scale: weighs.
    """
    prompt = await draft(())
    if limit <= 0 or await _fits(prompt, limit, scale):
        return Fitted(prompt)
    hopeless = await _hopeless(prompt, limit, scale)
    if hopeless is None:
        return Fitted(prompt)
    shorter = _without(prompt, hopeless)
    if await _fits(shorter, limit, scale):
        return Fitted(shorter, left_out=hopeless)
    for gone in worn(prompt, selected):
        candidate = _without(await draft(gone), hopeless)
        if await _fits(candidate, limit, scale):
            return Fitted(candidate, gone, _among(hopeless, selected))
    shed = await _shed(prompt, limit, scale)
    if await _fits(shed.prompt, limit, scale):
        return shed
    everything = _paths(files(prompt.past))
    shed = await _shed(await draft(everything), limit, scale)
    return replace(shed, trimmed=everything)


async def _fits(prompt: Prompt, limit: int, scale: Scale) -> bool:
    return await scale.fit(prompt.blocks, limit - MESSAGE_OVERHEAD * prompt.message_count)


async def _hopeless(prompt: Prompt, limit: int, scale: Scale) -> tuple[RepoPath, ...] | None:
    """Find the new files that have no room alone; None when the talk has none."""
    talk = [block for block in prompt.blocks if block.category not in COPIES]
    room = limit - MESSAGE_OVERHEAD * prompt.message_count - await scale.total(talk)
    if room <= 0:
        return None
    fresh = [block for block in prompt.ask if block.category in COPIES]
    sizes = await scale.each(fresh)
    return _paths([block for block, size in zip(fresh, sizes, strict=True) if size > room])


def worn(prompt: Prompt, selected: Collection[RepoPath]) -> list[tuple[RepoPath, ...]]:
    """Give the files whose copies in the log may be given up: first these, then those too."""
    copies = files(prompt.past)
    paths = _paths(copies)
    stale = tuple(path for path in paths if path not in selected)
    often = {block.path for block in copies if sum(one.path == block.path for one in copies) > 1}
    fresh = {block.path for block in prompt.ask if block.category in COPIES}
    several = tuple(path for path in paths if path in stale or path in often or path in fresh)
    return [step for step in dict.fromkeys((stale, several)) if step]


async def _shed(prompt: Prompt, limit: int, scale: Scale) -> Fitted:
    """Leave out new files, the largest first, until the prompt fits."""
    fresh = [block for block in prompt.ask if block.category in COPIES]
    sizes = await scale.each(fresh)
    order = sorted(zip(sizes, fresh, strict=True), key=lambda row: -row[0])
    excess = await scale.total(prompt.blocks) + MESSAGE_OVERHEAD * prompt.message_count - limit
    gone: list[Block] = []
    for size, block in order:
        if excess <= 0 and await _fits(_without(prompt, _paths(gone)), limit, scale):
            break
        gone.append(block)
        excess -= size
    left_out = _paths(gone)
    return Fitted(_without(prompt, left_out), left_out=left_out)


def _without(prompt: Prompt, left_out: Sequence[RepoPath]) -> Prompt:
    if not left_out:
        return prompt
    kept = [
        block for block in prompt.ask if block.category not in COPIES or block.path not in left_out
    ]
    asked = [block for block in kept if block.path is None]
    about_files = [block for block in kept if block.path is not None]
    return replace(prompt, ask=(*about_files, _named(left_out), *asked))


def _named(left_out: Sequence[RepoPath]) -> Block:
    names = ", ".join(shown_path(path) for path in left_out[:_NAMED])
    if len(left_out) > _NAMED:
        names += f" and {len(left_out) - _NAMED} more"
    return note_block(
        None,
        f"Selected, but left out because there is no room: {names}. "
        "What stands of them above is out of date.",
    )


def _among(paths: Collection[RepoPath], selected: Collection[RepoPath]) -> tuple[RepoPath, ...]:
    return tuple(path for path in paths if path in selected)


def _paths(blocks: Sequence[Block]) -> tuple[RepoPath, ...]:
    return tuple(dict.fromkeys(block.path for block in blocks if block.path is not None))


LONGEST_ANSWER: Final = 32_768
"""The most tokens that are reserved for an answer, even if the model could write more."""


def input_limit(info: ModelInfo, images: int = 0) -> int:
    """Return how many tokens of text a request may have, so that images and answer have room.

    The window holds the answer too. Some models declare an answer limit as long as the window, so
    at most a quarter of the window is reserved.
    """
    window = info.max_input_tokens
    kept = min(info.max_output_tokens, LONGEST_ANSWER, window // 4)
    return window - kept - IMAGE_TOKENS * images
