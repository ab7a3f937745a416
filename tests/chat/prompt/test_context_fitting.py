from collections.abc import Collection
from dataclasses import replace

from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    answer_block,
    file_block,
    question_block,
)
from jupyter_ac.chat.prompt.context_fitting import Fitted, input_limit, make_fit
from jupyter_ac.chat.prompt.counts import BlockCounts, Scale
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.ids import RepoPath
from tests.chat.memory import INFO, QuarterCounter

HEAD = (Block(Category.SYSTEM, "S" * 40),)


def path(name: str) -> RepoPath:
    return RepoPath(name)


def sized(name: str, tokens: int) -> Block:
    return file_block(path(name), "x" * (4 * tokens))


async def fitted(
    past: list[Block], fresh: list[Block], limit: int, selected: Collection[str] | None = None
) -> Fitted:
    """One exchange for each block of the past; a file that is trimmed and selected comes anew."""
    chosen = {block.path for block in [*past, *fresh]} if selected is None else set(selected)

    async def draft(gone: Collection[RepoPath]) -> Prompt:
        log = tuple(
            Exchange(
                (*([] if block.path in gone else [block]), question_block("q")), answer_block("a")
            )
            for block in past
        )
        newest = {block.path: block for block in [*past, *fresh]}
        again = [newest[name] for name in gone if name in chosen and newest[name] not in fresh]
        return Prompt(HEAD, log, (*again, *fresh, question_block("Why?")))

    scale = Scale(BlockCounts(QuarterCounter()), "x")
    return await make_fit(draft, {path(str(name)) for name in chosen}, limit, scale)


def sent(found: Fitted) -> list[str]:
    return [str(block.path) for block in found.prompt.ask if block.category is Category.FILE]


async def test_what_fits_is_left_alone() -> None:
    found = await fitted([sized("a", 100)], [sized("b", 100)], 400)
    assert (found.trimmed, found.left_out, sent(found)) == ((), (), ["b"])
    assert (await fitted([], [sized("b", 9000)], 0)).left_out == ()


async def test_a_file_that_has_no_room_alone_is_left_out_and_named() -> None:
    found = await fitted([sized("a", 100)], [sized("big", 5000), sized("b", 50)], 400)
    assert (found.trimmed, found.left_out, sent(found)) == ((), (path("big"),), ["b"])
    note = found.prompt.ask[-2]
    assert (note.category, note.path) == (Category.NOTE, None)
    assert "left out because there is no room: big." in note.text
    assert found.prompt.ask[-1].category is Category.QUESTION


async def test_copies_of_deselected_files_make_room_first() -> None:
    found = await fitted([sized("old", 200), sized("a", 50)], [sized("b", 100)], 300, ["a", "b"])
    assert (found.trimmed, found.left_out, sent(found)) == ((path("old"),), (), ["b"])


async def test_files_that_stand_there_several_times_make_room_next() -> None:
    past = [sized("old", 60), sized("a", 100), sized("a", 101), sized("c", 20)]
    found = await fitted(past, [sized("b", 60)], 310, ["a", "b", "c"])
    assert found.trimmed == (path("old"), path("a"))
    assert (found.left_out, sent(found)) == ((), ["a", "b"])


async def test_the_largest_new_files_go_when_the_log_gives_no_room() -> None:
    past = [sized("a", 100)]
    fresh = [sized("small", 20), sized("large", 150), sized("mid", 80)]
    found = await fitted(past, fresh, 330)
    assert (found.trimmed, found.left_out) == ((), (path("large"),))
    assert sent(found) == ["small", "mid"]


async def test_the_log_is_not_trimmed_for_a_file_that_will_not_fit_anyway() -> None:
    past = [sized("old", 40), sized("a", 100)]
    found = await fitted(past, [sized("large", 200)], 260, ["a", "large"])
    assert (found.trimmed, found.left_out) == ((), (path("large"),))


async def test_at_the_end_all_copies_give_way_and_what_fits_comes_anew() -> None:
    past = [sized("a", 100), sized("b", 200), sized("a", 100)]
    found = await fitted(past, [], 260)
    assert set(found.trimmed) == {path("a"), path("b")} or found.trimmed == (path("a"),)
    total = await Scale(BlockCounts(QuarterCounter()), "x").total(found.prompt.blocks)
    assert total + 4 * found.prompt.message_count <= 260


async def test_talk_is_never_left_out() -> None:
    found = await fitted([sized("a", 10)] * 40, [sized("b", 10)], 100)
    assert (found.trimmed, found.left_out) == ((), ())


SMALL = replace(INFO, max_input_tokens=1000, max_output_tokens=200)


def test_room_is_kept_for_the_answer_but_not_the_whole_window() -> None:
    assert input_limit(SMALL) == 800
    assert input_limit(replace(SMALL, max_output_tokens=5000)) == 750
    huge = replace(INFO, max_input_tokens=400_000, max_output_tokens=128_000)
    assert input_limit(huge) == 400_000 - 32_768
