from dataclasses import replace

import pytest

from jupyter_ac.chat.prompt.assemble import Prompt
from jupyter_ac.chat.prompt.blocks import answer_block, file_block, question_block
from jupyter_ac.chat.prompt.budget import input_limit, require_fit
from jupyter_ac.chat.prompt.counts import BlockCounts, Scale
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.errors import ProviderContext
from jupyter_ac.ids import RepoPath
from tests.chat.memory import INFO, QuarterCounter

SMALL = replace(INFO, max_input_tokens=1000, max_output_tokens=200)


def big(name: str, tokens: int) -> Prompt:
    return Prompt((), (), (file_block(RepoPath(name), "x" * 4 * tokens), question_block("?")))


def test_room_is_kept_for_the_answer_but_not_the_whole_window() -> None:
    assert input_limit(SMALL) == 800
    assert input_limit(replace(SMALL, max_output_tokens=5000)) == 750
    huge = replace(INFO, max_input_tokens=400_000, max_output_tokens=128_000)
    assert input_limit(huge) == 400_000 - 32_768


async def test_a_request_that_fits_passes() -> None:
    await require_fit(big("a", 700), SMALL, Scale(BlockCounts(QuarterCounter()), "x"))


async def test_a_request_that_is_too_long_names_the_largest_files_to_untick() -> None:
    files = [file_block(RepoPath(f"f{n}"), "x" * 1000 * n) for n in range(1, 6)]
    prompt = Prompt((), (), (*files, question_block("?")))
    with pytest.raises(ProviderContext) as caught:
        await require_fit(prompt, SMALL, Scale(BlockCounts(QuarterCounter()), "x"))
    assert "takes 800" in caught.value.message
    assert "Untick large files (f5 (1,253), f4 (1,003), f3 (753))" in caught.value.message


async def test_a_log_that_is_too_long_asks_for_a_new_session() -> None:
    past = Exchange((question_block("q" * 4000),), answer_block("a"))
    with pytest.raises(ProviderContext, match="Begin a new session"):
        await require_fit(
            Prompt((), (past,), (question_block("?"),)),
            SMALL,
            Scale(BlockCounts(QuarterCounter()), "x"),
        )


async def test_a_model_of_unknown_size_takes_everything() -> None:
    unknown = replace(SMALL, max_input_tokens=0)
    await require_fit(big("a", 90_000), unknown, Scale(BlockCounts(QuarterCounter()), "x"))
