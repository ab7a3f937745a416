from dataclasses import replace

from jupyter_ac.chat.prompt.budget import input_limit
from tests.chat.memory import INFO

SMALL = replace(INFO, max_input_tokens=1000, max_output_tokens=200)


def test_room_is_kept_for_the_answer_but_not_the_whole_window() -> None:
    assert input_limit(SMALL) == 800
    assert input_limit(replace(SMALL, max_output_tokens=5000)) == 750
    huge = replace(INFO, max_input_tokens=400_000, max_output_tokens=128_000)
    assert input_limit(huge) == 400_000 - 32_768
