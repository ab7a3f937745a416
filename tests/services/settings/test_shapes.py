from typing import get_args

from jupyter_ac.services.settings.shapes import Where


def test_a_key_is_in_one_of_these_places_or_in_none() -> None:
    assert set(get_args(Where)) == {"environment", "keyring", "llm.json", ""}
