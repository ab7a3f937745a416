import asyncio

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.prompt.blocks import Category, file_block, note_block
from jupyter_ac.chat.prompt.counts import BlockCounts, Scale
from jupyter_ac.chat.prompt.truncation import Cut, cut_files
from jupyter_ac.ids import RepoPath
from tests.chat.memory import QuarterCounter

NOTE = note_block(RepoPath("old.py"), "old.py is no longer selected.")


def scale() -> Scale:
    return Scale(BlockCounts(QuarterCounter()), "x")


def long_file(name: str, lines: int) -> str:
    return "".join(f"{name} line {n}\n" for n in range(lines))


async def test_what_fits_stays_as_it_is() -> None:
    blocks = [NOTE, file_block(RepoPath("a"), "1\n")]
    assert await cut_files(blocks, 600, scale()) == Cut(tuple(blocks))


async def test_small_files_stay_whole_and_large_ones_share_the_rest() -> None:
    small = file_block(RepoPath("small"), "1\n")
    large = [file_block(RepoPath(name), long_file(name, 400)) for name in ("b", "c")]
    weigh = scale()
    cut = await cut_files([NOTE, large[0], small, large[1]], 600, weigh)
    note, first, second, third = cut.blocks
    assert (note, second) == (NOTE, small)
    assert cut.shortened == ("b", "c")
    assert cut.left_out == ()
    assert first.text.startswith("b\n```\nb line 0\n")
    assert "[cut: only the first" in first.text
    sizes = await weigh.each([first, third])
    assert abs(sizes[0] - sizes[1]) < 20
    assert await weigh.total([first, second, third]) in range(480, 601)


async def test_files_for_which_there_is_no_room_are_left_out_and_counted() -> None:
    blocks = [file_block(RepoPath(f"f{n}"), long_file("f", 100)) for n in range(13)]
    cut = await cut_files(blocks, 600, scale())
    assert len(cut.shortened) == 10
    assert cut.left_out == ("f10", "f11", "f12")
    assert cut.blocks[-1].text == (
        "3 more selected files are left out: there is no room for them.\n"
    )


@given(st.lists(st.integers(0, 3000), min_size=1, max_size=12), st.integers(60, 900))
def test_the_files_never_pass_the_limit(sizes: list[int], limit: int) -> None:
    blocks = [
        file_block(RepoPath(f"f{n}"), "abc def\n" * (size // 8)) for n, size in enumerate(sizes)
    ]

    async def tokens() -> int:
        weigh = scale()
        cut = await cut_files(blocks, limit, weigh)
        return await weigh.total([b for b in cut.blocks if b.category is Category.FILE])

    assert asyncio.run(tokens()) <= limit
