import pytest

from jupyter_ac.index.extraction.keys import MAX_KEYS
from jupyter_ac.index.parsing import parse


@pytest.mark.parametrize(("count", "kept"), [(3, 3), (MAX_KEYS + 1, MAX_KEYS), (201, 0)])
def test_settings_show_few_keys_and_data_none(count: int, kept: int) -> None:
    json = "{" + ", ".join(f'"k{at}": {at}' for at in range(count)) + "}"
    yaml = "".join(f"k{at}: {at}\n" for at in range(count))
    toml = "".join(f"k{at} = {at}\n" for at in range(count))
    for language, text in (("json", json), ("yaml", yaml), ("toml", toml)):
        assert len(parse(language, text.encode()).symbols) == kept


def test_a_list_of_records_and_code_are_as_ever() -> None:
    assert parse("json", b'[{"a": 1}]').symbols == ()
    code = "".join(f"k{at} = {at}\n" for at in range(300))
    assert len(parse("python", code.encode()).symbols) == 300
