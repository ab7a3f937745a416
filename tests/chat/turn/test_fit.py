from dataclasses import replace

import pytest

from jupyter_ac.chat.files import Reading
from jupyter_ac.chat.prompt.blocks import answer_block, file_block, question_block
from jupyter_ac.chat.prompt.context_fitting import input_limit
from jupyter_ac.chat.prompt.counts import BlockCounts, scale_for
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.maps import KnownMaps
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.chat.turn.fit import fit
from jupyter_ac.chat.turn.turn import AnsweringModel, Gathered, LogState, PromptRequest
from jupyter_ac.errors import ProviderContext
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import ModelInfo
from jupyter_ac.settings.app import AppSettings
from tests.chat.memory import INFO, QuarterCounter
from tests.chat.turn.stages import asked

SMALL = replace(INFO, max_input_tokens=1000, max_output_tokens=200)


def big(name: str, tokens: int) -> Prompt:
    return Prompt((), (), (file_block(RepoPath(name), "x" * 4 * tokens), question_block("?")))


async def require_fit(prompt: Prompt, info: ModelInfo) -> None:
    scale = scale_for(BlockCounts(QuarterCounter()), None)
    gathered = Gathered(
        model=AnsweringModel(None, info, profile("standard"), True, "code", scale),
        settings=AppSettings(),
        log=LogState(asked().context.session, (), (), (), is_cold=False, is_long=False),
        head=(),
        reading=Reading(),
        maps=KnownMaps(),
        input_limit=input_limit(info),
    )
    await fit(gathered, PromptRequest(prompt))


async def test_a_request_that_fits_passes() -> None:
    await require_fit(big("a", 700), SMALL)


async def test_a_request_that_is_too_long_names_the_largest_files_to_untick() -> None:
    files = [file_block(RepoPath(f"f{n}"), "x" * 1000 * n) for n in range(1, 6)]
    prompt = Prompt((), (), (*files, question_block("?")))
    with pytest.raises(ProviderContext) as caught:
        await require_fit(prompt, SMALL)
    assert "takes 800" in caught.value.message
    assert "Untick large files (f5 (1,253), f4 (1,003), f3 (753))" in caught.value.message


async def test_a_log_that_is_too_long_asks_for_a_new_conversation() -> None:
    past = Exchange((question_block("q" * 4000),), answer_block("a"))
    with pytest.raises(ProviderContext, match="Begin a new conversation"):
        await require_fit(
            Prompt((), (past,), (question_block("?"),)),
            SMALL,
        )


async def test_a_model_of_unknown_size_takes_everything() -> None:
    unknown = replace(SMALL, max_input_tokens=0)
    await require_fit(big("a", 90_000), unknown)
