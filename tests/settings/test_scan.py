import json

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.settings.scan import Path, lines_of, tokens

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def leaves(value: object, path: Path = ()) -> list[tuple[Path, object]]:
    match value:
        case dict():
            return [leaf for key, item in value.items() for leaf in leaves(item, (*path, key))]
        case list():
            return [leaf for at, item in enumerate(value) for leaf in leaves(item, (*path, at))]
    return [(path, value)]


@given(json_values, st.sampled_from([None, 1]), st.booleans())
def test_each_value_is_found_where_it_stands(
    value: object, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = [token for token in tokens(text) if not token.is_name]
    assert [(token.path, json.loads(token.literal)) for token in found] == leaves(value)
    for token in tokens(text):
        assert text[token.start : token.end] == token.literal
        assert token.line == text.count("\n", 0, token.start) + 1
        if token.is_text:
            assert token.value == json.loads(token.literal)


@given(st.text() | st.text(alphabet='{}[]:,"\\ \nab1'))
def test_any_text_has_tokens_in_order(text: str) -> None:
    ends = [0]
    for token in tokens(text):
        assert token.start >= ends[-1]
        assert isinstance(token.value, str)
        ends.append(token.end)


def test_the_line_of_each_name_is_known() -> None:
    text = '{\n "a": 1,\n "b": {"c": [\n  {"d": 2}]}}'
    assert lines_of(text) == {
        ("a",): 2,
        ("b",): 3,
        ("b", "c"): 3,
        ("b", "c", 0, "d"): 4,
    }


def test_a_name_without_a_value_ends_nothing() -> None:
    text = '{"env": {"KEY": sk-abc\n "OTHER": "x"}'
    assert [(token.path, token.literal, token.is_name) for token in tokens(text)] == [
        (("env",), '"env"', True),
        (("env", "KEY"), '"KEY"', True),
        (("env", "KEY"), "sk-abc", False),
        (("env", "KEY"), '"OTHER"', False),
        (("env", "KEY"), '"x"', False),
    ]


def test_endless_nesting_costs_no_more_than_its_length() -> None:
    text = "[" * 100_000 + "1," * 1000
    paths = [token.path for token in tokens(text)]
    assert len(paths) == 1000
    assert max(map(len, paths)) <= 65
